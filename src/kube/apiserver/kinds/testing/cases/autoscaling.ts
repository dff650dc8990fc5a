import type { KindCases } from '../kind-cases.ts';

export const horizontalPodAutoscaler: KindCases = {
  kind: 'HorizontalPodAutoscaler',
  apiVersion: 'autoscaling/v2',
  least: { spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }, maxReplicas: 3 } },
  refused: [
    [
      'the group of what is scaled is named',
      { 'spec/scaleTargetRef/apiVersion': 'v1' },
      'spec.scaleTargetRef.apiVersion: Invalid value: "v1": apiVersion must specify API group',
    ],
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
      'spec.metrics: Forbidden: must specify at least one Object or External metric to support scaling to zero replicas',
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
