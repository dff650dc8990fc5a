import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { draftOf } from '#base/json.ts';
import { changed, created, definitionOf, updated } from '../testing/lifecycle.ts';

const namespaces = definitionOf('Namespace');

describe('namespaces', () => {
  it('are active, named by a label and held by a finalizer from the start', () => {
    const namespace = created(namespaces, { metadata: { name: 'n' }, status: { phase: 'Terminating' } });
    assert.deepEqual(namespace['spec'], { finalizers: ['kubernetes'] });
    assert.deepEqual(namespace['status'], { phase: 'Active' });
    assert.deepEqual(namespace.metadata.labels, { 'kubernetes.io/metadata.name': 'n' });
  });

  it('keep their finalizer whatever a client writes', () => {
    const old = created(namespaces, {});
    assert.deepEqual(updated(namespaces, old, changed(old, { 'spec/finalizers': [] }))['spec'], {
      finalizers: ['kubernetes'],
    });
  });

  it('stay until nothing holds them', () => {
    const draft = draftOf(created(namespaces, {}));
    assert.equal(namespaces.strategy.terminate?.(draft), 'stays');
    assert.deepEqual(draft['status'], { phase: 'Terminating' });
    assert.equal(namespaces.strategy.terminate?.(changed(draft, { 'spec/finalizers': [] })), 'goes');
  });

  it('say they end exactly when they are deleted', () => {
    const namespace = created(namespaces, {});
    const told = (phase: string, deletionTimestamp?: string) =>
      namespaces.strategy
        .validateStatusUpdate?.(
          changed(namespace, { 'status/phase': phase, 'metadata/deletionTimestamp': deletionTimestamp }),
          namespace,
        )
        .map(({ message }) => message);
    assert.deepEqual(told('Active'), []);
    assert.deepEqual(told('Terminating', '2026-01-01T00:00:00Z'), []);
    assert.deepEqual(told('Terminating'), [
      'Invalid value: "Terminating": may only be \'Active\' if `deletionTimestamp` is empty',
    ]);
  });
});
