import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { instanceGroup, namespaceGroup } from './instance-groups.ts';
import { instanceRbac, RBAC_LABEL } from './instance-rbac.ts';

describe('The roles in an instance', () => {
  it('are bound to groups of the platform, and to nobody else', () => {
    const subjects = instanceRbac(['shop']).flatMap(({ subjects: of }) =>
      Array.isArray(of) ? (of as { kind: string; name: string }[]) : [],
    );
    assert.ok(subjects.every(({ kind, name }) => kind === 'Group' && name.startsWith('kairship:')));
    const names = new Set(subjects.map(({ name }) => name));
    for (const group of [instanceGroup('admin'), instanceGroup('viewer'), namespaceGroup('editor', 'shop')])
      assert.ok(names.has(group));
  });

  it('of a namespace are in that namespace alone, once', () => {
    const bindings = instanceRbac(['shop', 'shop', 'bank']).filter(({ kind }) => kind === 'RoleBinding');
    assert.deepEqual([...new Set(bindings.map(({ metadata }) => metadata.namespace))], ['bank', 'shop']);
    assert.equal(bindings.length, 8);
    for (const { metadata, subjects } of bindings) {
      assert.match(JSON.stringify(subjects), new RegExp(`:${metadata.namespace}"`));
    }
  });

  it('carry the label by which one policy brings them to every member', () => {
    assert.ok(instanceRbac(['shop']).every(({ metadata }) => metadata.labels?.[RBAC_LABEL] === 'true'));
  });
});
