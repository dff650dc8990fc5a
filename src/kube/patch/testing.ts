import type { Schema } from '#kube/schema/schema.ts';

/** Schemas the tests of this folder share: the parts of some built-in kinds that have every strategy. */
const string: Schema = { type: 'string' };
const integer: Schema = { type: 'integer', format: 'int32' };
const strings: Schema = { type: 'object', additionalProperties: string };
const atomicStrings: Schema = { type: 'array', items: string, listType: 'atomic' };

const object = (properties: Record<string, Schema>, more: Partial<Schema> = {}): Schema => ({
  type: 'object',
  properties,
  ...more,
});
const keyed = (items: Schema, mergeKey: string, listMapKeys = [mergeKey]): Schema => ({
  type: 'array',
  items,
  listType: 'map',
  listMapKeys,
  patchStrategy: ['merge'],
  patchMergeKey: mergeKey,
});

const time: Schema = { type: 'string', format: 'date-time' };

export const metadata: Schema = object({
  name: string,
  generateName: string,
  namespace: string,
  selfLink: string,
  uid: string,
  resourceVersion: string,
  generation: { type: 'integer', format: 'int64' },
  creationTimestamp: time,
  deletionTimestamp: time,
  deletionGracePeriodSeconds: { type: 'integer', format: 'int64' },
  labels: strings,
  annotations: strings,
  finalizers: { type: 'array', items: string, listType: 'set', patchStrategy: ['merge'] },
  ownerReferences: keyed(
    object({ apiVersion: string, kind: string, name: string, uid: string }, { mapType: 'atomic' }),
    'uid',
  ),
  managedFields: { type: 'array', items: { type: 'object' }, listType: 'atomic' },
});

const top = { apiVersion: string, kind: string, metadata };

export const configMapSchema: Schema = object({
  ...top,
  data: strings,
  binaryData: strings,
  immutable: { type: 'boolean' },
});

const container = object({
  name: string,
  image: string,
  imagePullPolicy: string,
  command: atomicStrings,
  args: atomicStrings,
  env: keyed(
    object({
      name: string,
      value: string,
      valueFrom: object({ fieldRef: object({ fieldPath: string }, { mapType: 'atomic' }) }),
    }),
    'name',
  ),
  ports: keyed(
    object({ name: string, containerPort: integer, protocol: { type: 'string', default: 'TCP' }, hostPort: integer }),
    'containerPort',
    ['containerPort', 'protocol'],
  ),
  resources: object({
    limits: { type: 'object', additionalProperties: { type: 'string', format: 'quantity' } },
    requests: { type: 'object', additionalProperties: { type: 'string', format: 'quantity' } },
  }),
  terminationMessagePath: string,
  terminationMessagePolicy: string,
});

const podSpec = object({
  containers: keyed(container, 'name'),
  volumes: {
    ...keyed(
      object({ name: string, emptyDir: object({ medium: string }), hostPath: object({ path: string }) }),
      'name',
    ),
    patchStrategy: ['merge', 'retainKeys'],
  },
  tolerations: { type: 'array', items: object({ key: string, operator: string }), listType: 'atomic' },
  restartPolicy: string,
  terminationGracePeriodSeconds: { type: 'integer', format: 'int64' },
  dnsPolicy: string,
  nodeSelector: { ...strings, mapType: 'atomic' },
  securityContext: object({ runAsUser: { type: 'integer', format: 'int64' } }),
  schedulerName: string,
});

const condition = object({ type: string, status: string, reason: string, message: string, lastTransitionTime: time });

export const deploymentSchema: Schema = object({
  ...top,
  spec: object({
    replicas: integer,
    selector: object({ matchLabels: strings }, { mapType: 'atomic' }),
    template: object({ metadata, spec: podSpec }),
    strategy: object(
      {
        type: string,
        rollingUpdate: object({ maxUnavailable: { intOrString: true }, maxSurge: { intOrString: true } }),
      },
      { patchStrategy: ['retainKeys'] },
    ),
    revisionHistoryLimit: integer,
    progressDeadlineSeconds: integer,
    paused: { type: 'boolean' },
    minReadySeconds: integer,
  }),
  status: object({
    replicas: integer,
    readyReplicas: integer,
    observedGeneration: { type: 'integer', format: 'int64' },
    conditions: keyed(condition, 'type'),
  }),
});
