import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { created, definitionOf } from '../testing/lifecycle.ts';
import { pullPolicyOf } from './container-defaults.ts';

const pods = definitionOf('Pod');
const container = { name: 'main', image: 'nginx:1' };

function pod(spec: object) {
  return created(pods, { spec: { containers: [container], ...spec } }) as unknown as {
    spec: Record<string, unknown> & { containers: Record<string, unknown>[] };
    status: { qosClass: string };
  };
}

describe('defaults of pods', () => {
  it('pulls a moving tag each time and a fixed one once', () => {
    const images = [
      'nginx',
      'nginx:latest',
      'nginx:1',
      'host:5000/nginx',
      'host:5000/nginx:1',
      'nginx@sha256:ab',
      'nginx:1@sha256:ab',
    ];
    assert.deepEqual(images.map(pullPolicyOf), [
      'Always',
      'Always',
      'IfNotPresent',
      'Always',
      'IfNotPresent',
      'IfNotPresent',
      'IfNotPresent',
    ]);
  });

  it('fills in probes, ports and references', () => {
    const { spec } = pod({
      containers: [
        {
          ...container,
          ports: [{ containerPort: 80 }],
          env: [{ name: 'A', valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }],
          livenessProbe: { httpGet: { port: 80 } },
          lifecycle: { preStop: { httpGet: { port: 80 } } },
          startupProbe: { grpc: { port: 1 } },
        },
      ],
    });
    const [main] = spec.containers;
    assert.deepEqual(main?.['ports'], [{ containerPort: 80, protocol: 'TCP' }]);
    assert.deepEqual(main?.['env'], [
      { name: 'A', valueFrom: { fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.name' } } },
    ]);
    const numbers = { timeoutSeconds: 1, periodSeconds: 10, successThreshold: 1, failureThreshold: 3 };
    assert.deepEqual(main?.['livenessProbe'], { httpGet: { path: '/', port: 80, scheme: 'HTTP' }, ...numbers });
    assert.deepEqual(main?.['startupProbe'], { grpc: { port: 1, service: '' }, ...numbers });
    assert.deepEqual(main?.['lifecycle'], { preStop: { httpGet: { path: '/', port: 80, scheme: 'HTTP' } } });
  });

  it('fills in the sources of volumes', () => {
    const cases: [given: object, stored: object][] = [
      [{}, { emptyDir: {} }],
      [{ secret: { secretName: 's' } }, { secret: { secretName: 's', defaultMode: 420 } }],
      [{ configMap: { name: 'c' } }, { configMap: { name: 'c', defaultMode: 420 } }],
      [{ hostPath: { path: '/x' } }, { hostPath: { path: '/x', type: '' } }],
      [
        { downwardAPI: { items: [{ path: 'p', fieldRef: { fieldPath: 'metadata.labels' } }] } },
        {
          downwardAPI: {
            items: [{ path: 'p', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.labels' } }],
            defaultMode: 420,
          },
        },
      ],
      [
        { projected: { sources: [{ serviceAccountToken: { path: 't' } }] } },
        { projected: { sources: [{ serviceAccountToken: { expirationSeconds: 3600, path: 't' } }], defaultMode: 420 } },
      ],
      [
        { iscsi: { targetPortal: 'a', iqn: 'iqn.2026-01.b:c', lun: 0 } },
        { iscsi: { targetPortal: 'a', iqn: 'iqn.2026-01.b:c', lun: 0, iscsiInterface: 'default' } },
      ],
      [
        { rbd: { monitors: ['a'], image: 'i' } },
        { rbd: { monitors: ['a'], image: 'i', pool: 'rbd', user: 'admin', keyring: '/etc/ceph/keyring' } },
      ],
      [
        { azureDisk: { diskName: 'a', diskURI: 'b' } },
        {
          azureDisk: {
            diskName: 'a',
            diskURI: 'b',
            cachingMode: 'ReadWrite',
            fsType: 'ext4',
            readOnly: false,
            kind: 'Shared',
          },
        },
      ],
      [{ image: { reference: 'a:1' } }, { image: { reference: 'a:1', pullPolicy: 'IfNotPresent' } }],
    ];
    for (const [given, stored] of cases) {
      assert.deepEqual(pod({ volumes: [{ name: 'v', ...given }] }).spec['volumes'], [{ name: 'v', ...stored }]);
    }
  });

  it('shows a service account under both of its names', () => {
    for (const field of ['serviceAccount', 'serviceAccountName']) {
      const { spec } = pod({ [field]: 'robot' });
      assert.deepEqual([spec['serviceAccount'], spec['serviceAccountName']], ['robot', 'robot']);
    }
  });

  it('requests what is limited, in canonical amounts, rounded up to thousandths', () => {
    const resources = { limits: { cpu: '0.5', memory: '1024Ki' }, requests: { cpu: '0.0001' } };
    const { spec } = pod({ containers: [{ ...container, resources }] });
    assert.deepEqual(spec.containers[0]?.['resources'], {
      limits: { cpu: '500m', memory: '1Mi' },
      requests: { cpu: '1m', memory: '1Mi' },
    });
  });

  it('gives host ports on the network of the host', () => {
    const { spec } = pod({ hostNetwork: true, containers: [{ ...container, ports: [{ containerPort: 80 }] }] });
    assert.deepEqual(spec.containers[0]?.['ports'], [{ hostPort: 80, containerPort: 80, protocol: 'TCP' }]);
  });

  it('leaves tolerations that already cover a lost node', () => {
    assert.deepEqual(pod({ tolerations: [{ operator: 'Exists' }] }).spec['tolerations'], [{ operator: 'Exists' }]);
  });
});

describe('quality of service', () => {
  const cases: [resources: object, qosClass: string][] = [
    [{}, 'BestEffort'],
    [{ requests: { cpu: '1' } }, 'Burstable'],
    [{ limits: { cpu: '1' } }, 'Burstable'],
    [{ limits: { cpu: '1', memory: '1Gi' } }, 'Guaranteed'],
    [{ limits: { cpu: '1', memory: '1Gi' }, requests: { cpu: '500m' } }, 'Burstable'],
    [{ requests: { cpu: '0' } }, 'BestEffort'],
    [{ requests: { 'ephemeral-storage': '1Gi' } }, 'BestEffort'],
  ];
  for (const [resources, qosClass] of cases) {
    it(`${JSON.stringify(resources)} is ${qosClass}`, () => {
      assert.equal(pod({ containers: [{ ...container, resources }] }).status.qosClass, qosClass);
    });
  }
});

describe('the grace period of a pod', () => {
  const running = {
    ...created(pods, { spec: { containers: [container], nodeName: 'n' } }),
    status: { phase: 'Running' },
  };
  const cases: [because: string, object: object, asked: number | undefined, seconds: number][] = [
    ['is its own', running, undefined, 30],
    ['is what is asked for', running, 5, 5],
    ['is at least a second when negative', running, -1, 1],
    ['is none before it is scheduled', { ...running, spec: {} }, 5, 0],
    ['is none after it has ended', { ...running, status: { phase: 'Failed' } }, undefined, 0],
  ];
  for (const [because, object, asked, seconds] of cases) {
    it(because, () => {
      assert.equal(pods.strategy.gracePeriod?.({ ...running, ...object }, asked), seconds);
    });
  }
});

describe('warnings about pods', () => {
  const cases: [spec: object, warning: string][] = [
    [
      {
        containers: [
          {
            ...container,
            env: [
              { name: 'A', value: '1' },
              { name: 'A', value: '2' },
            ],
          },
        ],
      },
      'spec.containers[0].env[1]: hides previous definition of "A", which may be dropped when using apply',
    ],
    [
      { containers: [{ ...container, ports: [{ containerPort: 1 }, { containerPort: 1 }] }] },
      'spec.containers[0].ports[1]: duplicate port definition with spec.containers[0].ports[0]',
    ],
    [
      { containers: [{ ...container, resources: { requests: { memory: '100m' } } }] },
      'spec.containers[0].resources.requests[memory]: fractional byte value "100m" is invalid, must be an integer',
    ],
    [
      { terminationGracePeriodSeconds: -1 },
      'spec.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1',
    ],
  ];
  for (const [spec, warning] of cases) {
    it(warning, () => {
      const object = created(pods, { spec: { containers: [container], ...spec } });
      assert.deepEqual(pods.strategy.warnings?.(object, undefined), [warning]);
    });
  }

  it('are not given for what builds on what was there', () => {
    const env = [
      { name: 'A', value: '1' },
      { name: 'A', value: '$(A)2' },
    ];
    const object = created(pods, { spec: { containers: [{ ...container, env }] } });
    assert.deepEqual(pods.strategy.warnings?.(object, undefined), []);
  });
});
