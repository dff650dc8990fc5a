import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { instanceGroup, namespaceGroup } from './instance-groups.ts';
import { instanceRbac, ownGroups, RBAC_LABEL } from './instance-rbac.ts';

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

  it('open kinds that people defined to those who may change workloads, and leave what is ours alone', () => {
    const definition = (group: string) => ({
      apiVersion: 'apiextensions.k8s.io/v1',
      kind: 'CustomResourceDefinition',
      metadata: { name: group },
      spec: { group },
    });
    const own = ownGroups(
      ['shop.example', 'config.karmada.io', 'kairship.io', 'snapshot.storage.k8s.io', 'shop.example', 'notk8s.io'].map(
        definition,
      ),
    );
    assert.deepEqual(own, ['notk8s.io', 'shop.example']);
    const rulesOf = (name: string) =>
      JSON.stringify(instanceRbac([], own).find(({ metadata }) => metadata.name === name)?.['rules']);
    assert.match(rulesOf('kairship:editor'), /\["notk8s.io","shop.example"\],"resources":\["\*"\],"verbs":\["create"/);
    assert.match(rulesOf('kairship:viewer'), /\["notk8s.io","shop.example"\],"resources":\["\*"\],"verbs":\["get"/);
  });
});
