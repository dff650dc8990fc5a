/** Schemas of services and ingresses across clusters. */
import { MULTI_CLUSTER_INGRESS, MULTI_CLUSTER_SERVICE, SERVICE_EXPORT, SERVICE_IMPORT } from '../resources.ts';
import { column, type PrinterColumn } from '#kube/crds/definition.ts';
import { definition } from './definition.ts';
import { atomicList, type CrdSchema, having, int32, list, mapList, object, oneOf, string } from '#kube/crds/schema.ts';
import { condition, CONDITION_TYPE, names } from './shared.ts';

const conditions = mapList(['type'], condition);
const clusterNames = (description: string) => list(object({ name: string() }, ['name']), description);

const portStatus = object(
  { error: having(string(), { maxLength: 316, pattern: CONDITION_TYPE }), port: int32(), protocol: string() },
  ['error', 'port', 'protocol'],
);
const loadBalancer = (address: Record<string, CrdSchema>) =>
  object({ ingress: atomicList(object({ ...address, ports: atomicList(portStatus) })) });

export const multiClusterServiceCrd = definition({
  names: MULTI_CLUSTER_SERVICE,
  scope: 'Namespaced',
  shortName: 'mcs',
  description: 'Offers a service of some clusters to others.',
  properties: {
    spec: object(
      {
        types: names('How it is offered: CrossCluster or LoadBalancer, one of them.'),
        ports: list(object({ name: string(), port: int32() }, ['port']), 'The ports offered; all when absent.'),
        providerClusters: clusterNames('Where its endpoints come from; everywhere when absent.'),
        consumerClusters: clusterNames('Where it can be used; everywhere when absent.'),
        range: object({ clusterNames: names() }, [], 'Deprecated.'),
        serviceProvisionClusters: names('Deprecated: use providerClusters.'),
        serviceConsumptionClusters: names('Deprecated: use consumerClusters.'),
      },
      ['types'],
    ),
    status: object({ conditions, loadBalancer: loadBalancer({ hostname: string(), ip: string(), ipMode: string() }) }),
  },
  hasStatus: true,
});

const backend: CrdSchema = object({
  resource: having(object({ apiGroup: string(), kind: string(), name: string() }, ['kind', 'name']), {
    'x-kubernetes-map-type': 'atomic',
  }),
  service: object(
    {
      name: string(),
      port: having(object({ name: string(), number: int32() }), { 'x-kubernetes-map-type': 'atomic' }),
    },
    ['name'],
  ),
});

const path = object({ backend, path: string(), pathType: string() }, ['backend', 'pathType']);

export const multiClusterIngressCrd = definition({
  names: MULTI_CLUSTER_INGRESS,
  scope: 'Namespaced',
  shortName: 'mci',
  description: 'An ingress to services of many clusters.',
  properties: {
    spec: object({
      defaultBackend: backend,
      ingressClassName: string(),
      rules: atomicList(object({ host: string(), http: object({ paths: atomicList(path) }, ['paths']) })),
      tls: atomicList(object({ hosts: atomicList(string()), secretName: string() })),
    }),
    status: object({
      loadBalancer: loadBalancer({ hostname: string(), ip: string() }),
      serviceLocations: list(object({ clusters: names(), name: string() }, ['name'])),
      trafficBlockClusters: names(),
    }),
  },
  required: [],
  hasStatus: true,
});

/** These two are not Karmada's, and print their columns in the case of their own group. */
const age: PrinterColumn = column('Age', '.metadata.creationTimestamp', 'date');

export const serviceExportCrd = definition({
  names: SERVICE_EXPORT,
  scope: 'Namespaced',
  shortName: 'svcex',
  category: undefined,
  description: 'Lets other clusters import the service of the same name.',
  properties: { status: object({ conditions }) },
  required: [],
  columns: [age],
  hasStatus: true,
});

const importedPort = object({ appProtocol: string(), name: string(), port: int32(), protocol: string() }, ['port']);

export const serviceImportCrd = definition({
  names: SERVICE_IMPORT,
  scope: 'Namespaced',
  shortName: 'svcim',
  category: undefined,
  description: 'Stands for a service that other clusters export.',
  properties: {
    spec: object(
      {
        type: oneOf(['ClusterSetIP', 'Headless']),
        ips: having(list(string()), { maxItems: 1 }),
        ports: atomicList(importedPort),
        sessionAffinity: string(),
        sessionAffinityConfig: object({ clientIP: object({ timeoutSeconds: int32() }) }),
      },
      ['ports', 'type'],
    ),
    status: object({ clusters: mapList(['cluster'], object({ cluster: string() }, ['cluster'])) }),
  },
  required: [],
  columns: [column('Type', '.spec.type'), column('IP', '.spec.ips'), age],
  hasStatus: true,
});
