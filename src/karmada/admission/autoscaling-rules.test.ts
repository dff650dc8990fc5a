import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { draftOf } from '#base/json.ts';
import type { CronFederatedHpa, CronRule, FederatedHpa, Taint } from '#karmada/apis/index.ts';
import { cronFederatedHpaErrors, defaultFederatedHpa, federatedHpaErrors } from './autoscaling-rules.ts';
import { taintPolicyErrors } from './cluster-taint-policy-rules.ts';

const lines = (errors: readonly { readonly field: string; readonly message: string }[]) =>
  errors.map(({ field, message }) => `${field}: ${message}`);

describe('a FederatedHPA', () => {
  const hpa = (spec: Partial<FederatedHpa['spec']> = {}): FederatedHpa => ({
    apiVersion: 'autoscaling.karmada.io/v1alpha1',
    kind: 'FederatedHPA',
    metadata: { name: 'web' },
    spec: { scaleTargetRef: { kind: 'Deployment', name: 'web' }, maxReplicas: 5, ...spec },
  });

  it('gets the defaults of an autoscaler', () => {
    const draft = draftOf(hpa({ behavior: { scaleDown: { selectPolicy: 'Min' } } }));
    defaultFederatedHpa(draft);
    assert.equal(draft.spec.minReplicas, 1);
    assert.equal(draft.spec.metrics?.[0]?.resource?.target.averageUtilization, 80);
    assert.deepEqual(draft.spec.behavior?.scaleDown, {
      selectPolicy: 'Min',
      policies: [{ type: 'Percent', value: 100, periodSeconds: 15 }],
    });
    assert.equal(draft.spec.behavior?.scaleUp?.stabilizationWindowSeconds, 0);
    assert.deepEqual(federatedHpaErrors(draft), []);
  });
  it('is held to the rules of one', () =>
    assert.deepEqual(lines(federatedHpaErrors(hpa({ minReplicas: 6 }))), [
      'spec.maxReplicas: Invalid value: 5: must be greater than or equal to `minReplicas`',
    ]));
});

describe('a CronFederatedHPA', () => {
  const FHPA = { apiVersion: 'autoscaling.karmada.io/v1alpha1', kind: 'FederatedHPA', name: 'web' };
  const cron = (scaleTargetRef: FederatedHpa['spec']['scaleTargetRef'], ...rules: Partial<CronRule>[]) =>
    cronFederatedHpaErrors({
      apiVersion: 'autoscaling.karmada.io/v1alpha1',
      kind: 'CronFederatedHPA',
      metadata: { name: 'web' },
      spec: { scaleTargetRef, rules: rules.map((rule) => ({ name: 'a', schedule: '0 8 * * *', ...rule })) },
    } satisfies CronFederatedHpa);
  const web = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' };
  const cases: [because: string, errors: ReturnType<typeof cron>, expected: string[]][] = [
    ['may scale to zero', cron(web, { targetReplicas: 0, timeZone: 'Asia/Tokyo' }), []],
    ['may set one bound of an autoscaler', cron(FHPA, { targetMaxReplicas: 3 }), []],
    [
      'names each rule once',
      cron(web, { targetReplicas: 1 }, { targetReplicas: 2 }),
      ['spec.rules[1].name: Duplicate value: "a"'],
    ],
    [
      'says how many',
      cron(web, {}),
      ['spec.rules[0].targetReplicas: Invalid value: "": targetReplicas cannot be nil if you want to scale Deployment'],
    ],
    [
      'keeps the bounds in order',
      cron(FHPA, { targetMinReplicas: 4, targetMaxReplicas: 3 }),
      [
        'spec.rules[0].targetMinReplicas: Invalid value: "": targetMaxReplicas should be larger than or equal to targetMinReplicas',
      ],
    ],
    [
      'scales no other kind of the group',
      cron({ ...FHPA, kind: 'CronFederatedHPA' }, {}),
      [
        'spec.scaleTargetRef.kind: Invalid value: "CronFederatedHPA": invalid scaleTargetRef kind: CronFederatedHPA, only support FederatedHPA',
      ],
    ],
  ];
  for (const [because, errors, expected] of cases) it(because, () => assert.deepEqual(lines(errors), expected));
});

describe('a ClusterTaintPolicy', () => {
  const lost: Taint = { key: 'lost', effect: 'NoExecute' };
  it('evicts only when that is allowed', () => {
    assert.match(lines(taintPolicyErrors({ taints: [lost] }, false))[0] ?? '', /^spec\.taints\[0\]: Forbidden: /);
    assert.deepEqual(taintPolicyErrors({ taints: [lost] }, true), []);
  });
  it('names a taint once, by key and effect', () =>
    assert.deepEqual(lines(taintPolicyErrors({ taints: [lost, { ...lost, value: 'x' }] }, true)), [
      'spec.taints[0]: Duplicate value: "Duplicate taint with the same key(lost) and effect(NoExecute) is not allowed"',
    ]));
});
