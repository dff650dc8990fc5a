/** Schemas of scaling across clusters, by metrics and by the clock. */
import { CRON_FEDERATED_HPA, FEDERATED_HPA } from '../resources.ts';
import { AGE, column } from '#kube/crds/definition.ts';
import { definition } from './definition.ts';
import {
  atomicList,
  boolean,
  type CrdSchema,
  having,
  int32,
  int64,
  list,
  mapList,
  object,
  type Properties,
  string,
  time,
} from '#kube/crds/schema.ts';
import { labelSelector, quantity } from './shared.ts';

const scaleTarget = (description: string) =>
  object({ apiVersion: string(), kind: string(), name: string() }, ['kind', 'name'], description);

const targetColumns = [
  column('REFERENCE-KIND', '.spec.scaleTargetRef.kind'),
  column('REFERENCE-NAME', '.spec.scaleTargetRef.name'),
];

const scalingRules = (description: string) =>
  object(
    {
      policies: atomicList(
        object({ periodSeconds: int32(), type: string('Pods or Percent.'), value: int32() }, [
          'periodSeconds',
          'type',
          'value',
        ]),
      ),
      selectPolicy: string('Max, Min or Disabled.'),
      stabilizationWindowSeconds: int32(),
      tolerance: quantity,
    },
    [],
    description,
  );

const metric = object({ name: string(), selector: labelSelector() }, ['name']);
const described = object({ apiVersion: string(), kind: string(), name: string() }, ['kind', 'name']);
const values: Properties = { averageUtilization: int32(), averageValue: quantity, value: quantity };

/** The five sources of a metric, each with what is wanted (`target`) or what was measured (`current`). */
function metrics(field: 'target' | 'current', value: CrdSchema): CrdSchema {
  const source = (of: Properties, required: readonly string[]) =>
    object({ ...of, [field]: value }, [...required, field].sort());
  return object(
    {
      type: string('Resource, ContainerResource, Pods, Object or External.'),
      resource: source({ name: string() }, ['name']),
      containerResource: source({ container: string(), name: string() }, ['container', 'name']),
      pods: source({ metric }, ['metric']),
      object: source({ describedObject: described, metric }, ['describedObject', 'metric']),
      external: source({ metric }, ['metric']),
    },
    ['type'],
  );
}

export const federatedHpaCrd = definition({
  names: FEDERATED_HPA,
  scope: 'Namespaced',
  shortName: 'fhpa',
  description: 'Scales a workload by metrics from all clusters it runs on.',
  properties: {
    spec: object(
      {
        scaleTargetRef: scaleTarget('What to scale.'),
        minReplicas: int32('1 when absent.'),
        maxReplicas: int32(),
        metrics: list(metrics('target', object({ ...values, type: string() }, ['type'])), 'What to scale by.'),
        behavior: object({ scaleDown: scalingRules('How fast down.'), scaleUp: scalingRules('How fast up.') }),
      },
      ['maxReplicas', 'scaleTargetRef'],
    ),
    status: object(
      {
        conditions: mapList(
          ['type'],
          object(
            { lastTransitionTime: time(), message: string(), reason: string(), status: string(), type: string() },
            ['status', 'type'],
          ),
        ),
        currentMetrics: atomicList(metrics('current', object(values))),
        currentReplicas: int32(),
        desiredReplicas: int32(),
        lastScaleTime: time(),
        observedGeneration: int64(),
      },
      ['desiredReplicas'],
    ),
  },
  columns: [
    ...targetColumns,
    column('MINPODS', '.spec.minReplicas', 'integer'),
    column('MAXPODS', '.spec.maxReplicas', 'integer'),
    column('REPLICAS', '.status.currentReplicas', 'integer'),
    AGE,
  ],
  hasStatus: true,
});

const historyLimit = (minimum: number) => having(int32(), { default: 3, minimum, maximum: 32 });

const rule = object(
  {
    name: having(string(), { minLength: 1, maxLength: 32 }),
    schedule: string('A cron expression.'),
    targetReplicas: int32('How many replicas from then on.'),
    targetMinReplicas: int32('The least replicas of a FederatedHPA from then on.'),
    targetMaxReplicas: int32('The most replicas of a FederatedHPA from then on.'),
    suspend: having(boolean(), { default: false }),
    timeZone: string('UTC when absent.'),
    successfulHistoryLimit: historyLimit(1),
    failedHistoryLimit: historyLimit(0),
  },
  ['name', 'schedule'],
);

const execution = (more: Properties, required: readonly string[]) =>
  object(
    { scheduleTime: time(), executionTime: time(), ...more },
    ['executionTime', 'scheduleTime', ...required].sort(),
  );

export const cronFederatedHpaCrd = definition({
  names: CRON_FEDERATED_HPA,
  scope: 'Namespaced',
  shortName: 'cronfhpa',
  description: 'Scales a workload, or the limits of a FederatedHPA, by the clock.',
  properties: {
    spec: object({ scaleTargetRef: scaleTarget('What to scale.'), rules: list(rule, 'When, and to what.') }, [
      'rules',
      'scaleTargetRef',
    ]),
    status: object({
      executionHistories: list(
        object(
          {
            ruleName: string(),
            nextExecutionTime: time(),
            successfulExecutions: list(
              execution({ appliedReplicas: int32(), appliedMinReplicas: int32(), appliedMaxReplicas: int32() }, []),
            ),
            failedExecutions: list(execution({ message: string() }, ['message'])),
          },
          ['ruleName'],
        ),
      ),
    }),
  },
  columns: [...targetColumns, AGE],
  hasStatus: true,
});
