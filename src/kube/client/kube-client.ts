/**
 * What every controller and command uses to talk to a Kubernetes API, whichever transport is below.
 *
 * Two implementations pass one contract suite (`kubeClientContract()`): `inProcessClient` calls an API server of this
 * process without HTTP and without encoding anything; `httpClient` speaks to any Kubernetes. Failures are StatusErrors
 * with the server's reason. Objects returned may be shared with others: they are never to be changed.
 */
import type { Gvk, Gvr } from '#kube/meta/gvk.ts';
import type { KubeList, KubeObject, ObjectKey, WatchEvent } from '#kube/meta/object.ts';

export interface KubeClient {
  get<T extends KubeObject = KubeObject>(gvr: Gvr, key: ObjectKey, options?: GetOptions): Promise<T>;
  list<T extends KubeObject = KubeObject>(gvr: Gvr, options?: ListOptions): Promise<KubeList<T>>;
  /** Yields until the server ends the watch, the signal aborts, or a failure (410 among them) is thrown. */
  watch<T extends KubeObject = KubeObject>(gvr: Gvr, options: WatchOptions): AsyncIterable<WatchEvent<T>>;

  create<T extends KubeObject = KubeObject>(gvr: Gvr, object: Unnamed<T>, options?: WriteOptions): Promise<T>;
  /** Replaces the object named in it; guarded by its `metadata.resourceVersion` when set. */
  update<T extends KubeObject = KubeObject>(gvr: Gvr, object: T, options?: WriteOptions): Promise<T>;
  patch<T extends KubeObject = KubeObject>(gvr: Gvr, key: ObjectKey, patch: Patch, options?: WriteOptions): Promise<T>;
  /** Server-side apply. */
  apply<T extends KubeObject = KubeObject>(
    gvr: Gvr,
    object: KubeObject,
    options: WriteOptions & { readonly fieldManager: string; readonly force?: boolean },
  ): Promise<T>;
  /** Resolves once the server accepted the deletion; finalizers may keep the object for a while. */
  delete(gvr: Gvr, key: ObjectKey, options?: DeleteOptions): Promise<void>;
  deleteCollection(gvr: Gvr, options?: ListOptions & DeleteOptions): Promise<void>;

  /** All resources the server serves, from its discovery documents, without subresources. */
  discover(): Promise<readonly ApiResource[]>;
  /** A plain GET of a non-resource path (`/version`, `/readyz`), its body as text. */
  getText(path: string, signal?: AbortSignal): Promise<string>;
}

/** An object as a creator may give it: with `generateName` in place of a name, and without the status of others. */
export type Unnamed<T extends KubeObject> = {
  // Not Omit: of a type with an index signature that leaves nothing but the signature.
  readonly [Field in keyof T as Field extends 'metadata' | 'status' ? never : Field]: T[Field];
} & {
  readonly metadata: Omit<T['metadata'], 'name'> & { readonly name?: string };
  readonly status?: T['status'];
};

export interface GetOptions {
  readonly subresource?: string;
  readonly resourceVersion?: string;
  readonly signal?: AbortSignal;
}

export interface ListOptions {
  /** Absent: all namespaces. */
  readonly namespace?: string;
  readonly labelSelector?: string;
  readonly fieldSelector?: string;
  readonly limit?: number;
  readonly continue?: string;
  readonly resourceVersion?: string;
  readonly resourceVersionMatch?: 'Exact' | 'NotOlderThan';
  readonly signal?: AbortSignal;
}

export interface WatchOptions extends Omit<ListOptions, 'limit' | 'continue'> {
  /**
   * First yield every existing object as ADDED, then a bookmark annotated with INITIAL_EVENTS_END. Servers want
   * `resourceVersionMatch: 'NotOlderThan'` and `allowWatchBookmarks` with it.
   */
  readonly sendInitialEvents?: boolean;
  readonly allowWatchBookmarks?: boolean;
  readonly timeoutSeconds?: number;
  readonly signal: AbortSignal;
}

export interface WriteOptions {
  readonly subresource?: string;
  readonly fieldManager?: string;
  readonly fieldValidation?: 'Ignore' | 'Warn' | 'Strict';
  readonly dryRun?: boolean;
  readonly signal?: AbortSignal;
}

export interface DeleteOptions {
  readonly propagationPolicy?: 'Background' | 'Foreground' | 'Orphan';
  readonly gracePeriodSeconds?: number;
  readonly preconditions?: { readonly uid?: string; readonly resourceVersion?: string };
  readonly dryRun?: boolean;
  readonly signal?: AbortSignal;
}

export type Patch =
  | { readonly type: 'merge'; readonly body: unknown }
  | { readonly type: 'strategic'; readonly body: unknown }
  | { readonly type: 'json'; readonly body: readonly JsonPatchOperation[] };

export interface JsonPatchOperation {
  readonly op: 'add' | 'remove' | 'replace' | 'move' | 'copy' | 'test';
  readonly path: string;
  readonly from?: string;
  readonly value?: unknown;
}

export interface ApiResource extends Gvk, Gvr {
  readonly singular: string;
  readonly shortNames: readonly string[];
  readonly categories: readonly string[];
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly subresources: readonly string[];
}
