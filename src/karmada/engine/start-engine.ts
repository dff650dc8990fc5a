/**
 * The engine: everything that turns policies and templates into objects in members, and their status back.
 *
 * It speaks to its control plane through a {@link KubeClient} alone, so it runs in the process of our API server or
 * beside any real one. Each controller can be left out by name, and each fails alone.
 */
import { type Clock, systemClock } from '#base/clock.ts';
import { type Ids, randomIds } from '#base/ids.ts';
import { type Log, silentLog } from '#base/log.ts';
import type { Metrics } from '#base/metrics.ts';
import {
  type AutoscalingOptions,
  cronFederatedHpaController,
  deploymentReplicasSyncerController,
  federatedHpaController,
  hpaScaleTargetMarkerController,
} from '#karmada/autoscaling/index.ts';
import { bindingController, dependenciesController, namespaceSyncController } from '#karmada/binding/index.ts';
import {
  clusterController,
  type ClusterStatusDeps,
  clusterStatusController,
  type Members,
  members,
  unifiedAuthController,
} from '#karmada/cluster/index.ts';
import { heartbeatController, type HeartbeatDeps } from '#karmada/cluster/heartbeat-controller.ts';
import type { Tunnels } from '#karmada/cluster/tunnels.ts';
import { DEFAULT_SKIPPED_NAMESPACES, detectorControllers, templates as templatesOf } from '#karmada/detector/index.ts';
import { eventRecorders } from '#karmada/events/index.ts';
import { executionController } from '#karmada/execution/index.ts';
import {
  applicationFailoverController,
  clusterTaintPolicyController,
  type FailoverOptions,
  gracefulEvictionController,
  taintManagerController,
} from '#karmada/failover/index.ts';
import { liveInterpreter, type ResourceInterpreter } from '#karmada/interpreter/index.ts';
import { workloadRebalancerController } from '#karmada/rebalancer/index.ts';
import { schedulerController } from '#karmada/scheduler/scheduler-controller.ts';
import { bindingStatusController } from '#karmada/status/index.ts';
import { type TraceStore, traceStore } from '#karmada/trace/index.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import { type Controller, informers as informersOf, manager } from '#kube/runtime/index.ts';
import { type ControllerName, CONTROLLERS, OFF_BY_DEFAULT } from './controller-names.ts';
import { type DecisionStore, decisionStore } from './decision-store.ts';
import { currentOverrides } from './overrides.ts';
import { admittedByServer, type Simulator, simulator } from './simulator.ts';
import { traffic } from './traffic.ts';

/** What these do comes before statuses (`traffic.ts`). */
const GOES_DOWN: ReadonlySet<ControllerName> = new Set(['detector', 'scheduler', 'binding', 'dependencies']);

export interface EngineOptions {
  readonly client: KubeClient;
  readonly signal: AbortSignal;
  readonly clock?: Clock;
  readonly ids?: Ids;
  readonly log?: Log;
  readonly metrics?: Metrics;
  /** All but these run. */
  readonly disabled?: readonly ControllerName[];
  /** Those of {@link OFF_BY_DEFAULT} that run nevertheless. */
  readonly enabled?: readonly ControllerName[];
  /** In place of the one that follows customisations and webhooks. */
  readonly interpreter?: ResourceInterpreter;
  readonly skippedNamespaces?: readonly RegExp[];
  /** Where the reasons of decisions are kept; in memory when absent. */
  readonly decisionsFile?: string;
  /** Where the traces of changes are kept; in memory when absent. */
  readonly tracesFile?: string;
  /** Feature gate PropagationPolicyPreemption. */
  readonly preemption?: boolean;
  readonly failover?: FailoverOptions;
  readonly autoscaling?: AutoscalingOptions;
  readonly clusterStatus?: Pick<ClusterStatusDeps, 'everyMs' | 'probeTimeoutMs' | 'thresholds'>;
  readonly heartbeat?: Pick<HeartbeatDeps, 'everyMs' | 'grace'>;
  /** How long a member that answers may take to give up its objects when its Cluster is deleted. */
  readonly unjoinGraceMs?: number;
  /** How many requests to one member may be under way at once. */
  readonly memberInFlight?: number;
  /** Where agents of members that pull dial in; without it, those members are reached by nobody but their agents. */
  readonly tunnels?: Tunnels;
}

export interface Engine {
  /** Resolves when every controller has seen the whole state and begun to work. */
  readonly ready: Promise<void>;
  /** Resolves when the signal has aborted and all that was under way has ended. */
  readonly ended: Promise<void>;
  readonly decisions: DecisionStore;
  readonly traces: TraceStore;
  /** What would happen if; writes nothing. */
  readonly simulate: Simulator;
  readonly members: Members;
  /** Whether all controllers of a name work or are about to; those that are switched off do not count. */
  isRunning(name: ControllerName): boolean;
}

export function startEngine(options: EngineOptions): Engine {
  const { client, signal, clock = systemClock, ids = randomIds, log = silentLog } = options;
  const { disabled = [], skippedNamespaces = DEFAULT_SKIPPED_NAMESPACES } = options;
  const { failover = {}, autoscaling = {}, enabled = [] } = options;
  const runs = (name: ControllerName) =>
    !disabled.includes(name) && (!OFF_BY_DEFAULT.includes(name) || enabled.includes(name));
  const informers = informersOf(client, { signal, clock, ids, log });
  const events = eventRecorders({ client, clock, log, signal });
  const { down, up: reporting, atLeisure } = traffic();
  const decisions = decisionStore({
    clock,
    atLeisure,
    ...(options.decisionsFile ? { file: options.decisionsFile } : {}),
  });
  const trace = traceStore({ clock, atLeisure, ...(options.tracesFile ? { file: options.tracesFile } : {}) });
  const inFlight = options.memberInFlight === undefined ? {} : { inFlight: options.memberInFlight };
  const connections = members({
    control: client,
    clock,
    ...inFlight,
    ...(options.tunnels ? { tunnels: options.tunnels } : {}),
  });
  const customized = liveInterpreter({ informers, client, clock, ids });
  const interpreter = options.interpreter ?? customized;
  const templates = templatesOf({ client, informers, clock, log, signal });
  const overrides = currentOverrides(informers);
  const common = { client, informers, clock, log, templates, interpreter, members: connections, trace };

  const execution = executionController({
    ...common,
    ...inFlight,
    reporting,
    ids,
    events: events.of('execution-controller'),
    ...(options.metrics ? { metrics: options.metrics } : {}),
  });

  const makers: Readonly<Record<ControllerName, () => readonly Controller[]>> = {
    detector: () =>
      detectorControllers({
        ...common,
        events: events.of('resource-detector'),
        skippedNamespaces,
        preemption: options.preemption ?? false,
      }),
    scheduler: () => [schedulerController({ ...common, events: events.of('default-scheduler'), decisions })],
    binding: () => [
      bindingController({
        ...common,
        overrides,
        events: events.of('binding-controller'),
        overrideEvents: events.of('override-manager'),
        statefulFailover: failover.statefulInjection ?? false,
      }),
    ],
    execution: () => [execution],
    bindingStatus: () => [
      bindingStatusController({ ...common, reporting, events: events.of('resource-binding-status-controller') }),
    ],
    namespace: () => [namespaceSyncController({ ...common, overrides, skippedNamespaces })],
    dependencies: () => [dependenciesController({ ...common, events: events.of('dependencies-distributor') })],
    cluster: () => [
      clusterController({
        ...common,
        events: events.of('cluster-controller'),
        ...(options.unjoinGraceMs === undefined ? {} : { unjoinGraceMs: options.unjoinGraceMs }),
      }),
      heartbeatController({ ...common, ...options.heartbeat }),
    ],
    unifiedAuth: () => [unifiedAuthController({ ...common, events: events.of('unified-auth-controller') })],
    clusterStatus: () => [clusterStatusController({ ...common, ...options.clusterStatus })],
    clustertaintpolicy: () =>
      failover.enabled
        ? [clusterTaintPolicyController({ ...common, events: events.of('cluster-taint-policy-controller') })]
        : [],
    taintManager: () =>
      failover.enabled && failover.noExecuteTaintEviction
        ? [taintManagerController({ ...common, events: events.of('taint-manager'), options: failover })]
        : [],
    gracefulEviction: () => [gracefulEvictionController({ ...common, events, options: failover })],
    applicationFailover: () => [applicationFailoverController({ ...common, events, options: failover })],
    workloadRebalancer: () => [workloadRebalancerController(common)],
    federatedHorizontalPodAutoscaler: () => [
      federatedHpaController({ ...common, events: events.of('federatedHPA-controller'), options: autoscaling }),
    ],
    cronFederatedHorizontalPodAutoscaler: () => [
      cronFederatedHpaController({ ...common, events: events.of('cronfederatedhpa-controller'), ...autoscaling }),
    ],
    hpaScaleTargetMarker: () => [hpaScaleTargetMarkerController(common)],
    deploymentReplicasSyncer: () => [deploymentReplicasSyncerController(common)],
  };

  const simulate = simulator({
    ...common,
    ids,
    admit: admittedByServer(client, templates),
    skippedNamespaces,
    preemption: options.preemption ?? false,
    failover,
  });

  const made = new Map(
    CONTROLLERS.filter(runs).map((name) => [name, GOES_DOWN.has(name) ? makers[name]().map(down) : makers[name]()]),
  );
  const running = manager({
    client,
    informers,
    controllers: [...made.values()].flat(),
    clock,
    ids,
    log,
    ...(options.metrics ? { metrics: options.metrics } : {}),
  });
  // At once: whoever waits for a member must not hold up the end.
  signal.addEventListener('abort', () => connections.close(), { once: true });
  // A kind interpreted before its customisation is known would be placed as if it had none.
  const ended = customized.synced
    .catch(() => undefined)
    .then(() => running.start(signal))
    .finally(() => customized.close())
    .then(() => execution.ended())
    .finally(() => {
      decisions.close();
      trace.close();
    });
  return {
    ready: running.ready,
    ended,
    decisions,
    traces: trace,
    simulate,
    members: connections,
    isRunning: (name) => (made.get(name) ?? []).every((controller) => running.isRunning(controller)),
  };
}
