import type { KindCases } from '../kind-cases.ts';

const b64 = (text: string) => Buffer.from(text).toString('base64');

export const configMap: KindCases = {
  kind: 'ConfigMap',
  apiVersion: 'v1',
  least: { data: { key: 'value' } },
  refused: [
    [
      'keys are file names',
      { 'data/a b': '1' },
      'data[a b]: Invalid value: "a b": a valid config key must consist of…',
    ],
    [
      'a key is text or binary',
      { binaryData: { key: b64('x') } },
      'data[key]: Invalid value: "key": duplicate of key present in binaryData',
    ],
    [
      'it is below a mebibyte',
      { 'data/key': 'x'.repeat(1_048_577) },
      '[]: Too long: may not be more than 1048576 bytes',
    ],
  ],
  existing: { immutable: true },
  fixed: [
    ['frozen data stay', { 'data/key': 'other' }, 'data: Forbidden: field is immutable when `immutable` is set'],
    [
      'frozen is for ever',
      { immutable: undefined },
      'immutable: Forbidden: field is immutable when `immutable` is set',
    ],
  ],
};

export const secret: KindCases = {
  kind: 'Secret',
  apiVersion: 'v1',
  least: { stringData: { key: 'value' } },
  refused: [
    [
      'keys are file names',
      { data: { 'a/b': b64('x') } },
      'data[a/b]: Invalid value: "a/b": a valid config key must consist of…',
    ],
    [
      'a TLS secret has both parts',
      { type: 'kubernetes.io/tls' },
      'data[tls.crt]: Required value',
      'data[tls.key]: Required value',
    ],
    [
      'a registry secret is JSON',
      { type: 'kubernetes.io/dockerconfigjson', stringData: { '.dockerconfigjson': 'x' } },
      'data[.dockerconfigjson]: Invalid value: "<secret contents redacted>": invalid character in JSON',
    ],
    [
      'a token says whose it is',
      { type: 'kubernetes.io/service-account-token' },
      'metadata.annotations[kubernetes.io/service-account.name]: Required value',
    ],
    [
      'it is below a mebibyte',
      { stringData: { key: 'x'.repeat(1_048_577) } },
      'data: Too long: may not be more than 1048576 bytes',
    ],
  ],
  fixed: [['its type stays', { type: 'other' }, 'type: Invalid value: "other": field is immutable']],
};

export const service: KindCases = {
  kind: 'Service',
  apiVersion: 'v1',
  least: { spec: { ports: [{ port: 80 }] } },
  refused: [
    [
      'its name begins with a letter',
      { 'metadata/name': '1a' },
      'metadata.name: Invalid value: "1a": a DNS-1035 label must consist of…',
    ],
    ['ports are required', { 'spec/ports': [] }, 'spec.ports: Required value'],
    [
      'ports have numbers',
      { 'spec/ports': [{ port: 0, targetPort: 1 }] },
      'spec.ports[0].port: Invalid value: 0: must be between 1 and 65535, inclusive',
    ],
    [
      'several ports have names',
      { 'spec/ports': [{ port: 1 }, { port: 2 }] },
      'spec.ports[0].name: Required value',
      'spec.ports[1].name: Required value',
    ],
    [
      'port names differ',
      {
        'spec/ports': [
          { name: 'a', port: 1 },
          { name: 'a', port: 2 },
        ],
      },
      'spec.ports[1].name: Duplicate value: "a"',
    ],
    [
      'ports differ',
      {
        'spec/ports': [
          { name: 'a', port: 1 },
          { name: 'b', port: 1 },
        ],
      },
      'spec.ports[1]: Duplicate value: {"Name":"","Protocol":"TCP","AppProtocol":null,"Port":1,"TargetPort":0,"NodePort":0}',
    ],
    [
      'types are known',
      { 'spec/type': 'Magic' },
      'spec.type: Unsupported value: "Magic": supported values: "ClusterIP", "ExternalName", "LoadBalancer", "NodePort"',
    ],
    ['an external name is given', { 'spec/type': 'ExternalName' }, 'spec.externalName: Required value'],
    [
      'affinities are known',
      { 'spec/sessionAffinity': 'Cookie' },
      'spec.sessionAffinity: Unsupported value: "Cookie": supported values: "ClientIP", "None"',
    ],
    [
      'an address is an address',
      { 'spec/clusterIP': 'here' },
      'spec.clusterIPs[0]: Invalid value: "here": must be a valid IP address, (e.g. 10.9.8.7 or 2001:db8::ffff)',
    ],
    [
      'node ports are for nodes',
      { 'spec/ports/0/nodePort': 30_001 },
      "spec.ports[0].nodePort: Forbidden: may not be used when `type` is 'ClusterIP'",
    ],
    [
      'a loop-back address is not outside',
      { 'spec/externalIPs': ['127.0.0.1'] },
      'spec.externalIPs[0]: Invalid value: "127.0.0.1": may not be in the loopback range (127.0.0.0/8, ::1/128)',
    ],
    [
      'a balancer without address cannot be',
      { 'spec/type': 'LoadBalancer', 'spec/clusterIP': 'None' },
      'spec.clusterIPs[0]: Invalid value: "None": may not be set to \'None\' for LoadBalancer services',
    ],
  ],
  fixed: [
    [
      'its address stays',
      { 'spec/clusterIP': '10.96.0.9', 'spec/clusterIPs': ['10.96.0.9'] },
      'spec.clusterIPs[0]: Invalid value: ["10.96.0.9"]: may not change once set',
    ],
  ],
};

export const namespace: KindCases = {
  kind: 'Namespace',
  apiVersion: 'v1',
  least: {},
  refused: [
    [
      'its name is a label',
      { 'metadata/name': 'A.b' },
      'metadata.name: Invalid value: "A.b": a lowercase RFC 1123 label must consist of…',
    ],
    [
      'finalizers have a domain',
      { 'spec/finalizers': ['mine'] },
      'spec.finalizers: Invalid value: "mine": name is neither a standard finalizer name nor is it fully qualified',
    ],
  ],
};

export const node: KindCases = {
  kind: 'Node',
  apiVersion: 'v1',
  least: { status: { capacity: { cpu: '2' } } },
  refused: [
    [
      'effects of taints are known',
      { 'spec/taints': [{ key: 'a', effect: 'Never' }] },
      'metadata.taints[0].effect: Unsupported value: "Never": supported values: "NoSchedule", "PreferNoSchedule", "NoExecute"',
    ],
    [
      'taints differ',
      {
        'spec/taints': [
          { key: 'a', effect: 'NoExecute' },
          { key: 'a', effect: 'NoExecute' },
        ],
      },
      'metadata.taints[1]: Duplicate value: {"key":"a","effect":"NoExecute"}: taints must be unique by key and effect pair',
    ],
    [
      'pods are counted in whole numbers',
      { 'status/capacity': { pods: '1500m' } },
      'status.capacity.pods: Invalid value: "1500m": must be an integer',
      'status.allocatable.pods: Invalid value: "1500m": must be an integer',
    ],
  ],
  existing: { 'spec/providerID': 'a', 'spec/podCIDRs': ['10.0.0.0/24'] },
  fixed: [
    [
      'its provider stays',
      { 'spec/providerID': 'b' },
      'spec.providerID: Forbidden: node updates may not change providerID except from "" to valid',
    ],
    [
      'its range stays',
      { 'spec/podCIDR': '10.0.1.0/24' },
      'spec.podCIDRs: Forbidden: node updates may not change podCIDR except from "" to valid',
    ],
  ],
};

export const endpoints: KindCases = {
  kind: 'Endpoints',
  apiVersion: 'v1',
  least: { subsets: [{ addresses: [{ ip: '10.0.0.1' }], ports: [{ port: 80 }] }] },
  refused: [
    [
      'a subset has addresses',
      { 'subsets/0/addresses': [] },
      'subsets[0]: Required value: must specify `addresses` or `notReadyAddresses`',
    ],
    [
      'a protocol of applications has a name',
      { 'subsets/0/ports/0/appProtocol': ' ' },
      'subsets[0].ports[0].appProtocol: Invalid value: " ": name part must consist of…',
    ],
    [
      'addresses are not local',
      { 'subsets/0/addresses': [{ ip: '169.254.0.1' }] },
      'subsets[0].addresses[0].ip: Invalid value: "169.254.0.1": may not be in the link-local range (169.254.0.0/16, fe80::/10)',
    ],
  ],
};

export const resourceQuota: KindCases = {
  kind: 'ResourceQuota',
  apiVersion: 'v1',
  least: { spec: { hard: { pods: '10' } } },
  refused: [
    [
      'resources are known',
      { 'spec/hard': { gold: '1' } },
      'spec.hard[gold]: Invalid value: "gold": must be a standard resource type or fully qualified',
      'spec.hard[gold]: Invalid value: "gold": must be a standard resource for quota',
    ],
    ['scopes are known', { 'spec/scopes': ['Some'] }, 'spec.scopes: Invalid value: ["Some"]: unsupported scope'],
    [
      'scopes do not contradict',
      { 'spec/scopes': ['BestEffort', 'NotBestEffort'] },
      'spec.scopes: Invalid value: ["BestEffort","NotBestEffort"]: conflicting scopes',
    ],
    [
      'scopes are selected by what they can be',
      {
        'spec/scopeSelector': {
          matchExpressions: [
            { scopeName: 'Some', operator: 'Is' },
            { scopeName: 'BestEffort', operator: 'In' },
          ],
        },
      },
      'spec.scopeSelector.matchExpressions.scopeName: Invalid value: "Some": unsupported scope',
      'spec.scopeSelector.matchExpressions.operator: Invalid value: "Is": not a valid selector operator',
      'spec.scopeSelector.matchExpressions.operator: Invalid value: "In": must be \'Exists\' when scope is any of…',
      "spec.scopeSelector.matchExpressions.values: Required value: must be at least one value when `operator` is 'In' or 'NotIn' for scope selector",
    ],
  ],
  fixed: [
    [
      'scopes stay',
      { 'spec/scopes': ['BestEffort'] },
      'spec.scopes: Invalid value: ["BestEffort"]: field is immutable',
    ],
  ],
};

export const limitRange: KindCases = {
  kind: 'LimitRange',
  apiVersion: 'v1',
  least: { spec: { limits: [{ type: 'Container', max: { cpu: '2' } }] } },
  refused: [
    [
      'types are known',
      { 'spec/limits/0/type': 'House' },
      'spec.limits[0].type: Invalid value: "House": must be a standard limit type or fully qualified',
    ],
    [
      'the least is not above the greatest',
      { 'spec/limits/0/type': 'Pod', 'spec/limits/0/min': { cpu: '3' } },
      'spec.limits[0].min[cpu]: Invalid value: "3": min value 3 is greater than max value 2',
    ],
    [
      'pods have no defaults',
      { 'spec/limits/0/type': 'Pod', 'spec/limits/0/default': { cpu: '1' } },
      "spec.limits[0].default: Forbidden: may not be specified when `type` is 'Pod'",
    ],
    [
      'limits of containers are of what containers use',
      { 'spec/limits/0/max': { storage: '1Gi' }, 'spec/limits/0/type': 'Pod' },
      'spec.limits[0].max[storage]: Invalid value: "storage": must be a standard resource for containers',
    ],
    [
      'a ratio is at least one',
      { 'spec/limits/0': { type: 'Pod', maxLimitRequestRatio: { cpu: '500m' } } },
      'spec.limits[0].maxLimitRequestRatio[cpu]: Invalid value: "500m": ratio 500m is less than 1',
    ],
  ],
};

export const event: KindCases = {
  kind: 'Event',
  apiVersion: 'v1',
  least: { involvedObject: { kind: 'Pod', name: 'p', namespace: 'default' }, reason: 'Started' },
  refused: [
    [
      'it lies where its object lies',
      { 'involvedObject/namespace': 'other' },
      'involvedObject.namespace: Invalid value: "other": does not match event.namespace',
    ],
    [
      'a new event says who wrote it',
      { eventTime: '2026-01-01T00:00:00.000000Z', action: 'a', reportingInstance: 'i' },
      'reportingComponent: Required value',
      'reportingComponent: Invalid value: "": name part must be non-empty',
      'reportingComponent: Invalid value: "": name part must consist of…',
    ],
  ],
};
