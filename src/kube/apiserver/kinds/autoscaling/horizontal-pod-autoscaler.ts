/** HorizontalPodAutoscalers, served as `autoscaling/v1` and `autoscaling/v2` of one storage in the form of v2. */
import type {
  AutoscalingV1HorizontalPodAutoscaler,
  AutoscalingV2HorizontalPodAutoscaler,
  HPAScalingRules,
} from '#gen/kube/types.ts';
import type { Column, ResourceDefinition } from '#kube/apiserver/resource.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { ageColumn, column, nameColumn } from '../columns.ts';
import { type Given, kind, type Making } from '../kind.ts';
import { convertAutoscaler, METRICS_ANNOTATION } from './autoscaler-conversion.ts';
import { autoscalerRules, autoscalerStatus } from './autoscaler-rules.ts';
import { metricsText } from './metrics-text.ts';

type V1 = AutoscalingV1HorizontalPodAutoscaler;
type V2 = AutoscalingV2HorizontalPodAutoscaler;

/** In the words of v2; {@link v2Of} reads either version. */
function columns(v2Of: (object: Given<V2>) => Given<V2>): readonly Column[] {
  return [
    nameColumn,
    column<V2>('Reference', 'What is scaled.', (one) => {
      const { kind = '', name = '' } = v2Of(one).spec?.scaleTargetRef ?? {};
      return `${kind}/${name}`;
    }),
    column<V2>('Targets', 'Each metric, as it is and as it should be.', (one) => {
      const { spec, status } = v2Of(one);
      return metricsText(spec?.metrics ?? [], status?.currentMetrics ?? []);
    }),
    column<V2>('MinPods', 'The fewest replicas.', (one) => String(one.spec?.minReplicas ?? '<unset>')),
    column<V2>('MaxPods', 'The most replicas.', (one) => one.spec?.maxReplicas ?? 0),
    column<V2>('Replicas', 'The replicas there are.', (one) => one.status?.currentReplicas ?? 0),
    ageColumn,
  ];
}

const names = { shortNames: ['hpa'], categories: ['all'] } as const;

export const autoscalers: ResourceDefinition = kind<V2>(
  { group: 'autoscaling', version: 'v2', kind: 'HorizontalPodAutoscaler' },
  {
    ...names,
    defaults: defaultV2,
    validate: (one) => autoscalerRules(one, {}),
    validateUpdate: (one, old) => autoscalerRules(one, { old }),
    validateStatus: autoscalerStatus,
    columns: columns((one) => one),
  },
);

export const autoscalersV1: ResourceDefinition = kind<V1>(
  { group: 'autoscaling', version: 'v1', kind: 'HorizontalPodAutoscaler' },
  {
    ...names,
    defaults: defaultV1,
    validate: (one) => autoscalerRules(asV2(one), {}),
    validateUpdate: (one, old) => autoscalerRules(asV2(one), { old: asV2(old) }),
    validateStatus: (one) => autoscalerStatus(asV2(one)),
    columns: columns((one) => asV2(one as unknown as Given<V1>)),
    storedAs: { group: 'autoscaling', version: 'v2', resource: 'horizontalpodautoscalers' },
    convert: convertAutoscaler,
  },
);

function asV2(one: Given<V1>): Given<V2> {
  return convertAutoscaler(one as unknown as KubeObject, 'autoscaling/v2') as unknown as Given<V2>;
}

const CPU_PERCENT = 80;

/** Without any metric, v2 would watch the CPU; v1 has its other metrics in an annotation. */
function defaultV1({ metadata, spec }: Making<V1>): void {
  if (!spec) return;
  spec.minReplicas ??= 1;
  if (!metadata?.annotations?.[METRICS_ANNOTATION]) spec.targetCPUUtilizationPercentage ??= CPU_PERCENT;
}

/** Also for kinds whose spec is an autoscaler's. */
export function defaultV2(autoscaler: Making<V2>): void {
  const spec = (autoscaler.spec ??= {});
  spec.minReplicas ??= 1;
  if ((spec.metrics ?? []).length === 0) {
    const target = { type: 'Utilization', averageUtilization: CPU_PERCENT };
    spec.metrics = [{ type: 'Resource', resource: { name: 'cpu', target } }];
  }
  if (!spec.behavior) return;
  spec.behavior.scaleUp = { ...SCALE_UP, ...present(spec.behavior.scaleUp) };
  spec.behavior.scaleDown = { ...SCALE_DOWN, ...present(spec.behavior.scaleDown) };
}

const SCALE_UP: Making<HPAScalingRules> = {
  stabilizationWindowSeconds: 0,
  selectPolicy: 'Max',
  policies: [
    { type: 'Pods', value: 4, periodSeconds: 15 },
    { type: 'Percent', value: 100, periodSeconds: 15 },
  ],
};
/** No window: the controller has one of its own for scaling down. */
const SCALE_DOWN: Making<HPAScalingRules> = {
  selectPolicy: 'Max',
  policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }],
};

function present<T extends object>(given: T | undefined): Partial<T> {
  return Object.fromEntries(Object.entries(given ?? {}).filter(([, value]) => value !== undefined)) as Partial<T>;
}
