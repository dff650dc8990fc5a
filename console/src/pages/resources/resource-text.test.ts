import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parse } from 'yaml';
import { CONFIG_MAP, DEFINITION, NAMESPACE, RESOURCES } from '../../api/kinds.ts';
import { decoded, newResourceText } from './resource-text.ts';

interface Begun {
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly namespace?: string };
}

describe('a new resource', () => {
  it('is of its kind, and in a namespace only where its kind is', () => {
    for (const kind of RESOURCES) {
      const { kind: word, metadata } = parse(newResourceText(kind, 'shop')) as Begun;
      assert.equal(word, kind.kind);
      assert.equal(metadata.namespace, kind.namespaced ? 'shop' : undefined);
    }
    assert.match(newResourceText(CONFIG_MAP, 'shop'), /name: new-configmap/);
    assert.match(newResourceText(NAMESPACE, ''), /name: new-namespace/);
  });

  it('that defines a kind is named after it', () => {
    const { metadata, spec } = parse(newResourceText(DEFINITION, '')) as Begun & {
      readonly spec: { readonly group: string; readonly names: { readonly plural: string } };
    };
    assert.equal(metadata.name, `${spec.names.plural}.${spec.group}`);
  });
});

describe('values of secrets', () => {
  it('are read as text, in any script', () => {
    assert.equal(decoded('aHVudGVyMg=='), 'hunter2');
    assert.equal(decoded('5a+G56CB'), '密码');
  });

  it('stay as they are where they are no text', () => {
    assert.equal(decoded('/w=='), '/w==');
  });
});
