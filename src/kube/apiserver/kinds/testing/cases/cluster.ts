import type { KindCases } from '../kind-cases.ts';

export const horizontalPodAutoscaler: KindCases = {
  kind: 'HorizontalPodAutoscaler',
  apiVersion: 'autoscaling/v2',
  least: { spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }, maxReplicas: 3 } },
  refused: [
    ['something is scaled', { 'spec/scaleTargetRef/name': '' }, 'spec.scaleTargetRef.name: Required value'],
    [
      'there is a greatest number',
      { 'spec/maxReplicas': 0 },
      'spec.maxReplicas: Invalid value: 0: must be greater than 0',
      'spec.maxReplicas: Invalid value: 0: must be greater than or equal to `minReplicas`',
    ],
    [
      'the bounds are in order',
      { 'spec/minReplicas': 5 },
      'spec.maxReplicas: Invalid value: 3: must be greater than or equal to `minReplicas`',
    ],
    [
      'one replica stays',
      { 'spec/minReplicas': 0 },
      'spec.minReplicas: Invalid value: 0: must be greater than or equal to 1',
    ],
    [
      'metrics are known',
      { 'spec/metrics': [{ type: 'Mood' }] },
      'spec.metrics[0].type: Unsupported value: "Mood": supported values: "ContainerResource", "External", "Object", "Pods", "Resource"',
    ],
    [
      'a metric is described',
      { 'spec/metrics': [{ type: 'Pods' }] },
      'spec.metrics[0].pods: Required value: must populate information for the given metric source',
    ],
    [
      'a target is one of two',
      { 'spec/metrics': [{ type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization' } } }] },
      'spec.metrics[0].resource.target.averageUtilization: Required value: must set either a target raw value or a target utilization',
    ],
    [
      'windows are below an hour',
      { 'spec/behavior/scaleDown/stabilizationWindowSeconds': 4000 },
      'spec.behavior.scaleDown.stabilizationWindowSeconds: Invalid value: 4000: must be less than or equal to 3600',
    ],
  ],
};

export const ingress: KindCases = {
  kind: 'Ingress',
  apiVersion: 'networking.k8s.io/v1',
  least: { spec: { defaultBackend: { service: { name: 'web', port: { number: 80 } } } } },
  refused: [
    [
      'it serves something',
      { 'spec/defaultBackend': undefined },
      'spec: Invalid value: null: either `defaultBackend` or `rules` must be specified',
    ],
    [
      'a path says how it is read',
      {
        'spec/rules': [{ http: { paths: [{ path: '/', backend: { service: { name: 'a', port: { number: 1 } } } }] } }],
      },
      'spec.rules[0].http.paths[0].pathType: Required value: pathType must be specified',
    ],
    [
      'a prefix is absolute',
      {
        'spec/rules': [
          {
            http: {
              paths: [{ path: 'x', pathType: 'Prefix', backend: { service: { name: 'a', port: { number: 1 } } } }],
            },
          },
        ],
      },
      'spec.rules[0].http.paths[0].path: Invalid value: "x": must be an absolute path',
    ],
    [
      'path types are known',
      {
        'spec/rules': [
          {
            http: {
              paths: [{ path: '/', pathType: 'Regex', backend: { service: { name: 'a', port: { number: 1 } } } }],
            },
          },
        ],
      },
      'spec.rules[0].http.paths[0].pathType: Unsupported value: "Regex": supported values: "Exact", "ImplementationSpecific", "Prefix"',
    ],
    [
      'a host is a name',
      { 'spec/rules': [{ host: '10.0.0.1' }] },
      'spec.rules[0].host: Invalid value: "10.0.0.1": must be a DNS name, not an IP address',
    ],
    ['a rule has paths', { 'spec/rules': [{ http: { paths: [] } }] }, 'spec.rules[0].http.paths: Required value'],
    [
      'a backend has a port',
      { 'spec/defaultBackend/service/port': {} },
      'spec.defaultBackend: Required value: port name or number is required',
    ],
  ],
};

export const ingressClass: KindCases = {
  kind: 'IngressClass',
  apiVersion: 'networking.k8s.io/v1',
  least: { spec: { controller: 'example.com/controller' } },
  refused: [
    [
      'a controller has a domain',
      { 'spec/controller': 'mine' },
      'spec.controller: Invalid value: "mine": must be a domain-prefixed path (such as "acme.io/foo")',
    ],
    [
      'parameters in a namespace say which',
      { 'spec/parameters': { kind: 'K', name: 'n', scope: 'Namespace' } },
      "spec.parameters.namespace: Required value: `parameters.scope` is set to 'Namespace'",
    ],
  ],
  fixed: [
    [
      'the controller stays',
      { 'spec/controller': 'example.com/other' },
      'spec.controller: Invalid value: "example.com/other": field is immutable',
    ],
  ],
};

export const networkPolicy: KindCases = {
  kind: 'NetworkPolicy',
  apiVersion: 'networking.k8s.io/v1',
  least: { spec: { podSelector: {} } },
  refused: [
    [
      'a peer is described',
      { 'spec/ingress': [{ from: [{}] }] },
      'spec.ingress[0].from[0]: Required value: must specify a peer',
    ],
    [
      'a block stands alone',
      { 'spec/egress': [{ to: [{ podSelector: {}, ipBlock: { cidr: '10.0.0.0/8' } }] }] },
      'spec.egress[0].to[0]: Forbidden: may not specify both ipBlock and another peer',
    ],
    [
      'exceptions are inside',
      { 'spec/egress': [{ to: [{ ipBlock: { cidr: '10.0.0.0/8', except: ['11.0.0.0/16'] } }] }] },
      'spec.egress[0].to[0].ipBlock.except[0]: Invalid value: "11.0.0.0/16": must be a strict subset of `cidr`',
    ],
    [
      'a range goes upwards',
      { 'spec/ingress': [{ ports: [{ port: 80, endPort: 79 }] }] },
      'spec.ingress[0].ports[0].endPort: Invalid value: 80: must be greater than or equal to `port`',
    ],
    [
      'a range has numbers',
      { 'spec/ingress': [{ ports: [{ port: 'http', endPort: 90 }] }] },
      'spec.ingress[0].ports[0].endPort: Invalid value: 90: may not be specified when `port` is non-numeric',
    ],
    [
      'directions are known',
      { 'spec/policyTypes': ['Sideways'] },
      'spec.policyTypes[0]: Unsupported value: "Sideways": supported values: "Ingress", "Egress"',
    ],
  ],
};

export const podDisruptionBudget: KindCases = {
  kind: 'PodDisruptionBudget',
  apiVersion: 'policy/v1',
  least: { spec: { minAvailable: 1 } },
  refused: [
    [
      'one bound is enough',
      { 'spec/maxUnavailable': 1 },
      'spec: Invalid value: {"minAvailable":1,"maxUnavailable":1}: minAvailable and maxUnavailable cannot be both set',
    ],
    [
      'a share is at most all',
      { 'spec/minAvailable': '200%' },
      'spec.minAvailable: Invalid value: "200%": must not be greater than 100%',
    ],
  ],
};

export const role: KindCases = {
  kind: 'Role',
  apiVersion: 'rbac.authorization.k8s.io/v1',
  least: { rules: [{ apiGroups: [''], resources: ['pods'], verbs: ['get'] }] },
  refused: [
    [
      'a rule has verbs',
      { 'rules/0/verbs': [] },
      'rules[0].verbs: Required value: verbs must contain at least one value',
    ],
    [
      'a rule has groups',
      { 'rules/0/apiGroups': [] },
      'rules[0].apiGroups: Required value: resource rules must supply at least one api group',
    ],
    [
      'URLs have no namespace',
      { 'rules/0': { nonResourceURLs: ['/x'], verbs: ['get'] } },
      'rules[0].nonResourceURLs: Invalid value: ["/x"]: namespaced rules cannot apply to non-resource URLs',
    ],
  ],
};

export const clusterRole: KindCases = {
  kind: 'ClusterRole',
  apiVersion: 'rbac.authorization.k8s.io/v1',
  least: { rules: [{ nonResourceURLs: ['/healthz'], verbs: ['get'] }] },
  refused: [
    [
      'aggregation selects',
      { aggregationRule: {} },
      'aggregationRule.clusterRoleSelectors: Required value: at least one clusterRoleSelector required if aggregationRule is non-nil',
    ],
    [
      'a rule is of resources or of URLs',
      { 'rules/0/resources': ['pods'] },
      'rules[0].nonResourceURLs: Invalid value: ["/healthz"]: rules cannot apply to both regular resources and non-resource URLs',
    ],
  ],
};

export const roleBinding: KindCases = {
  kind: 'RoleBinding',
  apiVersion: 'rbac.authorization.k8s.io/v1',
  least: { roleRef: { kind: 'Role', name: 'reader' }, subjects: [{ kind: 'User', name: 'jane' }] },
  refused: [
    [
      'a role has a kind',
      { 'roleRef/kind': 'Crown' },
      'roleRef.kind: Unsupported value: "Crown": supported values: "Role", "ClusterRole"',
    ],
    [
      'subjects are known',
      { 'subjects/0/kind': 'Robot', 'subjects/0/apiGroup': 'x' },
      'subjects[0].kind: Unsupported value: "Robot": supported values: "ServiceAccount", "User", "Group"',
    ],
    ['subjects have names', { 'subjects/0/name': '' }, 'subjects[0].name: Required value'],
  ],
  fixed: [
    [
      'the role stays',
      { 'roleRef/name': 'writer' },
      'roleRef: Invalid value: {"apiGroup":"rbac.authorization.k8s.io","kind":"Role","name":"writer"}: cannot change roleRef',
    ],
  ],
};

export const clusterRoleBinding: KindCases = {
  kind: 'ClusterRoleBinding',
  apiVersion: 'rbac.authorization.k8s.io/v1',
  least: { roleRef: { kind: 'ClusterRole', name: 'reader' } },
  refused: [
    [
      'only cluster roles reach everywhere',
      { 'roleRef/kind': 'Role' },
      'roleRef.kind: Unsupported value: "Role": supported values: "ClusterRole"',
    ],
    [
      'an account has a namespace',
      { subjects: [{ kind: 'ServiceAccount', name: 'a' }] },
      'subjects[0].namespace: Required value',
    ],
  ],
};

export const storageClass: KindCases = {
  kind: 'StorageClass',
  apiVersion: 'storage.k8s.io/v1',
  least: { provisioner: 'example.com/disk' },
  refused: [
    ['a provisioner is named', { provisioner: undefined }, 'provisioner: Required value'],
    [
      'policies are known',
      { reclaimPolicy: 'Burn' },
      'reclaimPolicy: Unsupported value: "Burn": supported values: "Delete", "Retain"',
    ],
  ],
  fixed: [
    ['parameters stay', { parameters: { a: 'b' } }, 'parameters: Forbidden: updates to parameters are forbidden.'],
  ],
};

export const csiDriver: KindCases = {
  kind: 'CSIDriver',
  apiVersion: 'storage.k8s.io/v1',
  least: { spec: {} },
  refused: [
    [
      'lives of volumes are known',
      { 'spec/volumeLifecycleModes': ['Eternal'] },
      'spec.volumeLifecycleModes: Unsupported value: "Eternal": supported values: "Persistent", "Ephemeral"',
    ],
  ],
  fixed: [
    [
      'attaching stays as it is',
      { 'spec/attachRequired': false },
      'spec.attachedRequired: Invalid value: false: field is immutable',
    ],
  ],
};

export const volumeAttachment: KindCases = {
  kind: 'VolumeAttachment',
  apiVersion: 'storage.k8s.io/v1',
  least: { spec: { attacher: 'example.com', nodeName: 'n', source: { persistentVolumeName: 'v' } } },
  refused: [
    [
      'there is a volume',
      { 'spec/source': {} },
      'spec.source: Required value: must specify exactly one of inlineVolumeSpec and persistentVolumeName',
    ],
  ],
  fixed: [
    [
      'it stays',
      { 'spec/nodeName': 'm' },
      'spec: Invalid value: {"attacher":"example.com","source":{"persistentVolumeName":"v"},"nodeName":"m"}: field is immutable',
    ],
  ],
};

export const priorityClass: KindCases = {
  kind: 'PriorityClass',
  apiVersion: 'scheduling.k8s.io/v1',
  least: { value: 100 },
  refused: [
    [
      'the highest are reserved',
      { value: 2_000_000_000 },
      'value: Forbidden: maximum allowed value of a user defined priority is 1000000000',
    ],
    [
      "the system's names are reserved",
      { 'metadata/name': 'system-mine' },
      "metadata.name: Forbidden: priority class names with 'system-' prefix are reserved for system use only. error: system-mine is not a known system priority class",
    ],
  ],
  fixed: [['the value stays', { value: 200 }, 'value: Forbidden: may not be changed in an update.']],
};

export const lease: KindCases = {
  kind: 'Lease',
  apiVersion: 'coordination.k8s.io/v1',
  least: { spec: { holderIdentity: 'me' } },
  refused: [
    [
      'it lasts',
      { 'spec/leaseDurationSeconds': 0 },
      'spec.leaseDurationSeconds: Invalid value: 0: must be greater than 0',
    ],
  ],
};

export const endpointSlice: KindCases = {
  kind: 'EndpointSlice',
  apiVersion: 'discovery.k8s.io/v1',
  least: { addressType: 'IPv4', endpoints: [{ addresses: ['10.0.0.1'] }], ports: [{ port: 80 }] },
  refused: [
    [
      'addresses are of the type told',
      { 'endpoints/0/addresses': ['::2'] },
      'endpoints[0].addresses: Invalid value: "::2": must be an IPv4 address',
    ],
    [
      'an endpoint has an address',
      { 'endpoints/0/addresses': [] },
      'endpoints[0].addresses: Required value: must contain at least 1 address',
    ],
    [
      'types are known',
      { addressType: 'Post' },
      'addressType: Unsupported value: "Post": supported values: "FQDN", "IPv4", "IPv6"',
    ],
  ],
  fixed: [
    [
      'the type stays',
      { addressType: 'FQDN', 'endpoints/0/addresses': ['a.b'] },
      'addressType: Invalid value: "FQDN": field is immutable',
    ],
  ],
};

export const runtimeClass: KindCases = {
  kind: 'RuntimeClass',
  apiVersion: 'node.k8s.io/v1',
  least: { handler: 'runc' },
  refused: [['a handler is a label', { handler: 'a.b' }, 'handler: Invalid value: "a.b": must not contain dots']],
  fixed: [['the handler stays', { handler: 'other' }, 'handler: Invalid value: "other": field is immutable']],
};

const request = Buffer.from('-----BEGIN CERTIFICATE REQUEST-----').toString('base64');

export const certificateSigningRequest: KindCases = {
  kind: 'CertificateSigningRequest',
  apiVersion: 'certificates.k8s.io/v1',
  least: { spec: { request, signerName: 'example.com/signer', usages: ['client auth'] } },
  refused: [
    ['usages are required', { 'spec/usages': [] }, 'spec.usages: Required value'],
    [
      'usages are known',
      { 'spec/usages': ['fun'] },
      'spec.usages[0]: Unsupported value: "fun": supported values: "any", "cert sign",…',
    ],
    [
      'it lasts ten minutes',
      { 'spec/expirationSeconds': 60 },
      'spec.expirationSeconds: Invalid value: 60: may not specify a duration less than 600 seconds (10 minutes)',
    ],
    ['a signer is named', { 'spec/signerName': '' }, 'spec.signerName: Required value'],
  ],
};

const version = { name: 'v1', served: true, storage: true, schema: { openAPIV3Schema: { type: 'object' } } };

export const customResourceDefinition: KindCases = {
  kind: 'CustomResourceDefinition',
  apiVersion: 'apiextensions.k8s.io/v1',
  least: {
    metadata: { name: 'gizmos.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'gizmos', kind: 'Gizmo' },
      versions: [version],
    },
  },
  refused: [
    [
      'its name says what it defines',
      { 'metadata/name': 'wrong' },
      'metadata.name: Invalid value: "wrong": must be spec.names.plural+"."+spec.group',
    ],
    [
      'a group is a domain',
      { 'spec/group': 'example', 'metadata/name': 'gizmos.example' },
      'spec.group: Invalid value: "example": should be a domain with at least one dot',
    ],
    [
      'scopes are known',
      { 'spec/scope': 'World' },
      'spec.scope: Unsupported value: "World": supported values: "Cluster", "Namespaced"',
    ],
    [
      'one version is stored',
      { 'spec/versions/0/storage': false },
      'spec.versions: Invalid value: [{"name":"v1","served":true,"storage":false,"schema":{"openAPIV3Schema":{"type":"object"}}}]: must have exactly one version marked as storage version',
    ],
    [
      'a version has a schema',
      { 'spec/versions/0/schema': undefined },
      'spec.versions[0].schema.openAPIV3Schema: Required value',
    ],
    [
      'a schema is structural',
      { 'spec/versions/0/schema/openAPIV3Schema': { properties: { a: {} } } },
      'spec.validation.openAPIV3Schema.properties[a].type: Required value: must not be empty for specified object fields',
      'spec.validation.openAPIV3Schema.type: Required value: must not be empty at the root',
    ],
    [
      'columns have types',
      { 'spec/versions/0/additionalPrinterColumns': [{ name: 'A', jsonPath: '.a', type: 'text' }] },
      'spec.versions[0].additionalPrinterColumns[0].type: Invalid value: "text": must be one of boolean,date,integer,number,string',
    ],
  ],
  existing: { 'status/conditions': [{ type: 'Established', status: 'True' }] },
  fixed: [
    [
      'the scope stays once served',
      { 'spec/scope': 'Cluster' },
      'spec.scope: Invalid value: "Cluster": field is immutable',
    ],
    [
      'the kind stays once served',
      { 'spec/names/kind': 'Widget' },
      'spec.names.kind: Invalid value: "Widget": field is immutable',
    ],
  ],
};

const webhook = {
  name: 'a.example.com',
  clientConfig: { url: 'https://example.com/hook' },
  sideEffects: 'None',
  admissionReviewVersions: ['v1'],
  rules: [{ apiGroups: ['*'], apiVersions: ['*'], operations: ['CREATE'], resources: ['*'] }],
};

export const mutatingWebhookConfiguration: KindCases = {
  kind: 'MutatingWebhookConfiguration',
  apiVersion: 'admissionregistration.k8s.io/v1',
  least: { webhooks: [webhook] },
  refused: [
    [
      'a webhook has a domain',
      { 'webhooks/0/name': 'a.b' },
      'webhooks[0].name: Invalid value: "a.b": should be a domain with at least three segments separated by dots',
    ],
    [
      'it has no side effects',
      { 'webhooks/0/sideEffects': 'Some' },
      'webhooks[0].sideEffects: Unsupported value: "Some": supported values: "None", "NoneOnDryRun"',
    ],
    [
      'it is reached in one way',
      { 'webhooks/0/clientConfig/service': { name: 'a', namespace: 'b' } },
      'webhooks[0].clientConfig: Required value: exactly one of url or service is required',
    ],
    [
      'it is reached safely',
      { 'webhooks/0/clientConfig/url': 'http://example.com' },
      'webhooks[0].clientConfig.url: Invalid value: "http": \'https\' is the only allowed URL scheme; desired format: https://host[/path]',
    ],
    [
      'it answers in time',
      { 'webhooks/0/timeoutSeconds': 60 },
      'webhooks[0].timeoutSeconds: Invalid value: 60: the timeout value must be between 1 and 30 seconds',
    ],
    [
      'a version of reviews is known',
      { 'webhooks/0/admissionReviewVersions': ['v9'] },
      'webhooks[0].admissionReviewVersions: Invalid value: ["v9"]: must include at least one of v1, v1beta1',
    ],
    ['operations are told', { 'webhooks/0/rules/0/operations': [] }, 'webhooks[0].rules[0].operations: Required value'],
    [
      'reinvocation policies are known',
      { 'webhooks/0/reinvocationPolicy': 'Often' },
      'webhooks[0].reinvocationPolicy: Unsupported value: "Often": supported values: "IfNeeded", "Never"',
    ],
  ],
};

export const validatingWebhookConfiguration: KindCases = {
  kind: 'ValidatingWebhookConfiguration',
  apiVersion: 'admissionregistration.k8s.io/v1',
  least: { webhooks: [webhook] },
  refused: [
    ['names differ', { 'webhooks/1': webhook }, 'webhooks[1].name: Duplicate value: "a.example.com"'],
    [
      'everything includes the rest',
      { 'webhooks/0/rules/0/resources': ['*', 'pods'] },
      'webhooks[0].rules[0].resources: Invalid value: ["*","pods"]: if \'*\' is present, must not specify other resources without subresources',
    ],
  ],
};

export const validatingAdmissionPolicy: KindCases = {
  kind: 'ValidatingAdmissionPolicy',
  apiVersion: 'admissionregistration.k8s.io/v1',
  least: {
    spec: {
      matchConstraints: {
        resourceRules: [{ apiGroups: [''], apiVersions: ['v1'], operations: ['CREATE'], resources: ['pods'] }],
      },
      validations: [{ expression: 'true' }],
    },
  },
  refused: [
    ['it says of what', { 'spec/matchConstraints': undefined }, 'spec.matchConstraints: Required value'],
    [
      'it says something',
      { 'spec/validations': [] },
      'spec.validations: Required value: validations or auditAnnotations must be non-empty',
    ],
  ],
};

export const validatingAdmissionPolicyBinding: KindCases = {
  kind: 'ValidatingAdmissionPolicyBinding',
  apiVersion: 'admissionregistration.k8s.io/v1',
  least: { spec: { policyName: 'p', validationActions: ['Deny'] } },
  refused: [
    ['a policy is named', { 'spec/policyName': '' }, 'spec.policyName: Required value'],
    [
      'something follows',
      { 'spec/validationActions': [] },
      'spec.validationActions: Required value: at least one validation action is required',
    ],
  ],
};

export const apiService: KindCases = {
  kind: 'APIService',
  apiVersion: 'apiregistration.k8s.io/v1',
  least: {
    metadata: { name: 'v1.example.com' },
    spec: { group: 'example.com', version: 'v1', groupPriorityMinimum: 100, versionPriority: 10 },
  },
  refused: [
    [
      'its name says what it serves',
      { 'metadata/name': 'x' },
      'metadata.name: Invalid value: "x": must be `spec.version+"."+spec.group`: "v1.example.com"',
    ],
    [
      'it has a priority',
      { 'spec/versionPriority': 0 },
      'spec.versionPriority: Invalid value: 0: must be positive and less than 1000',
    ],
    [
      'what is served here needs no trust',
      { 'spec/insecureSkipTLSVerify': true },
      'spec.insecureSkipTLSVerify: Invalid value: true: local APIServices may not have insecureSkipTLSVerify',
    ],
  ],
};

export const flowSchema: KindCases = {
  kind: 'FlowSchema',
  apiVersion: 'flowcontrol.apiserver.k8s.io/v1',
  least: { spec: { priorityLevelConfiguration: { name: 'global-default' } } },
  refused: [
    [
      'its turn is below 10000',
      { 'spec/matchingPrecedence': 20_000 },
      'spec.matchingPrecedence: Invalid value: 20000: must not be greater than 10000',
    ],
    [
      'a level is named',
      { 'spec/priorityLevelConfiguration/name': '' },
      'spec.priorityLevelConfiguration.name: Required value',
    ],
  ],
};

export const priorityLevelConfiguration: KindCases = {
  kind: 'PriorityLevelConfiguration',
  apiVersion: 'flowcontrol.apiserver.k8s.io/v1',
  least: { spec: { type: 'Limited', limited: { limitResponse: { type: 'Reject' } } } },
  refused: [
    [
      'a limit is told',
      { 'spec/limited': undefined },
      'spec.limited: Required value: must not be empty when type is Limited',
    ],
    [
      'a queue is described',
      { 'spec/limited/limitResponse/type': 'Queue' },
      'spec.limited.limitResponse.queuing: Required value: must not be empty if limited.limitResponse.type is Limited',
    ],
  ],
};

export const resourceClaim: KindCases = {
  kind: 'ResourceClaim',
  apiVersion: 'resource.k8s.io/v1',
  least: { spec: { devices: { requests: [{ name: 'gpu', exactly: { deviceClassName: 'gpu.example.com' } }] } } },
  refused: [
    [
      'a class is named',
      { 'spec/devices/requests/0/exactly/deviceClassName': '' },
      'spec.devices.requests[0].exactly.deviceClassName: Required value',
    ],
  ],
  fixed: [
    ['what was asked for stays', { 'spec/devices/requests/0/exactly/count': 2 }, 'spec: Invalid value: {"devices":…'],
  ],
};

export const ipAddress: KindCases = {
  kind: 'IPAddress',
  apiVersion: 'networking.k8s.io/v1',
  least: {
    metadata: { name: '10.0.0.1' },
    spec: { parentRef: { resource: 'services', name: 'web', namespace: 'default' } },
  },
  refused: [['someone uses it', { 'spec/parentRef': undefined }, 'spec.parentRef: Required value']],
};

export const serviceCidr: KindCases = {
  kind: 'ServiceCIDR',
  apiVersion: 'networking.k8s.io/v1',
  least: { spec: { cidrs: ['10.0.0.0/16'] } },
  refused: [
    ['a range is told', { 'spec/cidrs': [] }, 'spec.cidrs: Required value: at least one CIDR required'],
    [
      'ranges are ranges',
      { 'spec/cidrs': ['10.0.0.1'] },
      'spec.cidrs[0]: Invalid value: "10.0.0.1": must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)',
    ],
  ],
  fixed: [
    [
      'ranges stay',
      { 'spec/cidrs': ['10.1.0.0/16'] },
      'spec.cidrs: Invalid value: ["10.1.0.0/16"]: field is immutable',
    ],
  ],
};
