import type { KindCases } from '../kind-cases.ts';

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
