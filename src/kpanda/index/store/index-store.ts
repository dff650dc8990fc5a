/**
 * The index as its users see it: one who writes, any number who read.
 *
 * Contract, checked for every database by `indexStoreContract()`:
 * - a batch is kept as a whole, with the position of its stream, or not at all;
 * - an object is only replaced by a newer one of its source (or by one with another uid), except in a repair, where what
 *   the source says now is taken as it is;
 * - every change gets a revision greater than all before it; `changes` after a revision tells each object's last change
 *   exactly once, in order, and what was deleted; asked for what is no longer kept, it throws `Expired`;
 * - a writer that was replaced writes nothing any more: it gets `Conflict`;
 * - a reader sees only what its {@link Access} allows, and every page says how fresh its sources are.
 */
import type { ApiResource } from '#kube/client/kube-client.ts';
import type { Access } from '../query/access.ts';
import type { Query } from '../query/query.ts';
import type { IndexedObject } from '../indexed-object.ts';

export interface IndexWriter {
  /** The id of a kind, which is made known if it is not. */
  kind(resource: ApiResource): Promise<KindId>;
  commit(batch: readonly StreamBatch[]): Promise<void>;
  /** What is kept of some objects of a stream. */
  known(stream: StreamKey, keys: readonly RowKey[]): Promise<readonly Known[]>;
  /** Up to `limit` objects of a stream that were last written at or before `revision` and are not among `ids`. */
  others(stream: StreamKey, revision: number, ids: readonly number[], limit: number): Promise<readonly RowKey[]>;
  revision(): Promise<number>;
  streams(cluster: string): Promise<readonly StreamState[]>;
  source(cluster: string): Promise<SourceState | undefined>;
  /** What is known of sources, without touching the others. */
  saySources(sources: readonly SourceState[]): Promise<void>;
  /** Every source that has left something here. */
  sourceNames(): Promise<readonly string[]>;
  /** Removes everything of a stream that is followed no more. */
  forgetStream(stream: StreamKey): Promise<void>;
  /** Removes everything of a source; watches see its objects go. */
  forgetSource(cluster: string): Promise<void>;
  keepUsage(samples: readonly UsageSample[], dropBefore: number): Promise<void>;
  /** Drops tombstones beyond the newest `keep`. */
  prune(keep: number): Promise<void>;
}

export interface IndexReader {
  page(query: Query, access: Access, limitMs?: number): Promise<Page>;
  count(query: Query, access: Access): Promise<number>;
  changes(query: Query, access: Access, after: number, limit: number): Promise<Changes>;
  /** Ids of all objects that match, for a watch that must notice when one no longer does. */
  ids(
    query: Query,
    access: Access,
    limit: number,
  ): Promise<{ readonly revision: number; readonly ids: readonly number[] }>;
  /** How far each stream of the query has come; all, or those not fresh and how many there are. */
  freshness(query: Pick<Query, 'kinds' | 'clusters'>, access: Access): Promise<Freshness>;
  kinds(cluster?: string): Promise<readonly IndexedKind[]>;
  sources(): Promise<readonly SourceState[]>;
  stream(stream: StreamKey): Promise<StreamState | undefined>;
  revision(): Promise<number>;
  /** How many objects of a kind there are in each cluster, by phase. */
  phases(kind: readonly KindId[], clusters: readonly string[]): Promise<readonly PhaseCount[]>;
  usage(cluster: string, since: number): Promise<readonly UsageSample[]>;
  /** Calls back after commits, soon and not for each. */
  onCommit(told: () => void): () => void;
}

export type KindId = number;

export interface IndexedKind extends ApiResource {
  readonly id: KindId;
}

export interface StreamKey {
  readonly cluster: string;
  readonly kind: KindId;
}

export interface RowKey {
  readonly namespace: string;
  readonly name: string;
}

export interface Known extends RowKey {
  readonly id: number;
  readonly uid: string;
  readonly rv: number;
}

export type StreamPhase = 'Listing' | 'Following' | 'Failing';

export interface StreamState extends StreamKey {
  readonly phase: StreamPhase;
  /** The source's revision up to which everything is here; empty when that is not known. */
  readonly position: string;
  readonly changedAt: number;
  readonly message: string;
}

export interface SourceState {
  readonly name: string;
  /** What tells one cluster from another that took its name. */
  readonly identity: string;
  readonly reachable: boolean;
  readonly heardAt: number;
  readonly message: string;
}

export interface StreamBatch extends StreamKey {
  readonly objects: readonly IndexedObject[];
  readonly deleted: readonly (RowKey & { readonly rv: number })[];
  /** The source was listed: what it says now holds, whatever was known. */
  readonly repair?: boolean;
  readonly state?: Omit<StreamState, keyof StreamKey>;
  readonly at: number;
}

export interface FoundObject {
  readonly id: number;
  readonly kind: KindId;
  readonly cluster: string;
  readonly namespace: string;
  readonly name: string;
  readonly revision: number;
  /** JSON text, of the metadata alone if the query asked for no more. */
  readonly body: string;
}

export interface Page {
  readonly revision: number;
  readonly objects: readonly FoundObject[];
  /** Where the next page begins; absent on the last one. */
  readonly next?: string;
  readonly remaining?: number;
}

export interface ChangedObject extends FoundObject {
  readonly deleted: boolean;
  readonly born: number;
  /** Whether the query finds it now. */
  readonly matches: boolean;
}

export interface Changes {
  /** Everything up to here is told. */
  readonly revision: number;
  readonly objects: readonly ChangedObject[];
}

export interface Freshness {
  readonly total: number;
  readonly fresh: number;
  /** All of them when they are few, else those that are not fresh. */
  readonly streams: readonly StreamFreshness[];
}

export interface StreamFreshness extends StreamKey {
  readonly phase: StreamPhase;
  readonly reachable: boolean;
  readonly position: string;
  readonly heardAt: number;
  readonly changedAt: number;
  readonly message: string;
}

export interface PhaseCount {
  readonly cluster: string;
  readonly phase: string;
  readonly count: number;
}

export interface UsageSample {
  readonly cluster: string;
  /** Empty: the cluster as a whole. */
  readonly node: string;
  readonly at: number;
  readonly cpuMillis: number;
  readonly memoryBytes: number;
}
