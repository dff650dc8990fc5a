import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ResourceInterpreterCustomization } from '#karmada/apis/index.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { fieldDrift, valueAt } from './field-drift.ts';
import { keptBy, ruleKeeping } from './kept-fields.ts';
import { overrideFor } from './override-for.ts';
import { writtenBy } from './written-by.ts';

const container = (name: string, image: string, more: object = {}) => ({ name, image, ...more });
const deployment = (replicas: number, containers: readonly object[], more: object = {}): KubeObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { namespace: 'shop', name: 'web', labels: { app: 'web' }, ...more },
  spec: { replicas, template: { spec: { containers } } },
});
const SENT = deployment(2, [container('a', 'a:1'), container('b', 'b:1')]);
const paths = (sent: KubeObject, live: KubeObject) => fieldDrift(sent, live).map(({ path }) => path);

describe('Drift', () => {
  it('is none where everything that was sent is there, whatever else is', () => {
    const live = deployment(2, [container('a', 'a:1', { imagePullPolicy: 'Always' }), container('b', 'b:1')], {
      labels: { app: 'web', theirs: 'yes' },
      uid: '1',
    });
    assert.deepEqual(paths(SENT, { ...live, status: { replicas: 1 } }), []);
  });

  it('is told with the value that was sent and the one that is there', () => {
    const live = deployment(5, [container('a', 'a:1'), container('b', 'b:2')]);
    assert.deepEqual(fieldDrift(SENT, live), [
      { path: '/spec/replicas', livePath: '/spec/replicas', sent: 2, live: 5 },
      {
        path: '/spec/template/spec/containers/1/image',
        livePath: '/spec/template/spec/containers/1/image',
        sent: 'b:1',
        live: 'b:2',
      },
    ]);
  });

  it('finds elements of lists by their names, wherever they stand', () => {
    const live = deployment(2, [container('new', 'n:1'), container('b', 'b:2'), container('a', 'a:1')]);
    assert.deepEqual(
      fieldDrift(SENT, live).map(({ path, livePath }) => [path, livePath]),
      [
        ['/spec/template/spec/containers/1/image', '/spec/template/spec/containers/1/image'],
        ['/spec/template/spec/containers/-', '/spec/template/spec/containers/0'],
      ],
    );
  });

  it('counts what was added to a config map, and a label that was taken off', () => {
    const settings = (data: object, labels: object): KubeObject =>
      ({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'a', labels }, data }) as unknown as KubeObject;
    assert.deepEqual(paths(settings({ a: '1' }, { x: 'y' }), settings({ a: '1', 'b/c': '2' }, {})), [
      '/metadata/labels/x',
      '/data/b~1c',
    ]);
  });

  it('is not what kubectl wrote down for itself, which the index does not have either', () => {
    const applied = { annotations: { 'kubectl.kubernetes.io/last-applied-configuration': '{}', team: 'blue' } };
    const sent = deployment(2, [container('a', 'a:1')], applied);
    const indexed = deployment(2, [container('a', 'a:1')], { annotations: { team: 'blue' } });
    assert.deepEqual(paths(sent, indexed), []);
    assert.deepEqual(paths(sent, deployment(2, [container('a', 'a:1')])), ['/metadata/annotations/team']);
  });

  it('takes two ways to write a quantity for one, and two ways to write a text for two', () => {
    const limited = (cpu: string, value: string) =>
      deployment(1, [container('a', 'a:1', { resources: { limits: { cpu } }, env: [{ name: 'X', value }] })]);
    assert.deepEqual(paths(limited('1', '1000'), limited('1000m', '1000')), []);
    assert.deepEqual(paths(limited('1', '1000'), limited('1', '1k')), ['/spec/template/spec/containers/0/env/0/value']);
  });
});

describe('The writer of a field', () => {
  const entry = (manager: string, time: string, fieldsV1: object) =>
    ({ manager, operation: 'Update', apiVersion: 'apps/v1', time, fieldsV1 }) as const;
  const live: KubeObject = deployment(5, [container('a', 'a:2')], {
    managedFields: [
      entry('engine', '2024-01-01T00:00:00Z', {
        'f:spec': {
          'f:replicas': {},
          'f:template': { 'f:spec': { 'f:containers': { 'k:{"name":"a"}': { '.': {} } } } },
        },
      }),
      entry('kubectl-edit', '2024-01-02T00:00:00Z', {
        'f:spec': { 'f:template': { 'f:spec': { 'f:containers': { 'k:{"name":"a"}': { 'f:image': {} } } } } },
      }),
      entry('late', '2024-01-03T00:00:00Z', { 'f:spec': { 'f:replicas': {} } }),
    ],
  });

  it('is the one who owns it, the last of several', () => {
    assert.deepEqual(writtenBy(live, '/spec/template/spec/containers/0/image'), {
      manager: 'kubectl-edit',
      time: '2024-01-02T00:00:00Z',
    });
    assert.equal(writtenBy(live, '/spec/replicas')?.manager, 'late');
    assert.equal(writtenBy(live, '/spec/paused'), undefined);
  });
});

describe('What is kept', () => {
  const kept = { namespace: 'shop', name: 'web', path: '/spec/template/spec/containers/0/image' };
  const target = { apiVersion: 'apps/v1', kind: 'StatefulSet' };

  it('is listed on a rule of ours, which grows', () => {
    const once = ruleKeeping(target, [kept], []);
    assert.match(once.spec.customizations.retention?.luaScript ?? '', /"containers", 1, "image"/);
    const twice = ruleKeeping(target, [{ ...kept, path: '/spec/replicas' }], [once]);
    const object = { ...SENT, kind: 'StatefulSet' };
    for (const path of [kept.path, '/spec/replicas'])
      assert.equal(keptBy(object, path, [twice]), 'ResourceInterpreterCustomization kairship-kept-statefulset.apps');
    assert.equal(keptBy(object, '/spec/other', [twice]), undefined);
    assert.equal(keptBy({ ...object, metadata: { name: 'other' } }, kept.path, [twice]), undefined);
  });

  it('is not for a rule where others have theirs', () => {
    const theirs = {
      apiVersion: 'config.karmada.io/v1alpha1',
      kind: 'ResourceInterpreterCustomization',
      metadata: { name: 'theirs' },
      spec: { target, customizations: { retention: { luaScript: '' } } },
    } satisfies ResourceInterpreterCustomization;
    assert.throws(() => ruleKeeping(target, [kept], [theirs]), { reason: 'Conflict' });
    assert.throws(() => ruleKeeping({ apiVersion: 'v1', kind: 'Service' }, [kept], []), { reason: 'BadRequest' });
  });
});

describe('An override for a cluster', () => {
  const [field] = fieldDrift(SENT, deployment(5, [container('a', 'a:1'), container('b', 'b:1')]));

  it('says what lives there, and keeps what it said of other clusters', () => {
    assert.ok(field);
    const first = overrideFor(SENT, 'eu', [field], undefined);
    const second = overrideFor(SENT, 'us', [{ ...field, live: 7 }], first);
    const third = overrideFor(SENT, 'us', [{ ...field, live: 8 }], second);
    assert.deepEqual(
      third.spec.overrideRules?.map(({ targetCluster, overriders }) => [
        targetCluster?.clusterNames,
        overriders.plaintext,
      ]),
      [
        [['eu'], [{ path: '/spec/replicas', operator: 'replace', value: 5 }]],
        [['us'], [{ path: '/spec/replicas', operator: 'replace', value: 8 }]],
      ],
    );
    assert.equal(first.metadata.name, 'drift-web-deployment');
  });
});

describe('A pointer', () => {
  it('leads through lists and odd keys', () => {
    assert.equal(valueAt({ a: [{ 'b/c~d': 1 }] }, '/a/0/b~1c~0d'), 1);
    assert.equal(valueAt({ a: [] }, '/a/0/b'), undefined);
  });
});
