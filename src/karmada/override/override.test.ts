import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { hasReason } from '#base/status-error.ts';
import type {
  Cluster,
  ClusterOverridePolicy,
  ImageOverrider,
  OverridePolicy,
  OverrideSpec,
  Overriders,
} from '#karmada/apis/index.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { parseAllDocuments } from 'yaml';
import { overrideImage } from './image.ts';
import { applyOverrides } from './index.ts';

const cluster: Cluster = {
  apiVersion: 'cluster.karmada.io/v1alpha1',
  kind: 'Cluster',
  metadata: { name: 'm1', labels: { tier: 'prod' } },
  spec: { syncMode: 'Push' },
};

const nginx: KubeObject = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'nginx', namespace: 'default', labels: { app: 'nginx' } },
  spec: {
    replicas: 2,
    template: {
      spec: {
        initContainers: [{ name: 'init', image: 'busybox:1' }],
        containers: [
          { name: 'web', image: 'nginx:1.27', command: ['nginx', '-g'] },
          {
            name: 'side',
            image: 'reg.io:5000/team/side@sha256:0123456789012345678901234567890123456789012345678901234567890123',
          },
        ],
      },
    },
  },
};

const selectors = [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'nginx' }];

function op(name: string, spec: OverrideSpec, namespace = 'default'): OverridePolicy {
  return { apiVersion: 'policy.karmada.io/v1alpha1', kind: 'OverridePolicy', metadata: { name, namespace }, spec };
}

function cop(name: string, spec: OverrideSpec): ClusterOverridePolicy {
  return { apiVersion: 'policy.karmada.io/v1alpha1', kind: 'ClusterOverridePolicy', metadata: { name }, spec };
}

function apply(
  policies: readonly OverridePolicy[],
  clusterPolicies: readonly ClusterOverridePolicy[] = [],
  object = nginx,
) {
  return applyOverrides({ object, cluster, overridePolicies: policies, clusterOverridePolicies: clusterPolicies });
}

/** The object after one rule with these overriders. */
function overridden(overriders: Overriders, object = nginx): KubeObject {
  return apply([op('p', { overrideRules: [{ overriders }] })], [], object).object;
}

function containers(object: KubeObject): readonly Record<string, unknown>[] {
  const { template } = object['spec'] as { template: { spec: { containers: Record<string, unknown>[] } } };
  return template.spec.containers;
}

const addLabel = (value: string): Overriders => ({ labelsOverrider: [{ operator: 'add', value: { by: value } }] });

describe('which policies apply, and in which order', () => {
  it('changes nothing without policies, and notes nothing', () => {
    const { object, applied } = apply([]);
    assert.equal(object, nginx);
    assert.deepEqual(applied, { rules: [], annotations: {} });
  });

  it('lets policies of the namespace win over cluster policies', () => {
    const { object } = apply(
      [op('a', { overrideRules: [{ overriders: addLabel('op') }] })],
      [cop('z', { overrideRules: [{ overriders: addLabel('cop') }] })],
    );
    assert.equal(object.metadata.labels?.['by'], 'op');
  });

  it('lets the closer selector win, then the later name', () => {
    const rule = (name: string, resourceSelectors: OverrideSpec['resourceSelectors']) =>
      op(name, { ...(resourceSelectors && { resourceSelectors }), overrideRules: [{ overriders: addLabel(name) }] });
    const byName = rule('a-by-name', selectors);
    const byLabel = rule('b-by-label', [
      { apiVersion: 'apps/v1', kind: 'Deployment', labelSelector: { matchLabels: { app: 'nginx' } } },
    ]);
    const all = rule('c-all', undefined);
    assert.equal(apply([byName, byLabel, all]).object.metadata.labels?.['by'], 'a-by-name');
    assert.equal(apply([all, byLabel]).object.metadata.labels?.['by'], 'b-by-label');
    assert.equal(apply([rule('z', undefined), all]).object.metadata.labels?.['by'], 'z');
    assert.deepEqual(
      apply([byName, byLabel, all]).applied.rules.map(({ policyName }) => policyName),
      ['c-all', 'b-by-label', 'a-by-name'],
    );
  });

  it('passes over what selects something else, another namespace or another cluster', () => {
    const overrideRules = [{ overriders: addLabel('x') }];
    const policies = [
      op('other', { resourceSelectors: [{ apiVersion: 'v1', kind: 'Service' }], overrideRules }),
      op('elsewhere', { overrideRules }, 'kube-public'),
      op('m2', { overrideRules: [{ targetCluster: { clusterNames: ['m2'] }, overriders: addLabel('x') }] }),
    ];
    assert.equal(apply(policies).object, nginx);
  });

  it('does not apply policies of a namespace to what has none', () => {
    const role: KubeObject = {
      apiVersion: 'rbac.authorization.k8s.io/v1',
      kind: 'ClusterRole',
      metadata: { name: 'r' },
    };
    const rule = { overrideRules: [{ overriders: addLabel('x') }] };
    assert.equal(apply([op('p', rule)], [], role).object, role);
    assert.equal(apply([op('p', rule)], [cop('c', rule)], role).object.metadata.labels?.['by'], 'x');
  });

  it('applies the rules of a policy in the order listed', () => {
    const overrideRules = [
      { targetCluster: { labelSelector: { matchLabels: { tier: 'prod' } } }, overriders: addLabel('first') },
      { overriders: addLabel('second') },
    ];
    const { object, applied } = apply([op('p', { overrideRules })]);
    assert.equal(object.metadata.labels?.['by'], 'second');
    assert.deepEqual(
      applied.rules.map(({ rule }) => rule),
      [0, 1],
    );
  });

  it('reads the deprecated form only when there are no rules', () => {
    const deprecated = { targetCluster: { clusterNames: ['m1'] }, overriders: addLabel('old') };
    assert.equal(apply([op('p', deprecated)]).object.metadata.labels?.['by'], 'old');
    const both = { ...deprecated, overrideRules: [{ overriders: addLabel('new') }] };
    assert.equal(apply([op('p', both)]).object.metadata.labels?.['by'], 'new');
    assert.equal(apply([op('p', { ...deprecated, targetCluster: { clusterNames: ['m2'] } })]).object, nginx);
  });

  it('applies plaintext last within a rule', () => {
    const object = overridden({
      plaintext: [{ path: '/spec/template/spec/containers/0/image', operator: 'replace', value: 'plain' }],
      imageOverrider: [{ component: 'Tag', operator: 'replace', value: '2' }],
    });
    assert.equal(containers(object)[0]?.['image'], 'plain');
  });

  it('never changes the object it was given', () => {
    const before = structuredClone(nginx);
    overridden({ plaintext: [{ path: '/spec/replicas', operator: 'replace', value: 9 }], ...addLabel('x') });
    assert.deepEqual(nginx, before);
  });
});

describe('imageOverrider', () => {
  const digest = `sha256:${'0123456789abcdef'.repeat(4)}`;
  const cases: [because: string, image: string, overrider: Omit<ImageOverrider, never>, expected: string][] = [
    [
      'add appends to an empty registry',
      'nginx:1',
      { component: 'Registry', operator: 'add', value: 'r.io' },
      'r.io/nginx:1',
    ],
    [
      'add appends to a registry as text',
      'r.io/nginx',
      { component: 'Registry', operator: 'add', value: ':5000' },
      'r.io:5000/nginx',
    ],
    [
      'replace a registry with a port',
      'r.io:5000/a/b:1',
      { component: 'Registry', operator: 'replace', value: 'x.y' },
      'x.y/a/b:1',
    ],
    ['remove a registry', 'localhost/nginx', { component: 'Registry', operator: 'remove' }, 'nginx'],
    [
      'a first part without a dot is no registry',
      'library/nginx',
      { component: 'Registry', operator: 'replace', value: 'x.y' },
      'x.y/library/nginx',
    ],
    [
      'add to the repository',
      'r.io/nginx:1',
      { component: 'Repository', operator: 'add', value: '-alpine' },
      'r.io/nginx-alpine:1',
    ],
    [
      'replace the repository',
      'r.io/nginx:1',
      { component: 'Repository', operator: 'replace', value: 'a/b' },
      'r.io/a/b:1',
    ],
    ['replace the tag', 'nginx:1', { component: 'Tag', operator: 'replace', value: '2' }, 'nginx:2'],
    ['add to the tag', 'nginx:1', { component: 'Tag', operator: 'add', value: '.1' }, 'nginx:1.1'],
    [
      'a digest takes the place of the tag',
      'nginx:1',
      { component: 'Tag', operator: 'replace', value: digest },
      `nginx@${digest}`,
    ],
    [
      'a tag takes the place of a digest',
      `nginx@${digest}`,
      { component: 'Tag', operator: 'replace', value: '2' },
      'nginx:2',
    ],
    ['remove the tag', 'nginx:1', { component: 'Tag', operator: 'remove' }, 'nginx'],
    ['remove the digest', `nginx@${digest}`, { component: 'Tag', operator: 'remove' }, 'nginx'],
    [
      'what is no tag changes nothing',
      'nginx:1',
      { component: 'Tag', operator: 'replace', value: 'no tag!' },
      'nginx:1',
    ],
    [
      'the digest behind a tag is lost',
      `nginx:1@${digest}`,
      { component: 'Registry', operator: 'add', value: 'r.io' },
      'r.io/nginx:1',
    ],
  ];
  for (const [because, image, overrider, expected] of cases) {
    it(because, () => assert.equal(overrideImage(image, overrider), expected));
  }

  it('changes every container, but no init container', () => {
    const object = overridden({ imageOverrider: [{ component: 'Registry', operator: 'replace', value: 'r.io' }] });
    assert.deepEqual(
      containers(object).map(({ image }) => image),
      ['r.io/nginx:1.27', 'r.io/team/side@sha256:0123456789012345678901234567890123456789012345678901234567890123'],
    );
    assert.deepEqual(
      (object['spec'] as { template: { spec: { initContainers: unknown } } }).template.spec.initContainers,
      [{ name: 'init', image: 'busybox:1' }],
    );
  });

  it('changes the image its predicate points at, in any kind', () => {
    const custom: KubeObject = {
      apiVersion: 'x.io/v1',
      kind: 'App',
      metadata: { name: 'a', namespace: 'default' },
      spec: { image: 'app:1' },
    };
    const overrider: ImageOverrider = {
      component: 'Tag',
      operator: 'replace',
      value: '2',
      predicate: { path: '/spec/image' },
    };
    assert.deepEqual(overridden({ imageOverrider: [overrider] }, custom)['spec'], { image: 'app:2' });
  });

  it('leaves kinds without containers alone', () => {
    const map: KubeObject = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c', namespace: 'default' } };
    assert.equal(overridden({ imageOverrider: [{ component: 'Tag', operator: 'remove' }] }, map), map);
  });
});

describe('commandOverrider and argsOverrider', () => {
  it('append and remove words of the container named', () => {
    const object = overridden({
      commandOverrider: [{ containerName: 'web', operator: 'add', value: ['daemon off;'] }],
      argsOverrider: [{ containerName: 'side', operator: 'add', value: ['--verbose'] }],
    });
    assert.deepEqual(containers(object)[0]?.['command'], ['nginx', '-g', 'daemon off;']);
    assert.deepEqual(containers(object)[1]?.['args'], ['--verbose']);
    const removed = overridden({
      commandOverrider: [{ containerName: 'web', operator: 'remove', value: ['-g', 'x'] }],
    });
    assert.deepEqual(containers(removed)[0]?.['command'], ['nginx']);
  });

  it('leave an empty list where there was none to remove from', () => {
    const object = overridden({ argsOverrider: [{ containerName: 'web', operator: 'remove', value: ['x'] }] });
    assert.deepEqual(containers(object)[0]?.['args'], []);
  });

  it('pass over containers that are not there', () => {
    assert.equal(overridden({ commandOverrider: [{ containerName: 'none', operator: 'add', value: ['x'] }] }), nginx);
  });
});

describe('labelsOverrider and annotationsOverrider', () => {
  it('add, creating the map', () => {
    const object = overridden({ annotationsOverrider: [{ operator: 'add', value: { 'example.io/a': '1' } }] });
    assert.deepEqual(object.metadata.annotations, { 'example.io/a': '1' });
  });

  it('replace and remove only what is there', () => {
    const value = { app: 'other', none: 'x' };
    assert.deepEqual(overridden({ labelsOverrider: [{ operator: 'replace', value }] }).metadata.labels, {
      app: 'other',
    });
    assert.deepEqual(overridden({ labelsOverrider: [{ operator: 'remove', value }] }).metadata.labels, {});
    assert.equal(overridden({ annotationsOverrider: [{ operator: 'remove', value }] }), nginx);
  });
});

describe('fieldOverrider', () => {
  const config = (data: Record<string, string>): KubeObject => ({
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name: 'c', namespace: 'default' },
    data,
  });

  it('changes within YAML, which comes out sorted and without comments', () => {
    const object = config({ 'app.yaml': '# hello\nzone: a\ndb:\n  hosts:\n    - one\n' });
    const yaml = [
      { subPath: '/db/hosts/-', operator: 'add' as const, value: 'two' },
      { subPath: '/zone', operator: 'replace' as const, value: 'b' },
    ];
    const changed = overridden({ fieldOverrider: [{ fieldPath: '/data/app.yaml', yaml }] }, object);
    assert.deepEqual(changed['data'], { 'app.yaml': 'db:\n  hosts:\n  - one\n  - two\nzone: b\n' });
  });

  it('changes within JSON, in its order', () => {
    const object = config({ 'app.json': '{"z": 1, "a": {"b": true}}' });
    const json = [
      { subPath: '/a/b', operator: 'remove' as const },
      { subPath: '/n', operator: 'add' as const, value: '<x>' },
    ];
    const changed = overridden({ fieldOverrider: [{ fieldPath: '/data/app.json', json }] }, object);
    assert.deepEqual(changed['data'], { 'app.json': '{"z":1,"a":{},"n":"\\u003cx\\u003e"}' });
  });

  it('finds keys with slashes and tildes', () => {
    const object = config({ 'a/b~c': '{"x":1}' });
    const json = [{ subPath: '/x', operator: 'replace' as const, value: 2 }];
    const changed = overridden({ fieldOverrider: [{ fieldPath: '/data/a~1b~0c', json }] }, object);
    assert.deepEqual(changed['data'], { 'a/b~c': '{"x":2}' });
  });
});

describe('a failure', () => {
  const cases: [because: string, overriders: Overriders, message: string][] = [
    [
      'names policy, rule and field when a path is not there',
      { plaintext: [{ path: '/spec/none', operator: 'replace', value: 1 }] },
      'OverridePolicy default/p, rule 1, plaintext[0] cannot be applied to Deployment default/nginx: /spec/none cannot be replaced: it is not there',
    ],
    [
      'says which parent is missing',
      { plaintext: [{ path: '/spec/none/deep', operator: 'add', value: 1 }] },
      'OverridePolicy default/p, rule 1, plaintext[0] cannot be applied to Deployment default/nginx: /spec/none/deep has no parent: there is no none',
    ],
    [
      'comes with an index outside of the list',
      { plaintext: [{ path: '/spec/template/spec/containers/5', operator: 'add', value: {} }] },
      'OverridePolicy default/p, rule 1, plaintext[0] cannot be applied to Deployment default/nginx: /spec/template/spec/containers/5 is outside of the list',
    ],
    [
      'comes with a path that is no pointer',
      { plaintext: [{ path: 'spec', operator: 'remove' }] },
      'OverridePolicy default/p, rule 1, plaintext[0] cannot be applied to Deployment default/nginx: spec is no JSON pointer: it must start with /',
    ],
    [
      'comes with a field that is no text',
      { fieldOverrider: [{ fieldPath: '/spec', yaml: [{ subPath: '/a', operator: 'remove' }] }] },
      'OverridePolicy default/p, rule 1, fieldOverrider[0] cannot be applied to Deployment default/nginx: /spec is no text',
    ],
    [
      'comes with an image that cannot be read',
      { imageOverrider: [{ component: 'Tag', operator: 'remove', predicate: { path: '/metadata/labels/none' } }] },
      'OverridePolicy default/p, rule 1, imageOverrider[0] cannot be applied to Deployment default/nginx: image "" cannot be read: invalid reference format',
    ],
  ];
  for (const [because, overriders, message] of cases) {
    it(because, () =>
      assert.throws(
        () => overridden(overriders),
        (error) => hasReason(error, 'Invalid') && error.message === message,
      ),
    );
  }

  it('says that a document cannot be read', () => {
    const config: KubeObject = {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'c', namespace: 'default' },
      data: { x: '{' },
    };
    const json = [{ subPath: '/a', operator: 'remove' as const }];
    assert.throws(
      () => overridden({ fieldOverrider: [{ fieldPath: '/data/x', json }] }, config),
      /\/data\/x holds no readable JSON/,
    );
  });
});

describe('what is noted on the Work', () => {
  it('is what Karmada notes, byte for byte', () => {
    const documents = parseAllDocuments(
      readFileSync(`${import.meta.dirname}/../../../e2e/fixtures/karmada-objects.yaml`, 'utf8'),
    );
    const objects = documents.map((document) => document.toJS() as KubeObject | null).filter((each) => each !== null);
    const policy = objects.find(({ kind }) => kind === 'OverridePolicy') as OverridePolicy;
    const template = objects.find(({ kind }) => kind === 'Deployment') ?? nginx;
    const work = objects.find(({ kind, metadata }) => kind === 'Work' && metadata.namespace === 'karmada-es-m2');
    const m2 = { ...cluster, metadata: { name: 'm2' } };
    const result = applyOverrides({
      object: template,
      cluster: m2,
      overridePolicies: [policy],
      clusterOverridePolicies: [],
    });
    const annotation = 'policy.karmada.io/applied-overrides';
    assert.deepEqual(result.applied.annotations, { [annotation]: work?.metadata.annotations?.[annotation] });
    assert.equal(containers(result.object)[0]?.['image'], 'reg.example/nginx:1.27');
  });

  it('is sorted by policy, with fields in the order of Go and null for a value not given', () => {
    const { applied } = apply([
      op('b', { overrideRules: [{ overriders: { plaintext: [{ operator: 'remove', path: '/spec/replicas' }] } }] }),
      op('a', {
        overrideRules: [{ overriders: { labelsOverrider: [{ value: { z: '1', a: '2' }, operator: 'add' }] } }],
      }),
    ]);
    assert.deepEqual(applied.annotations, {
      'policy.karmada.io/applied-overrides':
        '[{"policyName":"a","overriders":{"labelsOverrider":[{"operator":"add","value":{"a":"2","z":"1"}}]}},' +
        '{"policyName":"b","overriders":{"plaintext":[{"path":"/spec/replicas","operator":"remove","value":null}]}}]',
    });
  });

  it('keeps cluster policies apart', () => {
    const rule = { overrideRules: [{ overriders: addLabel('x') }] };
    const { annotations } = apply([], [cop('c', rule)]).applied;
    assert.deepEqual(Object.keys(annotations), ['policy.karmada.io/applied-cluster-overrides']);
  });
});
