import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { jsonPathColumn } from './columns.ts';
import { definitionOf, manifest } from './testing/lifecycle.ts';

const NOW = Date.parse('2026-01-08T00:00:00Z');

/** Cells by the name of their column. */
function row(kind: string, given: object, apiVersion?: string): Record<string, unknown> {
  const definition = definitionOf(kind, apiVersion);
  const object = manifest(definition, given);
  return Object.fromEntries(definition.columns.map((column) => [column.name, column.cell(object, NOW)]));
}

const cases: [because: string, kind: string, given: object, cells: Record<string, unknown>][] = [
  [
    'ages are counted from creation',
    'ConfigMap',
    { metadata: { creationTimestamp: '2026-01-01T00:00:00Z' } },
    { Age: '7d' },
  ],
  [
    'a ready node says so',
    'Node',
    { status: { conditions: [{ type: 'Ready', status: 'True' }] } },
    { Status: 'Ready', Roles: '<none>' },
  ],
  [
    'a cordoned node says so',
    'Node',
    { spec: { unschedulable: true }, status: { conditions: [{ type: 'Ready', status: 'Unknown' }] } },
    { Status: 'NotReady,SchedulingDisabled' },
  ],
  [
    'roles of a node come from labels',
    'Node',
    { metadata: { labels: { 'node-role.kubernetes.io/worker': '', 'kubernetes.io/role': 'edge' } } },
    { Roles: 'edge,worker' },
  ],
  [
    'a node tells what it runs',
    'Node',
    {
      status: {
        nodeInfo: {
          kubeletVersion: 'v1.35.0',
          osImage: 'Linux',
          kernelVersion: '6.1',
          containerRuntimeVersion: 'containerd://2',
        },
        addresses: [{ type: 'InternalIP', address: '10.0.0.1' }],
      },
    },
    {
      Version: 'v1.35.0',
      'Internal-IP': '10.0.0.1',
      'External-IP': '<none>',
      'OS-Image': 'Linux',
      'Container-Runtime': 'containerd://2',
    },
  ],
  [
    'a service shows its ports',
    'Service',
    {
      spec: {
        type: 'NodePort',
        clusterIPs: ['10.96.0.1'],
        ports: [
          { port: 80, nodePort: 30_080, protocol: 'TCP' },
          { port: 53, protocol: 'UDP' },
        ],
      },
    },
    { 'Port(s)': '80:30080/TCP,53/UDP', 'External-IP': '<none>' },
  ],
  [
    'a balancer waits for its address',
    'Service',
    { spec: { type: 'LoadBalancer' } },
    { 'External-IP': '<pending>', 'Port(s)': '<none>' },
  ],
  [
    'a balancer shows its addresses',
    'Service',
    {
      spec: { type: 'LoadBalancer', externalIPs: ['9.9.9.9'] },
      status: { loadBalancer: { ingress: [{ ip: '2.2.2.2' }, { hostname: 'a.b' }] } },
    },
    { 'External-IP': '2.2.2.2,a.b,9.9.9.9' },
  ],
  [
    'a name for something outside shows it',
    'Service',
    { spec: { type: 'ExternalName', externalName: 'a.b' } },
    { 'External-IP': 'a.b' },
  ],
  [
    'endpoints show three addresses',
    'Endpoints',
    { subsets: [{ addresses: ['1', '2', '3', '4'].map((n) => ({ ip: `10.0.0.${n}` })), ports: [{ port: 80 }] }] },
    { Endpoints: '10.0.0.1:80,10.0.0.2:80,10.0.0.3:80 + 1 more...' },
  ],
  ['no endpoints are none', 'Endpoints', {}, { Endpoints: '<none>' }],
  [
    'a slice shows ports and addresses',
    'EndpointSlice',
    { addressType: 'IPv4', ports: [{ port: 80 }, { name: 'x' }, {}], endpoints: [{ addresses: ['10.0.0.1'] }] },
    { Ports: '80,x,*', Endpoints: '10.0.0.1' },
  ],
  [
    'an ingress shows hosts and whether it is encrypted',
    'Ingress',
    { spec: { ingressClassName: 'n', tls: [{}], rules: ['a', 'b', 'c', 'd'].map((host) => ({ host })) } },
    { Class: 'n', Hosts: 'a,b,c + 1 more...', Ports: '80, 443', Address: '' },
  ],
  [
    'an ingress without hosts answers for all',
    'Ingress',
    { spec: { rules: [{}] } },
    { Class: '<none>', Hosts: '*', Ports: '80' },
  ],
  [
    'an ingress class shows its parameters',
    'IngressClass',
    { spec: { controller: 'a/b', parameters: { apiGroup: 'g', kind: 'K', name: 'n' } } },
    { Parameters: 'K.g/n' },
  ],
  [
    'a job counts what it needs',
    'Job',
    { spec: { completions: 3 }, status: { succeeded: 1 } },
    { Completions: '1/3', Status: 'Running', Duration: '' },
  ],
  ['a job of workers counts one', 'Job', { spec: { parallelism: 4 }, status: {} }, { Completions: '0/1 of 4' }],
  [
    'a job tells how long it took',
    'Job',
    {
      status: {
        startTime: '2026-01-07T00:00:00Z',
        completionTime: '2026-01-07T00:01:30Z',
        conditions: [{ type: 'Complete', status: 'True' }],
      },
    },
    { Duration: '90s', Status: 'Complete' },
  ],
  [
    'a suspended job says so',
    'Job',
    { status: { conditions: [{ type: 'Suspended', status: 'True' }] } },
    { Status: 'Suspended' },
  ],
  [
    'a cron job shows its schedule',
    'CronJob',
    { spec: { schedule: '@daily', suspend: true }, status: { active: [{}], lastScheduleTime: '2026-01-07T23:59:00Z' } },
    { Schedule: '@daily', Timezone: '<none>', Suspend: 'True', Active: 1, 'Last Schedule': '60s' },
  ],
  [
    'a volume shows its claim',
    'PersistentVolume',
    {
      spec: {
        capacity: { storage: '1Gi' },
        accessModes: ['ReadWriteMany', 'ReadWriteOnce'],
        claimRef: { namespace: 'a', name: 'b' },
      },
      status: { phase: 'Bound' },
    },
    { Capacity: '1Gi', 'Access Modes': 'RWO,RWX', Claim: 'a/b', Status: 'Bound', VolumeAttributesClass: '<unset>' },
  ],
  [
    'a claim shows nothing of a volume it does not have',
    'PersistentVolumeClaim',
    { spec: { accessModes: ['ReadWriteOnce'] }, status: { phase: 'Pending' } },
    { Capacity: '', 'Access Modes': '', Volume: '' },
  ],
  [
    'what is being deleted says so',
    'PersistentVolumeClaim',
    { metadata: { deletionTimestamp: '2026-01-01T00:00:00Z' } },
    { Status: 'Terminating' },
  ],
  [
    'the default storage class is marked',
    'StorageClass',
    { metadata: { annotations: { 'storageclass.kubernetes.io/is-default-class': 'true' } }, provisioner: 'p' },
    { Name: 'example (default)', ReclaimPolicy: 'Delete', AllowVolumeExpansion: false },
  ],
  [
    'a quota shows what is used',
    'ResourceQuota',
    { status: { hard: { 'limits.cpu': '4', pods: '10', cpu: '2' }, used: { pods: '3' } } },
    { Request: 'cpu: 0/2, pods: 3/10', Limit: 'limits.cpu: 0/4' },
  ],
  [
    'a budget shows its bound',
    'PodDisruptionBudget',
    { spec: { minAvailable: '50%' } },
    { 'Min Available': '50%', 'Max Unavailable': 'N/A', 'Allowed Disruptions': 0 },
  ],
  [
    'a binding shows whom it binds',
    'RoleBinding',
    {
      roleRef: { kind: 'Role', name: 'r' },
      subjects: [
        { kind: 'User', name: 'u' },
        { kind: 'Group', name: 'g' },
        { kind: 'ServiceAccount', namespace: 'n', name: 's' },
      ],
    },
    { Role: 'Role/r', Users: 'u', Groups: 'g', ServiceAccounts: 'n/s' },
  ],
  [
    'a request for a certificate shows how far it is',
    'CertificateSigningRequest',
    {
      spec: { signerName: 's', username: 'u', expirationSeconds: 3600 },
      status: { certificate: 'x', conditions: [{ type: 'Approved' }] },
    },
    { SignerName: 's', Requestor: 'u', RequestedDuration: '60m', Condition: 'Approved,Issued' },
  ],
  [
    'an API service tells why it does not answer',
    'APIService',
    {
      spec: { service: { namespace: 'a', name: 'b' } },
      status: { conditions: [{ type: 'Available', status: 'False', reason: 'Gone' }] },
    },
    { Service: 'a/b', Available: 'False (Gone)' },
  ],
  [
    'a revision shows whose it is',
    'ControllerRevision',
    {
      revision: 4,
      metadata: {
        ownerReferences: [{ apiVersion: 'apps/v1', kind: 'DaemonSet', name: 'd', uid: 'u', controller: true }],
      },
    },
    { Controller: 'daemonset.apps/d', Revision: 4 },
  ],
  [
    'a claim for devices shows its state',
    'ResourceClaim',
    { status: { allocation: {}, reservedFor: [{}] } },
    { State: 'allocated,reserved' },
  ],
  [
    'an address shows who uses it',
    'IPAddress',
    { spec: { parentRef: { resource: 'services', namespace: 'n', name: 's' } } },
    { ParentRef: 'services/n/s' },
  ],
  [
    'a network policy shows whom it protects',
    'NetworkPolicy',
    { spec: { podSelector: { matchLabels: { a: 'b' } } } },
    { 'Pod-Selector': 'a=b' },
  ],
  [
    'a component is healthy or not',
    'ComponentStatus',
    { conditions: [{ type: 'Healthy', status: 'False', error: 'down' }] },
    { Status: 'Unhealthy', Error: 'down' },
  ],
  [
    'a policy shows its parameters',
    'ValidatingAdmissionPolicyBinding',
    { spec: { policyName: 'p', paramRef: { name: 'x' } } },
    { PolicyName: 'p', ParamRef: '*/x' },
  ],
  [
    'a level shows its queues',
    'PriorityLevelConfiguration',
    { spec: { type: 'Limited', limited: { nominalConcurrencyShares: 5, limitResponse: { queuing: { queues: 2 } } } } },
    { NominalConcurrencyShares: 5, Queues: 2, HandSize: '<none>' },
  ],
  [
    'a driver shows its modes',
    'CSIDriver',
    { spec: { volumeLifecycleModes: ['Persistent', 'Ephemeral'], tokenRequests: [{ audience: 'a' }] } },
    { Modes: 'Persistent,Ephemeral', TokenRequests: 'a', AttachRequired: true },
  ],
];

describe('columns of kinds', () => {
  for (const [because, kind, given, cells] of cases) {
    it(because, () => {
      const shown = row(kind, given);
      assert.deepEqual(Object.fromEntries(Object.keys(cells).map((name) => [name, shown[name]])), cells);
    });
  }
});

describe('jsonPathColumn', () => {
  const object = {
    apiVersion: 'v1',
    kind: 'X',
    metadata: { name: 'x' },
    spec: { text: 'a', count: 2.5, list: [1], yes: true, when: '2026-01-07T23:59:00Z' },
  };
  const types: [type: string, path: string, cell: unknown][] = [
    ['string', '.spec.text', 'a'],
    ['string', '.spec.list', '[1]'],
    ['string', '.spec.none', undefined],
    ['integer', '.spec.count', 2],
    ['number', '.spec.count', 2.5],
    ['integer', '.spec.text', undefined],
    ['boolean', '.spec.yes', true],
    ['date', '.spec.when', '60s'],
    ['date', '.spec.text', '<invalid>'],
  ];
  for (const [type, jsonPath, cell] of types) {
    it(`shows ${jsonPath} as ${type} ${String(cell)}`, () => {
      assert.equal(jsonPathColumn({ name: 'C', type, jsonPath }).cell(object, NOW), cell);
    });
  }

  it('describes itself by its path', () => {
    const column = jsonPathColumn({ name: 'C', type: 'string', jsonPath: '.a' });
    assert.equal(column.description, 'Custom resource definition column (in JSONPath format): .a');
  });
});
