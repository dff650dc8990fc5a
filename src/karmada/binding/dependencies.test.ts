import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { BindingSnapshot, BindingSpec, ResourceBinding } from '#karmada/apis/index.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import {
  attach,
  attachedBinding,
  dependenciesOf,
  dependenciesText,
  detach,
  isDependency,
  strategyConflicts,
} from './dependencies.ts';

const settings: KubeObject = {
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name: 'settings', namespace: 'shop', uid: 'c1', labels: { app: 'web' } },
};

function binding(name: string, spec: Partial<BindingSpec> = {}): ResourceBinding {
  return {
    apiVersion: 'work.karmada.io/v1alpha2',
    kind: 'ResourceBinding',
    metadata: { name, namespace: 'shop', labels: { 'resourcebinding.karmada.io/permanent-id': `id-${name}` } },
    spec: { resource: { apiVersion: 'apps/v1', kind: 'Deployment', name }, clusters: [{ name: 'm1' }], ...spec },
  };
}

const [web, api] = [binding('web'), binding('api', { conflictResolution: 'Overwrite', clusters: [{ name: 'm2' }] })];
const referrers = ({ name }: BindingSnapshot) => [web, api].find(({ metadata }) => metadata.name === name);

describe('dependencies', () => {
  it('are noted as Karmada notes them, and read back', () => {
    const list = [{ name: 'settings', kind: 'ConfigMap', namespace: 'shop', apiVersion: 'v1' }];
    const text = '[{"apiVersion":"v1","kind":"ConfigMap","namespace":"shop","name":"settings"}]';
    assert.equal(dependenciesText(list), text);
    const noted = (value: string) => ({
      ...web,
      metadata: { ...web.metadata, annotations: { 'resourcebinding.karmada.io/dependencies': value } },
    });
    assert.deepEqual(dependenciesOf(noted(text)), list);
    assert.deepEqual(dependenciesOf(web), []);
    assert.equal(dependenciesText([]), 'null');
    assert.deepEqual(dependenciesOf(noted('null')), []);
  });
  it('are meant by name or by labels, in their namespace', () => {
    const of = { apiVersion: 'v1', kind: 'ConfigMap', namespace: 'shop' };
    assert.equal(isDependency(settings, { ...of, name: 'settings' }), true);
    assert.equal(isDependency(settings, { ...of, name: 'other' }), false);
    assert.equal(isDependency(settings, { ...of, labelSelector: { matchLabels: { app: 'web' } } }), true);
    assert.equal(isDependency(settings, { ...of, namespace: 'other', name: 'settings' }), false);
  });
  it('have a binding that names who requires them, and where', () => {
    const { metadata, spec } = attachedBinding(web, settings);
    assert.equal(metadata.name, 'settings-configmap');
    assert.deepEqual(Object.values(metadata.labels ?? {}), ['id-web']);
    assert.match(Object.keys(metadata.labels ?? {})[0] ?? '', /^resourcebinding\.karmada\.io\/depended-by-/);
    assert.deepEqual(spec.requiredBy, [{ namespace: 'shop', name: 'web', clusters: [{ name: 'm1' }] }]);
    assert.equal(spec.preserveResourcesOnDeletion, false);
  });
  it('may be required by several, and do what the bolder one does', () => {
    const first: ResourceBinding = attachedBinding(web, settings);
    const both: ResourceBinding = attach(first, attachedBinding(api, settings), referrers);
    assert.deepEqual(
      both.spec.requiredBy?.map(({ name }) => name),
      ['web', 'api'],
    );
    assert.equal(both.spec.conflictResolution, 'Overwrite');
    assert.equal(both.spec.preserveResourcesOnDeletion, false);
    const one: ResourceBinding = detach(both, api, referrers);
    assert.deepEqual(
      one.spec.requiredBy?.map(({ name }) => name),
      ['web'],
    );
    assert.equal(one.spec.conflictResolution, 'Abort');
    const none = detach(one, web, referrers);
    assert.deepEqual(
      [none.spec.requiredBy, none.spec.conflictResolution, Object.keys(none.metadata.labels ?? {})],
      [undefined, undefined, []],
    );
  });
  it('follow a binding that moved', () => {
    const first: ResourceBinding = attachedBinding(web, settings);
    const moved = binding('web', { clusters: [{ name: 'm2' }] });
    assert.deepEqual(attach(first, attachedBinding(moved, settings), referrers).spec.requiredBy, [
      { namespace: 'shop', name: 'web', clusters: [{ name: 'm2' }] },
    ]);
  });
  it('with a policy of their own do what that says', () => {
    const own: ResourceBinding = {
      ...attachedBinding(web, settings),
      spec: { ...attachedBinding(web, settings).spec, placement: {}, conflictResolution: 'Abort' },
    };
    assert.equal(attach(own, attachedBinding(api, settings), referrers).spec.conflictResolution, 'Abort');
  });
  it('are not taken over from an object of the same name that is gone', () => {
    const renewed = { ...settings, metadata: { ...settings.metadata, uid: 'c2' } };
    assert.throws(
      () => attach(attachedBinding(web, settings), attachedBinding(web, renewed), referrers),
      /different owner reference UID/,
    );
  });
  it('are warned of where those that require them disagree', () => {
    assert.deepEqual(strategyConflicts([web, api]), ['ConflictResolution conflicted (Overwrite vs Abort)']);
    assert.deepEqual(strategyConflicts([web]), []);
  });
});
