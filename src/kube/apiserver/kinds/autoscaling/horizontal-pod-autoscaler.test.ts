import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { created, definitionOf, manifest } from '../testing/lifecycle.ts';
import { convertAutoscaler } from './autoscaler-conversion.ts';
import { metricsText } from './metrics-text.ts';

const v1 = definitionOf('HorizontalPodAutoscaler', 'autoscaling/v1');
const v2 = definitionOf('HorizontalPodAutoscaler', 'autoscaling/v2');
const target = { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }, maxReplicas: 3 };
const cpu = (percent: number) => ({
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: percent } },
});

describe('autoscalers in two versions', () => {
  it('watch the CPU when nothing is said', () => {
    assert.deepEqual((created(v2, { spec: target })['spec'] as { metrics: unknown }).metrics, [cpu(80)]);
    assert.equal(
      (created(v1, { spec: target })['spec'] as Record<string, unknown>)['targetCPUUtilizationPercentage'],
      80,
    );
  });

  it('say the same of the CPU', () => {
    const stored = convertAutoscaler(
      manifest(v1, { spec: { ...target, targetCPUUtilizationPercentage: 50 } }),
      'autoscaling/v2',
    );
    assert.deepEqual(stored['spec'], { ...target, metrics: [cpu(50)] });
  });

  it('lose nothing on the way through v1 and back', () => {
    const given = manifest(v2, {
      metadata: { annotations: { mine: 'kept' } },
      spec: {
        ...target,
        minReplicas: 1,
        metrics: [
          cpu(50),
          { type: 'Pods', pods: { metric: { name: 'm' }, target: { type: 'AverageValue', averageValue: '5' } } },
        ],
        behavior: { scaleUp: { selectPolicy: 'Max' } },
      },
      status: {
        currentReplicas: 2,
        desiredReplicas: 2,
        currentMetrics: [{ type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: 40 } } }],
        conditions: [{ type: 'AbleToScale', status: 'True' }],
      },
    });
    const old = convertAutoscaler(given, 'autoscaling/v1');
    assert.equal((old['spec'] as Record<string, unknown>)['targetCPUUtilizationPercentage'], 50);
    assert.equal((old['status'] as Record<string, unknown>)['currentCPUUtilizationPercentage'], 40);
    assert.deepEqual(convertAutoscaler(old, 'autoscaling/v2'), given);
  });

  it('do not stumble over an annotation anyone wrote', () => {
    const odd = manifest(v1, {
      metadata: { annotations: { 'autoscaling.alpha.kubernetes.io/metrics': '{' } },
      spec: target,
    });
    assert.deepEqual(convertAutoscaler(odd, 'autoscaling/v2')['spec'], target);
  });

  it('show the same columns', () => {
    const given = created(v2, { spec: target });
    const cells = (definition: typeof v2, object: typeof given) => definition.columns.map((one) => one.cell(object, 0));
    assert.deepEqual(cells(v2, given), ['example', 'Deployment/web', 'cpu: <unknown>/80%', '1', 3, 0, '<unknown>']);
    assert.deepEqual(cells(v1, convertAutoscaler(given, 'autoscaling/v1') as typeof given), cells(v2, given));
  });

  it('fill in how they scale as soon as something is said of it', () => {
    const { behavior } = created(v2, {
      spec: { ...target, behavior: { scaleDown: { stabilizationWindowSeconds: 60 } } },
    })['spec'] as {
      behavior: Record<string, Record<string, unknown>>;
    };
    assert.equal(behavior['scaleUp']?.['stabilizationWindowSeconds'], 0);
    assert.equal(behavior['scaleDown']?.['stabilizationWindowSeconds'], 60);
    assert.deepEqual(behavior['scaleDown']?.['policies'], [{ type: 'Percent', value: 100, periodSeconds: 15 }]);
  });
});

describe('metricsText', () => {
  const metric = { name: 'm' };
  const cases: [
    because: string,
    metrics: Parameters<typeof metricsText>[0],
    current: Parameters<typeof metricsText>[1],
    text: string,
  ][] = [
    ['no metric', [], [], '<none>'],
    [
      'a share',
      [cpu(80)],
      [{ type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: 12 } } }],
      'cpu: 12%/80%',
    ],
    [
      'an amount',
      [{ type: 'Resource', resource: { name: 'memory', target: { averageValue: '1Gi' } } }],
      [],
      'memory: <unknown>/1Gi',
    ],
    [
      'pods',
      [{ type: 'Pods', pods: { metric, target: { averageValue: '5' } } }],
      [{ type: 'Pods', pods: { current: { averageValue: '2' } } }],
      '2/5',
    ],
    [
      'an object',
      [{ type: 'Object', object: { metric, target: { value: '5' } } }],
      [{ type: 'Object', object: { current: { value: '1' } } }],
      '1/5',
    ],
    [
      'an average outside',
      [{ type: 'External', external: { metric, target: { averageValue: '5' } } }],
      [],
      '<unknown>/5 (avg)',
    ],
    [
      'a container',
      [{ type: 'ContainerResource', containerResource: { name: 'cpu', container: 'a', target: {} } }],
      [],
      'cpu: <unknown>/<auto>',
    ],
    ['many', [cpu(1), cpu(2), cpu(3)], [], 'cpu: <unknown>/1%, cpu: <unknown>/2% + 1 more...'],
    ['another', [{ type: 'Mood' }], [], '<unknown type>'],
  ];
  for (const [because, metrics, current, text] of cases) {
    it(`writes ${because} as ${text}`, () => assert.equal(metricsText(metrics, current), text));
  }
});
