import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { changesOf, type Contents, keysIn, only } from './restore-preview.ts';

const object = (kind: string, name: string, more: object = {}, namespace?: string) =>
  Buffer.from(
    JSON.stringify({ apiVersion: 'v1', kind, metadata: { name, ...(namespace ? { namespace } : {}) }, ...more }),
  );
const map = (name: string, data: object, namespace = 'shop'): readonly [string, Uint8Array] => [
  `/registry/configmaps/${namespace}/${name}`,
  object('ConfigMap', name, { data }, namespace),
];
const COPY: Contents = new Map([
  map('gone', { a: '1' }),
  map('changed', { a: '1' }),
  map('same', { a: '1' }),
  map('elsewhere', { a: '1' }, 'other'),
  ['/registry/namespaces/shop', object('Namespace', 'shop')],
  ['/registry/work.karmada.io/resourcebindings/shop/x', object('ResourceBinding', 'x', {}, 'shop')],
  ['/registry/secrets/shop/key', object('Secret', 'key', {}, 'shop')],
]);
const NOW: Contents = new Map([
  map('changed', { a: '2' }),
  ['/registry/configmaps/shop/same', object('ConfigMap', 'same', { data: { a: '1' }, status: { seen: 1 } }, 'shop')],
  map('since', { a: '1' }),
  ['/registry/namespaces/shop', object('Namespace', 'shop', { status: { phase: 'Active' } })],
  ['/registry/events/shop/e', object('Event', 'e', {}, 'shop')],
]);
const told = (changes: ReturnType<typeof changesOf>) =>
  changes.map(({ change, kind, namespace, name }) => `${change} ${kind} ${namespace}/${name}`);

describe('What a restore would change', () => {
  it('is what people wrote: there again, as it was, or unknown; not how it does', () => {
    assert.deepEqual(told(changesOf(NOW, COPY, {})), [
      'created ConfigMap other/elsewhere',
      'changed ConfigMap shop/changed',
      'created ConfigMap shop/gone',
      'deleted ConfigMap shop/since',
      'created Secret shop/key',
    ]);
  });

  it('is less where something stays, or does not come', () => {
    const less = { keep: (key: string) => key.includes('changed'), without: (key: string) => key.includes('secrets') };
    assert.deepEqual(told(changesOf(NOW, COPY, less)), [
      'created ConfigMap other/elsewhere',
      'created ConfigMap shop/gone',
      'deleted ConfigMap shop/since',
    ]);
  });

  it('is in some namespaces only what comes back: nothing that came since goes', () => {
    const part = only(keysIn(COPY, ['shop']), { keep: (key) => key.includes('secrets') });
    assert.deepEqual(told(changesOf(NOW, COPY, part)), [
      'changed ConfigMap shop/changed',
      'created ConfigMap shop/gone',
    ]);
    assert.ok(keysIn(COPY, ['shop']).has('/registry/namespaces/shop'));
    assert.ok(!keysIn(COPY, ['shop']).has('/registry/work.karmada.io/resourcebindings/shop/x'));
  });
});
