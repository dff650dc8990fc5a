/**
 * Kpanda: the inventory of clusters and the index of what is in them, in one place to start.
 *
 *     const panda = await kpanda({ client, database, identity });
 *     panda.registry.list();   panda.reader.page(…);   panda.handler(accessOf).handle(request, response);
 *
 * Any number of processes may run it on one database: all read, the one that holds the Lease follows the clusters and
 * writes. A leader that was paused and replaced cannot write any more: neither to the global cluster (fencing) nor to
 * the index (its epoch).
 */
import { type Clock, sleep, systemClock } from '#base/clock.ts';
import { type Ids, randomIds } from '#base/ids.ts';
import { type Log, silentLog } from '#base/log.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import { type ElectionOptions, fenced, type Leadership, leaseElection, manager } from '#kube/runtime/index.ts';
import {
  type IndexHandler,
  type IndexHandlerDeps,
  indexCollector,
  indexHandler,
  type IndexReader,
  prepareIndex,
  type SqlDatabase,
  sqlIndexReader,
  sqlIndexWriter,
} from './index/index.ts';
import {
  type ClusterRegistry,
  clusterRegistry,
  collectionController,
  factsController,
  installRegistry,
  memberClients,
  REGISTRY_NAMESPACE,
} from './registry/index.ts';

export interface KpandaDeps {
  /** Of the global cluster. */
  readonly client: KubeClient;
  readonly database: SqlDatabase;
  /** What this process is called in the Lease. */
  readonly identity: string;
  readonly signal: AbortSignal;
  /** Whether it may lead; one that does not only reads what others write. */
  readonly follows?: boolean;
  readonly election?: Pick<ElectionOptions, 'leaseMs' | 'renewWithinMs' | 'retryMs'>;
  readonly clock?: Clock;
  readonly ids?: Ids;
  readonly log?: Log;
}

export interface Kpanda {
  readonly reader: IndexReader;
  readonly registry: ClusterRegistry;
  handler(accessOf: IndexHandlerDeps['accessOf']): IndexHandler;
  /** Whether this process follows the clusters. */
  leads(): boolean;
  /** Resolves when everything has ended, after the signal has aborted. */
  readonly ended: Promise<void>;
}

const LEASE = 'kpanda';
const LOOK_EVERY_MS = 50;

/** Resolves when the index can be read. */
export async function kpanda(deps: KpandaDeps): Promise<Kpanda> {
  const { client, database, signal, clock = systemClock, ids = randomIds, log = silentLog } = deps;
  await installRegistry(client, clock, signal);
  const reader = sqlIndexReader(database);
  let leading = false;

  async function lead(leadership: Leadership): Promise<void> {
    await prepareIndex(database, clock);
    const writer = await sqlIndexWriter(database);
    const own = fenced(client, leadership);
    const members = memberClients({ client, clock });
    const collector = indexCollector({ writer, clock, ids, log });
    const over = AbortSignal.any([leadership.signal, collector.lost]);
    leading = true;
    log.info('this process writes the index');
    try {
      await manager({
        client: own,
        controllers: [
          collectionController({ client: own, members, collector, writer }),
          factsController({ client: own, members, reader, writer, clock }),
        ],
        clock,
        ids,
        log,
      }).start(over);
    } finally {
      leading = false;
      await collector.close();
      members.close();
    }
  }

  const election = leaseElection({
    client,
    namespace: REGISTRY_NAMESPACE,
    name: LEASE,
    identity: deps.identity,
    ...deps.election,
    clock,
    ids,
    log,
  });
  const ended = deps.follows === false ? Promise.resolve() : election.run(lead, signal);
  await readable(reader, clock, signal);
  return {
    reader,
    registry: clusterRegistry({ client, reader, clock }),
    handler: (accessOf) => indexHandler({ reader, accessOf, clock, log, closing: signal }),
    leads: () => leading,
    ended,
  };
}

/** The first leader makes the tables; until then there is nothing to read. */
async function readable(reader: IndexReader, clock: Clock, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    try {
      await reader.revision();
      return;
    } catch {
      await sleep(clock, LOOK_EVERY_MS, signal).catch(() => undefined);
    }
  }
}
