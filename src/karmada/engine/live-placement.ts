/**
 * Answers about placement beside an engine of others, such as a real Karmada: computed from the live objects, with
 * nothing written anywhere.
 *
 * An explanation is the decision our scheduler would make of the binding as it stands. Where it would stay as it is, the
 * verdicts are where it was placed; where not, `because` says that the placement there is differs.
 */
import { type Clock, systemClock } from '#base/clock.ts';
import { type Ids, randomIds } from '#base/ids.ts';
import { draftOf } from '#base/json.ts';
import { type Log, silentLog } from '#base/log.ts';
import { karmadaAdmission } from '#karmada/admission/index.ts';
import {
  type AnyBinding,
  type Cluster,
  CLUSTER,
  CLUSTER_OVERRIDE_POLICY,
  CLUSTER_PROPAGATION_POLICY,
  CLUSTER_RESOURCE_BINDING,
  OVERRIDE_POLICY,
  PROPAGATION_POLICY,
  RESOURCE_BINDING,
} from '#karmada/apis/index.ts';
import { DEFAULT_SKIPPED_NAMESPACES, type Templates, templates as templatesOf } from '#karmada/detector/index.ts';
import type { FailoverOptions } from '#karmada/failover/index.ts';
import { liveInterpreter } from '#karmada/interpreter/index.ts';
import { type Explanation, schedule } from '#karmada/scheduler/index.ts';
import { SYSTEM_USER } from '#kube/apiserver/index.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import { gvkOf } from '#kube/meta/gvk.ts';
import { keyOf, type KubeObject } from '#kube/meta/object.ts';
import { type Informers, informers as informersOf } from '#kube/runtime/index.ts';
import { readOnlyClient } from './admitted-client.ts';
import type { Explanations } from './explanations-api.ts';
import { laidOver, type Simulator, simulator } from './simulator.ts';

export interface LivePlacementOptions {
  readonly client: KubeClient;
  readonly signal: AbortSignal;
  readonly clock?: Clock;
  readonly ids?: Ids;
  readonly log?: Log;
  readonly preemption?: boolean;
  readonly failover?: FailoverOptions;
}

export interface LivePlacement {
  readonly explanations: Explanations;
  readonly simulate: Simulator;
  /** Resolves when everything has been read. */
  readonly ready: Promise<void>;
}

export function livePlacement(options: LivePlacementOptions): LivePlacement {
  const { signal, clock = systemClock, ids = randomIds, log = silentLog, preemption = false } = options;
  const client = readOnlyClient(options.client);
  const informers = informersOf(client, { signal, clock, ids, log });
  const interpreter = liveInterpreter({ informers, client, clock, ids });
  signal.addEventListener('abort', () => interpreter.close(), { once: true });
  const templates = templatesOf({ client, informers, clock, log, signal });
  const simulate = simulator({
    informers,
    templates,
    interpreter,
    clock,
    ids,
    // Members are others' to talk to.
    members: { find: () => undefined },
    admit: admittedHere(clock, ids, templates),
    skippedNamespaces: DEFAULT_SKIPPED_NAMESPACES,
    preemption,
    ...(options.failover ? { failover: options.failover } : {}),
  });
  const looked = [
    CLUSTER,
    RESOURCE_BINDING,
    CLUSTER_RESOURCE_BINDING,
    PROPAGATION_POLICY,
    CLUSTER_PROPAGATION_POLICY,
    OVERRIDE_POLICY,
    CLUSTER_OVERRIDE_POLICY,
  ].map((gvr) => informers(gvr).synced);
  const ready = Promise.all([...looked, templates.synced, interpreter.synced]).then(() => undefined);
  ready.catch(() => undefined);
  return { explanations: liveExplanations(informers, clock), simulate, ready };
}

function liveExplanations(informers: Informers, clock: Clock): Explanations {
  const namespaced = informers<AnyBinding>(RESOURCE_BINDING);
  const clusterWide = informers<AnyBinding>(CLUSTER_RESOURCE_BINDING);
  const clusters = informers<Cluster>(CLUSTER);
  return {
    of(key) {
      const binding = (key.includes('/') ? namespaced : clusterWide).get(key);
      return binding ? [explained(binding, clusters.list(), clock.now())] : [];
    },
    bindings: () => [...namespaced.list(), ...clusterWide.list()].map(keyOf).sort(),
  };
}

function explained(binding: AnyBinding, clusters: readonly Cluster[], now: number): Explanation {
  const { explanation, clusters: answer } = schedule({
    binding,
    clusters,
    now,
    because: 'computed from what there is',
  });
  const namesOf = (targets: AnyBinding['spec']['clusters'] = []) =>
    targets
      .map(({ name, replicas = 0 }) => `${name}:${replicas}`)
      .sort()
      .join(', ');
  const [is, would] = [namesOf(binding.spec.clusters), namesOf(answer ?? binding.spec.clusters ?? [])];
  if (is === would) return explanation;
  return { ...explanation, because: `it runs on {${is}} and would be placed on {${would}} now` };
}

/** What Karmada's webhook would say to a policy; other kinds are taken as they are. */
function admittedHere(clock: Clock, ids: Ids, templates: Pick<Templates, 'resource'>) {
  const plugins = karmadaAdmission({ ids, clock });
  return async (object: KubeObject, existing: KubeObject | undefined): Promise<KubeObject> => {
    const draft = draftOf(existing ? laidOver(object, existing) : object);
    const resource = templates.resource(draft);
    if (!resource) return draft;
    const { namespace, name } = draft.metadata;
    const operation = existing ? 'UPDATE' : 'CREATE';
    const request = {
      operation,
      gvr: resource,
      gvk: gvkOf(draft),
      ...(namespace === undefined ? {} : { namespace }),
      name,
      object: draft,
      ...(existing ? { oldObject: existing } : {}),
      user: SYSTEM_USER,
      dryRun: true,
    } as const;
    const concerned = plugins.filter((plugin) => plugin.handles(request));
    for (const plugin of concerned) await plugin.mutate?.(request);
    for (const plugin of concerned) await plugin.validate?.(request);
    return draft;
  };
}
