import type { KindCases, Refusal } from '../kind-cases.ts';

const template = { metadata: { labels: { app: 'x' } }, spec: { containers: [{ name: 'main', image: 'nginx' }] } };
const selector = { matchLabels: { app: 'x' } };

const replicas: Refusal = [
  'replicas are not negative',
  { 'spec/replicas': -1 },
  'spec.replicas: Invalid value: -1: must be greater than or equal to 0',
];
const unmatched: Refusal = [
  'the selector finds the pods of the template',
  { 'spec/template/metadata/labels': { app: 'y' } },
  'spec.template.metadata.labels: Invalid value: {"app":"y"}: `selector` does not match template `labels`',
];
const restarting: Refusal = [
  'its pods are always restarted',
  { 'spec/template/spec/restartPolicy': 'Never' },
  'spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"',
];
const brokenTemplate: Refusal = [
  'its template is a pod',
  { 'spec/template/spec/containers/0/image': '' },
  'spec.template.spec.containers[0].image: Required value',
];
const selectorFixed: Refusal = [
  'the selector stays',
  { 'spec/selector/matchLabels': { app: 'z' }, 'spec/template/metadata/labels': { app: 'z' } },
  'spec.selector: Invalid value: {"matchLabels":{"app":"z"}}: field is immutable',
];

function emptySelector(of: string): Refusal {
  return [
    'a selector says something',
    { 'spec/selector': {} },
    `spec.selector: Invalid value: {}: empty selector is invalid for ${of}`,
  ];
}

export const deployment: KindCases = {
  kind: 'Deployment',
  apiVersion: 'apps/v1',
  least: { spec: { selector, template } },
  refused: [
    replicas,
    unmatched,
    restarting,
    brokenTemplate,
    emptySelector('deployment'),
    [
      'a selector is required',
      { 'spec/selector': undefined },
      'spec.selector: Required value',
      'spec.template.metadata.labels: Invalid value: {"app":"x"}: `selector` does not match template `labels`',
    ],
    [
      'strategies are known',
      { 'spec/strategy': { type: 'Slow' } },
      'spec.strategy: Unsupported value: {"type":"Slow"}: supported values: "Recreate", "RollingUpdate"',
    ],
    [
      'recreating does not roll',
      { 'spec/strategy': { type: 'Recreate', rollingUpdate: {} } },
      "spec.strategy.rollingUpdate: Forbidden: may not be specified when strategy `type` is 'Recreate'",
    ],
    [
      'a rollout moves',
      { 'spec/strategy/rollingUpdate': { maxSurge: 0, maxUnavailable: '0%' } },
      'spec.strategy.rollingUpdate.maxUnavailable: Invalid value: "0%": may not be 0 when `maxSurge` is 0',
    ],
    [
      'not more than all may be missing',
      { 'spec/strategy/rollingUpdate': { maxUnavailable: '101%' } },
      'spec.strategy.rollingUpdate.maxUnavailable: Invalid value: "101%": must not be greater than 100%',
    ],
    [
      'a share is a percentage',
      { 'spec/strategy/rollingUpdate': { maxSurge: 'half' } },
      'spec.strategy.rollingUpdate.maxSurge: Invalid value: "half": a valid percent string must be…',
    ],
    [
      'a rollout has more time than a pod needs',
      { 'spec/minReadySeconds': 700 },
      'spec.progressDeadlineSeconds: Invalid value: 600: must be greater than minReadySeconds',
    ],
    [
      'its pods have no deadline',
      { 'spec/template/spec/activeDeadlineSeconds': 5 },
      'spec.template.spec.activeDeadlineSeconds: Forbidden: activeDeadlineSeconds in ReplicaSet is not Supported',
    ],
  ],
  fixed: [selectorFixed],
};

export const replicaSet: KindCases = {
  kind: 'ReplicaSet',
  apiVersion: 'apps/v1',
  least: { spec: { selector, template } },
  refused: [
    replicas,
    unmatched,
    restarting,
    brokenTemplate,
    emptySelector('deployment'),
    [
      'a selector can be read',
      { 'spec/selector': { matchExpressions: [{ key: 'app', operator: 'Is' }] } },
      'spec.selector.matchExpressions[0].operator: Invalid value: "Is": not a valid selector operator',
      'spec.selector: Invalid value: {"matchExpressions":[{"key":"app","operator":"Is"}]}: invalid label selector',
    ],
  ],
  fixed: [selectorFixed],
};

export const daemonSet: KindCases = {
  kind: 'DaemonSet',
  apiVersion: 'apps/v1',
  least: { spec: { selector, template } },
  refused: [
    unmatched,
    restarting,
    brokenTemplate,
    emptySelector('daemonset'),
    [
      'either pods go first or pods come first',
      { 'spec/updateStrategy/rollingUpdate': { maxUnavailable: 1, maxSurge: 1 } },
      'spec.updateStrategy.rollingUpdate.maxSurge: Invalid value: 1: may not be set when maxUnavailable is non-zero',
    ],
    [
      'an update moves',
      { 'spec/updateStrategy/rollingUpdate': { maxUnavailable: 0 } },
      'spec.updateStrategy.rollingUpdate.maxUnavailable: Required value: cannot be 0 when maxSurge is 0',
    ],
    [
      'strategies are known',
      { 'spec/updateStrategy': { type: 'Slow' } },
      'spec.updateStrategy: Unsupported value: {"type":"Slow"}: supported values: "RollingUpdate", "OnDelete"',
    ],
  ],
  fixed: [selectorFixed],
};

export const statefulSet: KindCases = {
  kind: 'StatefulSet',
  apiVersion: 'apps/v1',
  least: { spec: { serviceName: 'x', selector, template } },
  refused: [
    replicas,
    unmatched,
    restarting,
    brokenTemplate,
    emptySelector('statefulset'),
    [
      'its name is part of host names',
      { 'metadata/name': 'a.b' },
      'metadata.name: Invalid value: "a.b": must not contain dots',
    ],
    [
      'orders are known',
      { 'spec/podManagementPolicy': 'Any' },
      "spec.podManagementPolicy: Invalid value: \"Any\": must be 'OrderedReady' or 'Parallel'",
    ],
    [
      'on delete does not roll',
      { 'spec/updateStrategy': { type: 'OnDelete', rollingUpdate: { partition: 1 } } },
      'spec.updateStrategy.rollingUpdate: Invalid value: {"partition":1}: only allowed for updateStrategy \'RollingUpdate\'',
    ],
    [
      'retention policies are known',
      { 'spec/persistentVolumeClaimRetentionPolicy': { whenScaled: 'Keep' } },
      'spec.persistentVolumeClaimRetentionPolicy.whenScaled: Unsupported value: "Keep": supported values: "Retain", "Delete"',
    ],
    [
      'claims ask for something',
      { 'spec/volumeClaimTemplates': [{ metadata: { name: 'data' }, spec: { accessModes: ['ReadWriteOnce'] } }] },
      'spec.volumeClaimTemplates[0].spec.resources[storage]: Required value',
    ],
  ],
  fixed: [
    [
      'little of it changes',
      { 'spec/serviceName': 'y' },
      "spec: Forbidden: updates to statefulset spec for fields other than 'replicas', 'ordinals', 'template', 'updateStrategy', 'revisionHistoryLimit', 'persistentVolumeClaimRetentionPolicy' and 'minReadySeconds' are forbidden",
    ],
  ],
};

export const replicationController: KindCases = {
  kind: 'ReplicationController',
  apiVersion: 'v1',
  least: { spec: { template } },
  refused: [
    replicas,
    restarting,
    [
      'the selector finds the pods of the template',
      { 'spec/selector': { app: 'y' } },
      'spec.template.metadata.labels: Invalid value: {"app":"x"}: `selector` does not match template `labels`',
    ],
  ],
};

export const controllerRevision: KindCases = {
  kind: 'ControllerRevision',
  apiVersion: 'apps/v1',
  least: { revision: 1, data: { spec: {} } },
  refused: [['data are required', { data: undefined }, 'data: Required value: data is mandatory']],
  fixed: [['data stay', { data: { spec: { a: 1 } } }, 'data: Invalid value: {"spec":{"a":1}}: field is immutable']],
};
