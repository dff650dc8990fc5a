/** How long after a member is gone what ran there is on another, with every setting at its fastest. */
import type { KubeObject } from '#kube/meta/object.ts';
import { until } from '#e2e/real/processes.ts';
import { arrivals } from './arrivals.ts';
import { MEMBERS, type Plane } from './planes.ts';
import type { Figure } from './workload.ts';

const CONFIG_MAP = { group: '', version: 'v1', resource: 'configmaps' };
const NAMESPACE = { group: '', version: 'v1', resource: 'namespaces' };
const POLICIES = { group: 'policy.karmada.io', version: 'v1alpha1' };
const namespace = 'bench';

/** The fewer clusters, the clearer: one is chosen of two, and it goes. */
const policy: KubeObject = {
  apiVersion: 'policy.karmada.io/v1alpha1',
  kind: 'PropagationPolicy',
  metadata: { name: 'one', namespace },
  spec: {
    resourceSelectors: [{ apiVersion: 'v1', kind: 'ConfigMap' }],
    placement: { spreadConstraints: [{ spreadByField: 'cluster', minGroups: 1, maxGroups: 1 }] },
  },
};

const onReady = (operator: string) => [{ conditionType: 'Ready', operator, statusValues: ['True'] }];
const taintPolicy: KubeObject = {
  apiVersion: 'policy.karmada.io/v1alpha1',
  kind: 'ClusterTaintPolicy',
  metadata: { name: 'lost' },
  spec: {
    addOnConditions: onReady('NotIn'),
    removeOnConditions: onReady('In'),
    taints: [{ key: 'lost', effect: 'NoExecute' }],
  },
};

export async function memberLoss(plane: Plane, tell: (figure: Figure) => void): Promise<void> {
  const { client, members } = plane;
  await client.create(NAMESPACE, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  await client.create({ ...POLICIES, resource: 'clustertaintpolicies' }, taintPolicy);
  await client.create({ ...POLICIES, resource: 'propagationpolicies' }, policy);
  const metadata = { name: 'kept', namespace };
  await client.create(CONFIG_MAP, { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: { key: 'value' } });
  const at = await until('the first copy', () => placeOf(members));
  const [other] = members.filter((_, index) => index !== at.index);
  const arriving = arrivals(other ? [other] : [], CONFIG_MAP);
  const started = performance.now();
  plane.lose(at.index);
  await arriving.all(['kept']);
  tell({ what: 'member lost → object on another', value: (performance.now() - started) / 1000, unit: 's' });
  arriving.close();
}

async function placeOf(members: Plane['members']): Promise<{ readonly index: number } | undefined> {
  for (const index of MEMBERS.keys()) {
    const found = await members[index]?.get(CONFIG_MAP, { namespace, name: 'kept' }).catch(() => undefined);
    if (found) return { index };
  }
  return undefined;
}
