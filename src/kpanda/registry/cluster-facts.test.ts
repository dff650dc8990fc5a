import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { nodeFacts, podFacts, usageFacts, usageSamples } from './cluster-facts.ts';
import { credentialOf } from './credential.ts';

describe('R35: facts of a cluster', () => {
  it('sums what its nodes have, in the units they use', () => {
    const node = (cpu: string, memory: string) => ({
      apiVersion: 'v1' as const,
      kind: 'Node' as const,
      metadata: { name: 'n' },
      status: {
        capacity: { cpu, memory },
        allocatable: { cpu, memory },
        conditions: [{ type: 'Ready', status: 'True' }],
      },
    });
    assert.deepEqual(nodeFacts([node('500m', '1Gi'), node('2', '512Mi')]), {
      nodeSummary: { total: 2, ready: 2 },
      resourceSummary: {
        capacity: { cpu: '2500m', memory: '1536Mi' },
        allocatable: { cpu: '2500m', memory: '1536Mi' },
      },
    });
  });

  it('knows a cluster without nodes', () =>
    assert.deepEqual(nodeFacts([]), {
      nodeSummary: { total: 0, ready: 0 },
      resourceSummary: { capacity: {}, allocatable: {} },
    }));

  it('counts pods by phase', () => {
    const counts = [
      { cluster: 'a', phase: 'Running', count: 3 },
      { cluster: 'a', phase: 'Pending', count: 1 },
    ];
    assert.deepEqual(podFacts(counts), { podSummary: { total: 4, running: 3 } });
  });

  it('makes samples of what its nodes use, and percent of what they have', () => {
    const metric = (name: string, cpu: string, memory: string) => ({
      apiVersion: 'metrics.k8s.io/v1beta1',
      kind: 'NodeMetrics',
      metadata: { name },
      usage: { cpu, memory },
    });
    const samples = usageSamples('a', 5, [metric('n1', '250m', '1Gi'), metric('n2', '1500000000n', '1048576Ki')]);
    assert.deepEqual(
      samples.map(({ node, cpuMillis, memoryBytes }) => [node, cpuMillis, memoryBytes]),
      [
        ['', 1750, 2 ** 31],
        ['n1', 250, 2 ** 30],
        ['n2', 1500, 2 ** 30],
      ],
    );
    assert.deepEqual(usageFacts(samples[0], { cpu: '7', memory: '8Gi' }), { cpuUsage: 25, memoryUsage: 25 });
    assert.deepEqual(usageFacts(undefined, { cpu: '7' }), {});
  });
});

describe('a credential', () => {
  it('says when it ends where it knows', () => {
    const token = `x.${Buffer.from('{"exp":1893456000}').toString('base64url')}.y`;
    assert.deepEqual(credentialOf({ server: 'https://a', token }), { type: 'token', expiresAt: Date.UTC(2030, 0, 1) });
    assert.deepEqual(credentialOf({ server: 'https://a', token: 'opaque' }), { type: 'token' });
    assert.deepEqual(credentialOf({ server: 'https://a', basicAuth: { username: 'u', password: 'p' } }), {
      type: 'password',
    });
    assert.deepEqual(credentialOf({ server: 'https://a' }), { type: 'none' });
  });
});
