/**
 * The agent of a cluster that pulls: it runs beside the member and dials out; nobody has to reach the member from outside.
 *
 * It does for one cluster what an engine does for those it pushes to, with the same controllers: brings the Works of the
 * cluster into it, reports what becomes of them, and how the cluster feels. Besides, it gives a sign of life, and keeps a
 * tunnel by which the users of the control plane reach the member's API (`member-door.ts` says what of it).
 *
 * It ends by itself when its cluster has left the control plane.
 */
import { type Clock, systemClock } from '#base/clock.ts';
import { gate } from '#base/gate.ts';
import { type Ids, randomIds } from '#base/ids.ts';
import { type Log, silentLog } from '#base/log.ts';
import type { Metrics } from '#base/metrics.ts';
import { type Cluster, CLUSTER } from '#karmada/apis/index.ts';
import { clusterStatusController, type ClusterStatusDeps } from '#karmada/cluster/index.ts';
import { eventRecorders } from '#karmada/events/index.ts';
import { executionController } from '#karmada/execution/index.ts';
import { liveInterpreter } from '#karmada/interpreter/index.ts';
import type { HttpClient } from '#kube/client/http-client.ts';
import { type Controller, done, informers as informersOf, manager } from '#kube/runtime/index.ts';
import { heartbeat } from './heartbeat.ts';
import { keepTunnel } from './keep-tunnel.ts';
import { localMember } from './local-member.ts';
import { ownPart } from './own-part.ts';
import { type ClusterFacts, register, removed } from './registration.ts';
import { traceReports } from './trace-reports.ts';

export interface AgentOptions {
  readonly cluster: string;
  /** The control plane, as the agent of this cluster. */
  readonly control: HttpClient;
  /** The member, as somebody who may do there whatever is asked of it. */
  readonly member: HttpClient;
  readonly facts?: ClusterFacts;
  /** Whether users of the control plane may reach the member through this agent. Default: yes. */
  readonly tunnel?: boolean;
  readonly leaseMs?: number;
  readonly status?: Pick<ClusterStatusDeps, 'everyMs' | 'probeTimeoutMs' | 'thresholds'>;
  readonly signal: AbortSignal;
  readonly clock?: Clock;
  readonly ids?: Ids;
  readonly log?: Log;
  readonly metrics?: Metrics;
}

export interface Agent {
  /** Resolves when it has begun to work. */
  readonly ready: Promise<void>;
  /** Resolves when it was told to stop; rejects with `Gone` when its cluster has left the control plane. */
  readonly ended: Promise<void>;
}

/** Statuses on their way up at once; a single member has few that matter. */
const REPORTS_AT_ONCE = 16;

export async function startAgent(options: AgentOptions): Promise<Agent> {
  const { cluster, control, member, facts = {}, tunnel = true } = options;
  const { clock = systemClock, ids = randomIds, log = silentLog } = options;
  await register(control, member, cluster, facts);

  const left = new AbortController();
  const signal = AbortSignal.any([options.signal, left.signal]);
  const client = ownPart(control, cluster);
  const informers = informersOf(client, { signal, clock, ids, log });
  const interpreter = liveInterpreter({ informers, client, clock, ids });
  const members = localMember(cluster, member, signal);
  const events = eventRecorders({ client, clock, log, signal });
  const serves = ({ metadata, spec }: Cluster) => metadata.name === cluster && spec.syncMode === 'Pull';
  const metrics = options.metrics ? { metrics: options.metrics } : {};
  const trace = traceReports({ control, cluster, clock, log, signal });
  const common = { client, informers, clock, log, members, serves, interpreter, trace };
  const execution = executionController({
    ...common,
    ids,
    reporting: gate(REPORTS_AT_ONCE),
    events: events.of('execution-controller'),
    ...metrics,
  });
  const leaves = () => left.abort(removed(cluster));
  const controllers = [
    execution,
    clusterStatusController({ ...common, ...options.status }),
    departure(cluster, leaves),
  ];
  const running = manager({ client, informers, controllers, clock, ids, log, ...metrics });
  const loops = { control, cluster, clock, ids, log, signal };
  const ended = interpreter.synced
    .catch(() => undefined)
    .then(() =>
      Promise.all([
        running.start(signal),
        heartbeat({ ...loops, ...(options.leaseMs === undefined ? {} : { leaseMs: options.leaseMs }) }),
        tunnel ? keepTunnel({ ...loops, member }) : undefined,
      ]),
    )
    .then(() => execution.ended())
    .finally(() => interpreter.close())
    .then(() => {
      if (left.signal.aborted) throw left.signal.reason;
    });
  return { ready: running.ready, ended };
}

/** Notices that the cluster is gone from the control plane. */
function departure(cluster: string, leaves: () => void): Controller {
  return {
    name: 'departure',
    watches: [
      {
        gvr: CLUSTER,
        wakes({ metadata }, _old, change) {
          if (change === 'deleted' && metadata.name === cluster) leaves();
          return [];
        },
      },
    ],
    reconcile: async () => done,
  };
}
