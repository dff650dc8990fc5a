import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { KubeObject } from '#kube/meta/object.ts';
import { convert, notServedText, servedAs } from './convert.ts';
import { FAMILIES } from './families.ts';

const object = (apiVersion: string, kind: string, rest: object = {}): KubeObject => ({
  apiVersion,
  kind,
  metadata: { name: 'a', namespace: 'default' },
  ...rest,
});

const scaler = (spec: object) => ({
  spec: { scaleTargetRef: { kind: 'Deployment', name: 'a' }, maxReplicas: 5, ...spec },
});
const cpu = (averageUtilization: number) => ({
  type: 'Resource',
  resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization } },
});

/** The same thing said in two versions; each is converted into the other. */
const PAIRS: readonly [because: string, KubeObject, KubeObject][] = [
  [
    'a cron job differs in the name of its version alone',
    object('batch/v1', 'CronJob', { spec: { schedule: '* * * * *' } }),
    object('batch/v1beta1', 'CronJob', { spec: { schedule: '* * * * *' } }),
  ],
  [
    'a CPU target of v2 is the one field that v1 has',
    object('autoscaling/v2', 'HorizontalPodAutoscaler', scaler({ metrics: [cpu(70)] })),
    object('autoscaling/v1', 'HorizontalPodAutoscaler', scaler({ targetCPUUtilizationPercentage: 70 })),
  ],
  [
    'an autoscaler of v2beta2 has the shape of v2',
    object('autoscaling/v2', 'HorizontalPodAutoscaler', scaler({ behavior: { scaleUp: {} } })),
    object('autoscaling/v2beta2', 'HorizontalPodAutoscaler', scaler({ behavior: { scaleUp: {} } })),
  ],
  [
    'a budget with a selector means the same',
    object('policy/v1', 'PodDisruptionBudget', { spec: { selector: { matchLabels: { a: 'b' } } } }),
    object('policy/v1beta1', 'PodDisruptionBudget', { spec: { selector: { matchLabels: { a: 'b' } } } }),
  ],
  [
    'an ingress names services and ports side by side',
    object('networking.k8s.io/v1', 'Ingress', {
      spec: {
        defaultBackend: { service: { name: 'd', port: { name: 'http' } } },
        rules: [
          {
            host: 'h',
            http: {
              paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: 's', port: { number: 80 } } } }],
            },
          },
        ],
      },
    }),
    object('extensions/v1beta1', 'Ingress', {
      spec: {
        backend: { serviceName: 'd', servicePort: 'http' },
        rules: [
          {
            host: 'h',
            http: { paths: [{ path: '/', pathType: 'Prefix', backend: { serviceName: 's', servicePort: 80 } }] },
          },
        ],
      },
    }),
  ],
  [
    'an endpoint says where it is in a map',
    object('discovery.k8s.io/v1', 'EndpointSlice', {
      endpoints: [{ addresses: ['10.0.0.1'], nodeName: 'n', zone: 'z' }, { addresses: ['10.0.0.2'] }],
    }),
    object('discovery.k8s.io/v1beta1', 'EndpointSlice', {
      endpoints: [
        {
          addresses: ['10.0.0.1'],
          nodeName: 'n',
          topology: { 'topology.kubernetes.io/zone': 'z', 'kubernetes.io/hostname': 'n' },
        },
        { addresses: ['10.0.0.2'] },
      ],
    }),
  ],
  [
    'the shares of a priority level had another name',
    object('flowcontrol.apiserver.k8s.io/v1', 'PriorityLevelConfiguration', {
      spec: { type: 'Limited', limited: { nominalConcurrencyShares: 5 } },
    }),
    object('flowcontrol.apiserver.k8s.io/v1beta2', 'PriorityLevelConfiguration', {
      spec: { type: 'Limited', limited: { assuredConcurrencyShares: 5 } },
    }),
  ],
];

describe('in another version', () => {
  for (const [because, one, other] of PAIRS) {
    it(because, () => {
      assert.deepEqual(convert(one, other.apiVersion), other);
      assert.deepEqual(convert(other, one.apiVersion), one);
    });
  }

  it('a path of an old ingress without a type gets the one it had', () => {
    const paths = [{ backend: { serviceName: 's', servicePort: 80 } }];
    const old = object('networking.k8s.io/v1beta1', 'Ingress', { spec: { rules: [{ http: { paths } }] } });
    assert.match(JSON.stringify(convert(old, 'networking.k8s.io/v1')), /"pathType":"ImplementationSpecific"/);
  });

  it('what has no place is refused by name', () => {
    const rich = object('autoscaling/v2', 'HorizontalPodAutoscaler', scaler({ metrics: [cpu(1), { type: 'Pods' }] }));
    assert.throws(
      () => convert(rich, 'autoscaling/v1'),
      /HorizontalPodAutoscaler cannot be converted from autoscaling\/v2 to autoscaling\/v1: spec.metrics says more/,
    );
    const budget = object('policy/v1', 'PodDisruptionBudget', { spec: { selector: {} } });
    assert.throws(() => convert(budget, 'policy/v1beta1'), /spec.selector is empty, which chooses no pod/);
    const widget = object('example.com/v1', 'Widget');
    assert.throws(() => convert(widget, 'example.com/v2'), /no conversion between the two is known/);
  });

  it('every kind of the table goes from each version to each and back', () => {
    for (const [kind, versions] of Object.entries(FAMILIES)) {
      for (const from of versions) {
        for (const to of versions) {
          const there = convert(object(from.apiVersion, kind, { spec: { a: 1 } }), to.apiVersion);
          assert.equal(there.apiVersion, to.apiVersion);
          assert.equal(convert(there, from.apiVersion).apiVersion, from.apiVersion);
        }
      }
    }
  });
});

describe('a member', () => {
  const served =
    (...apiVersions: readonly string[]) =>
    (apiVersion: string) =>
      apiVersions.includes(apiVersion);
  const cronJob = { apiVersion: 'batch/v1', kind: 'CronJob' };

  it('is given what it serves, else the newest that can be made of it', () => {
    assert.equal(servedAs(cronJob, served('batch/v1', 'batch/v1beta1')), 'batch/v1');
    assert.equal(servedAs(cronJob, served('batch/v1beta1')), 'batch/v1beta1');
    const scaler = { apiVersion: 'autoscaling/v2', kind: 'HorizontalPodAutoscaler' };
    assert.equal(servedAs(scaler, served('autoscaling/v1', 'autoscaling/v2beta2')), 'autoscaling/v2beta2');
    assert.equal(servedAs({ apiVersion: 'batch/v1', kind: 'Job' }, served('batch/v1beta1')), undefined);
    // Somebody else's kind of the same name.
    assert.equal(servedAs({ apiVersion: 'example.com/v1', kind: 'Ingress' }, served('extensions/v1beta1')), undefined);
  });

  it('that serves no such version is told apart from one that serves no such kind', () => {
    const widget = { apiVersion: 'example.com/v2', kind: 'Widget' };
    const others = [
      { apiVersion: 'example.com/v1', kind: 'Widget' },
      { apiVersion: 'other.com/v2', kind: 'Widget' },
    ];
    assert.equal(
      notServedText(widget, others),
      'example.com/v2 Widget is not served, only example.com/v1, and no conversion is known',
    );
    assert.equal(notServedText(widget, []), 'example.com/v2 Widget is not served, in no version');
  });
});
