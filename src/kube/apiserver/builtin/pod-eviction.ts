/** `pods/eviction`: a delete that asks the pod's disruption budgets first. */
import { rfc3339 } from '#base/clock.ts';
import { type Draft, isObject } from '#base/json.ts';
import { StatusError } from '#base/status-error.ts';
import { setCondition } from '#kube/meta/condition.ts';
import { type LabelSelectorSpec, selectorOf } from '#kube/meta/label-selector.ts';
import type { Condition, KubeObject } from '#kube/meta/object.ts';
import { inNamespace } from '../cache/sorted-entries.ts';
import type { Core } from '../core.ts';
import type { ApiExtension } from '../extension.ts';
import { resourceNotServed } from '../failures.ts';
import { current } from '../verbs/get.ts';
import { type DeleteOptions, deleteObject } from '../verbs/delete.ts';
import { editable } from '../write/editable.ts';
import { modifyObject } from '../write/modify.ts';

const PODS = { group: '', version: 'v1', resource: 'pods' } as const;
const BUDGETS = { group: 'policy', version: 'v1', resource: 'poddisruptionbudgets' } as const;
const SUCCESS = { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', code: 201 } as const;

export function podEviction(core: Core): ApiExtension {
  return {
    group: '',
    version: 'v1',
    resource: 'pods',
    subresource: 'eviction',
    kind: { group: 'policy', version: 'v1', kind: 'Eviction' },
    namespaced: true,
    verbs: ['create'],
    async serve(request) {
      const { user, namespace, name = '' } = request;
      const eviction = await request.body();
      const asked =
        isObject(eviction) && isObject(eviction['deleteOptions']) ? (eviction['deleteOptions'] as DeleteOptions) : {};
      const pods = core.registry.find(PODS);
      if (!pods) throw resourceNotServed();
      const caller = { user, agent: '', warn: () => undefined };
      const pod = current(pods, { namespace, name }).object;
      if (!isOver(pod)) for (const budget of budgetsOf(core, pod)) await takeFrom(core, budget, pod);
      await modifyObject(
        core,
        pods,
        caller,
        { namespace, name },
        { subresource: 'status', dryRun: false, transform: targeted(core) },
      );
      await deleteObject(core, pods, caller, { namespace, name }, asked);
      return { code: 201, object: SUCCESS };
    },
  };
}

/** Says in the pod's status why it goes. */
function targeted(core: Core): (pod: KubeObject) => Draft<KubeObject> {
  return (pod) => {
    const draft = editable(pod);
    const status = (draft['status'] ??= {}) as { conditions?: readonly Condition[] };
    const why = { reason: 'EvictionByEvictionAPI', message: 'Eviction API: evicting' };
    const condition = { type: 'DisruptionTarget', status: 'True', lastProbeTime: null, ...why } as const;
    status.conditions = setCondition(status.conditions, condition, rfc3339(core.clock.now()));
    return draft;
  };
}

/** Pods that have ended disrupt nothing when they go. */
function isOver(pod: KubeObject): boolean {
  const status = isObject(pod['status']) ? pod['status'] : {};
  return (
    status['phase'] === 'Succeeded' || status['phase'] === 'Failed' || pod.metadata.deletionTimestamp !== undefined
  );
}

function budgetsOf(core: Core, { metadata }: KubeObject): readonly KubeObject[] {
  const budgets = core.registry.find(BUDGETS);
  if (!budgets || metadata.namespace === undefined) return [];
  return inNamespace(budgets.cache.entries(), metadata.namespace)
    .map(({ object }) => object)
    .filter(({ spec }) => isObject(spec) && selectorOf(spec['selector'] as LabelSelectorSpec).matches(metadata.labels));
}

interface BudgetStatus {
  disruptionsAllowed?: number;
  disruptedPods?: Record<string, string>;
  currentHealthy?: number;
  desiredHealthy?: number;
}

/** Counts this disruption before it happens, so that two evictions cannot use the same allowance. */
async function takeFrom(core: Core, budget: KubeObject, pod: KubeObject): Promise<void> {
  const budgets = core.registry.find(BUDGETS);
  if (!budgets) return;
  const caller = {
    user: { name: 'system:apiserver', groups: ['system:masters'] },
    agent: 'kube-apiserver',
    warn: () => undefined,
  };
  await modifyObject(core, budgets, caller, budget.metadata, {
    subresource: 'status',
    dryRun: false,
    transform(object) {
      const draft = editable(object);
      const status = (draft['status'] ??= {}) as BudgetStatus;
      if ((status.disruptionsAllowed ?? 0) <= 0) throw refused(budget, status);
      status.disruptionsAllowed = (status.disruptionsAllowed ?? 0) - 1;
      status.disruptedPods = { ...status.disruptedPods, [pod.metadata.name]: rfc3339(core.clock.now()) };
      return draft;
    },
  });
}

function refused({ metadata }: KubeObject, status: BudgetStatus): StatusError {
  const { desiredHealthy = 0, currentHealthy = 0 } = status;
  const message = `The disruption budget ${metadata.name} needs ${desiredHealthy} healthy pods and has ${currentHealthy} currently`;
  return new StatusError('TooManyRequests', "Cannot evict pod as it would violate the pod's disruption budget.", {
    details: { causes: [{ reason: 'DisruptionBudget', message }] },
  });
}
