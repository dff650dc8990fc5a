/** What the global cluster knows of a `Cluster` of the inventory. */
import type { Clock } from '#base/clock.ts';
import type { Namespace } from '#gen/kube/types.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import { typed } from '#kube/client/typed-client.ts';
import {
  AGE,
  column,
  type CustomResourceDefinition,
  definition,
  having,
  installCrds,
  integer,
  kindNames,
  list,
  map,
  number,
  object,
  oneOf,
  string,
  time,
} from '#kube/crds/index.ts';
import { REGISTRY_NAMESPACE } from './cluster.ts';

const spec = object(
  {
    aliasName: having(string('The name people see.'), { maxLength: 60 }),
    description: having(string(), { maxLength: 500 }),
    provider: string('Whose cluster it is.'),
    region: string('Where it is.'),
    zone: string('Where in the region.'),
    apiEndpoint: string('The address of its API server.'),
    secretRef: object(
      { namespace: string(), name: string(), key: string() },
      ['namespace', 'name'],
      'The Secret with its kubeconfig.',
    ),
    apiPath: string('Where its API is below the server of that kubeconfig; for one that is reached through another.'),
    collect: object({ include: list(string()), exclude: list(string()) }, [], 'What is indexed of it.'),
  },
  ['secretRef'],
  'Which cluster it is and how it is reached.',
);

const amounts = map(string());
const condition = object({
  type: string(),
  status: string(),
  reason: string(),
  message: string(),
  observedGeneration: integer(),
  lastTransitionTime: time(),
});

const status = object(
  {
    phase: oneOf(['Pending', 'Running', 'Unknown', 'Deleting'], 'How it does.'),
    kubernetesVersion: string(),
    platform: string(),
    kubeSystemID: string('The uid of its kube-system namespace.'),
    apiGroups: list(string()),
    nodeSummary: object({ total: integer(), ready: integer() }),
    podSummary: object({ total: integer(), running: integer() }),
    resourceSummary: object({ capacity: amounts, allocatable: amounts, used: amounts }),
    cpuUsage: number('Percent of what can be allocated.'),
    memoryUsage: number('Percent of what can be allocated.'),
    podCIDR: string(),
    credential: object({ type: oneOf(['token', 'certificate', 'password', 'none']), expiresAt: time() }),
    conditions: list(condition),
  },
  [],
  'What is known of it.',
);

export const clusterCrd: CustomResourceDefinition = definition({
  names: kindNames('kpanda.io', 'v1alpha1', 'Cluster', 'clusters'),
  scope: 'Cluster',
  category: 'kairship',
  description: 'A cluster of the inventory.',
  properties: { spec, status },
  columns: [
    column('Phase', '.status.phase'),
    column('Version', '.status.kubernetesVersion'),
    column('Nodes', '.status.nodeSummary.total', 'integer'),
    column('Provider', '.spec.provider'),
    column('Region', '.spec.region'),
    { ...column('Zone', '.spec.zone'), priority: 1 },
    { ...column('Endpoint', '.spec.apiEndpoint'), priority: 1 },
    { ...column('Expires', '.status.credential.expiresAt'), priority: 1 },
    AGE,
  ],
  hasStatus: true,
});

/** Makes the global cluster know what a cluster is. Can be done again. */
export async function installRegistry(client: KubeClient, clock: Clock, signal: AbortSignal): Promise<void> {
  await installCrds(client, [clusterCrd], clock, signal);
  const namespaces = typed<Namespace>(client, {
    gvr: { group: '', version: 'v1', resource: 'namespaces' },
    kind: 'Namespace',
    namespaced: false,
  });
  await namespaces.ensure({ metadata: { name: REGISTRY_NAMESPACE } });
}
