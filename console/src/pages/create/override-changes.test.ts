import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  containerChanges,
  containersPath,
  limitPassed,
  marksGiven,
  valueGiven,
  withContainerChanges,
  withGiven,
  withMarks,
} from './override-changes.ts';

const at = [...containersPath('Deployment'), 0];
const workload = {
  spec: {
    replicas: 2,
    template: {
      spec: {
        containers: [
          {
            name: 'main',
            image: 'web:1',
            env: [
              { name: 'MODE', value: 'fast' },
              { name: 'KEY', valueFrom: { secretKeyRef: { name: 's', key: 'k' } } },
            ],
            resources: { requests: { cpu: '250m', memory: '512Mi' } },
          },
        ],
      },
    },
  },
};
const nothing = { image: '', env: {}, amounts: {} };

describe('what differs in some clusters', () => {
  it('is read as it was written, of each container', () => {
    const changes = {
      image: 'web:2',
      env: { MODE: 'safe', NEW: 'yes' },
      amounts: { 'requests.cpu': '1', 'limits.cpu': '2' },
    };
    const rule = withContainerChanges({ targetCluster: { clusterNames: ['a'] } }, workload, at, changes);
    assert.deepEqual(containerChanges(rule, workload, at), changes);
    assert.deepEqual(valueGiven(rule, [...at, 'env']), [
      { name: 'KEY', valueFrom: { secretKeyRef: { name: 's', key: 'k' } } },
      { name: 'MODE', value: 'safe' },
      { name: 'NEW', value: 'yes' },
    ]);
    assert.deepEqual(valueGiven(rule, [...at, 'resources']), {
      requests: { cpu: '1', memory: '512Mi' },
      limits: { cpu: '2' },
    });
  });

  it('is nothing when all of it is taken back, and leaves alone what a form does not know', () => {
    const written = { overriders: { argsOverrider: [{ containerName: 'main', operator: 'add', value: ['-v'] }] } };
    const changed = withContainerChanges(written, workload, at, { ...nothing, image: 'web:2' });
    assert.deepEqual(withContainerChanges(changed, workload, at, nothing), written);
  });

  it('is given to single values, labels and annotations too', () => {
    const rule = withMarks(withGiven(undefined, ['spec', 'replicas'], 5), 'labels', { tier: 'edge' });
    assert.equal(valueGiven(rule, ['spec', 'replicas']), 5);
    assert.deepEqual(marksGiven(rule, 'labels'), { tier: 'edge' });
    assert.deepEqual(withMarks(withGiven(rule, ['spec', 'replicas'], undefined), 'labels', {}), { overriders: {} });
  });

  it('asks for no more than it may have', () => {
    const amounts = { 'requests.cpu': '500m', 'limits.cpu': '0.25', 'requests.memory': '1Gi' };
    assert.equal(limitPassed(amounts, 'requests.cpu'), '0.25');
    assert.equal(limitPassed(amounts, 'requests.memory'), '');
    assert.equal(limitPassed(amounts, 'limits.cpu'), '');
  });
});
