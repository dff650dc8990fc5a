import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { dnsSubdomainProblems } from '#kube/meta/names.ts';
import type { ObjectMeta } from '#kube/meta/object.ts';
import { labelSelectorErrors, validateObjectMeta, validateObjectMetaUpdate } from '#kube/meta/object-meta.ts';

const rules = { namespaced: true, builtin: true, nameProblems: dnsSubdomainProblems };
const good: ObjectMeta = { name: 'a', namespace: 'n' };
const owner = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'd', uid: 'u', controller: true };

function problems(meta: Partial<ObjectMeta>, with_ = rules): string[] {
  return validateObjectMeta({ ...good, ...meta }, with_).map(({ field, message }) => `${field}: ${message}`);
}

describe('validateObjectMeta', () => {
  it('accepts ordinary metadata', () => {
    const meta = {
      generateName: 'a-',
      labels: { 'k8s.io/a': 'b' },
      annotations: { 'UPPER.io/A': 'anything at all!' },
      finalizers: ['foregroundDeletion', 'ex.io/a'],
      ownerReferences: [owner],
    };
    assert.deepEqual(problems(meta), []);
  });

  const cases: [because: string, meta: Partial<ObjectMeta>, problem: RegExp][] = [
    ['a name is required', { name: '' }, /^metadata.name: Required value: name or generateName is required$/],
    ['a name has a format', { name: 'A' }, /^metadata.name: Invalid value: "A": a lowercase RFC 1123 subdomain/],
    ['a prefix has one too', { generateName: 'AB-' }, /^metadata.generateName: Invalid value: "AB-": a lowercase/],
    ['a namespace is required', { namespace: '' }, /^metadata.namespace: Required value$/],
    [
      'a namespace has no dots',
      { namespace: 'a.b' },
      /^metadata.namespace: Invalid value: "a.b": must not contain dots$/,
    ],
    ['a generation is not negative', { generation: -1 }, /^metadata.generation: Invalid value: -1: must be greater/],
    ['annotations have keys', { annotations: { 'a b': '' } }, /^metadata.annotations: Invalid value: "a b": name part/],
    [
      'annotations have a limit',
      { annotations: { a: 'x'.repeat(256 * 1024) } },
      /^metadata.annotations: Too long: may not be more than 262144 bytes$/,
    ],
    [
      'finalizers have a domain',
      { finalizers: ['noslash'] },
      /^metadata.finalizers\[0\]: Invalid value: "noslash": name is neither a standard finalizer name/,
    ],
    ['finalizers are names', { finalizers: ['a/b c'] }, /^metadata.finalizers: Invalid value: "a\/b c": name part/],
    [
      'dependents are deleted or orphaned',
      { finalizers: ['orphan', 'foregroundDeletion'] },
      /finalizer orphan and foregroundDeletion cannot be both set$/,
    ],
    [
      'an owner has a version',
      { ownerReferences: [{ ...owner, apiVersion: '' }] },
      /apiVersion: Invalid value: "": version must not be empty$/,
    ],
    [
      'an owner is no event',
      { ownerReferences: [{ ...owner, apiVersion: 'v1', kind: 'Event' }] },
      /\/v1, Kind=Event is disallowed/,
    ],
    [
      'one owner controls',
      { ownerReferences: [owner, { ...owner, name: 'e' }] },
      /Only one reference can have Controller set to true. Found "true" in references for Deployment\/d and Deployment\/e$/,
    ],
  ];
  for (const [because, meta, problem] of cases) {
    it(because, () => {
      const found = problems(meta);
      assert.equal(found.length, 1);
      assert.match(found[0] ?? '', problem);
    });
  }

  it('lets custom resources have finalizers without a domain', () => {
    assert.deepEqual(problems({ finalizers: ['noslash'] }, { ...rules, builtin: false }), []);
  });

  it('refuses a namespace on what has none', () => {
    const problem = 'metadata.namespace: Forbidden: not allowed on this type';
    assert.deepEqual(problems({}, { ...rules, namespaced: false }), [problem]);
  });
});

describe('validateObjectMetaUpdate', () => {
  const old: ObjectMeta = { ...good, uid: 'u', generation: 2 };
  const update = (meta: ObjectMeta, before = old) =>
    validateObjectMetaUpdate(meta, before, { builtin: false }).map(({ field, message }) => `${field}: ${message}`);

  it('accepts new labels', () => assert.deepEqual(update({ ...old, labels: { a: 'b' } }), []));

  const cases: [because: string, meta: ObjectMeta, before: ObjectMeta, problem: string][] = [
    ['the uid stays', { ...old, uid: 'v' }, old, 'metadata.uid: Invalid value: "v": field is immutable'],
    [
      'the generation grows',
      { ...old, generation: 1 },
      old,
      'metadata.generation: Invalid value: 1: must not be decremented',
    ],
    [
      'nothing more can hold what is being deleted',
      { ...old, deletionTimestamp: 't', finalizers: ['ex.io/a', 'ex.io/b'] },
      { ...old, deletionTimestamp: 't', finalizers: ['ex.io/a'] },
      'metadata.finalizers: Forbidden: no new finalizers can be added if the object is being deleted, found new finalizers []string{"ex.io/b"}',
    ],
  ];
  for (const [because, meta, before, problem] of cases) {
    it(because, () => assert.deepEqual(update(meta, before), [problem]));
  }

  it('reports the causes of a built-in kind twice, as Kubernetes does', () => {
    assert.equal(validateObjectMetaUpdate({ ...old, uid: 'v' }, old, { builtin: true }).length, 2);
  });
});

describe('labelSelectorErrors', () => {
  const cases: [selector: Parameters<typeof labelSelectorErrors>[0], problems: RegExp[]][] = [
    [undefined, []],
    [{ matchLabels: { a: 'b' }, matchExpressions: [{ key: 'a', operator: 'Exists' }] }, []],
    [{ matchLabels: { 'a b': '' } }, [/^s.matchLabels: Invalid value: "a b": name part/]],
    [
      { matchExpressions: [{ key: 'a', operator: 'In' }] },
      [/^s.matchExpressions\[0\].values: Required value: must be/],
    ],
    [
      { matchExpressions: [{ key: 'a', operator: 'Exists', values: ['b'] }] },
      [/^s.matchExpressions\[0\].values: Forbidden: may not be specified when/],
    ],
    [
      { matchExpressions: [{ key: 'a b', operator: 'Near', values: ['c d'] }] },
      [
        /operator: Invalid value: "Near": not a valid/,
        /key: Invalid value: "a b"/,
        /values\[0\]: Invalid value: "c d"/,
      ],
    ],
  ];
  for (const [selector, expected] of cases) {
    it(`finds ${expected.length} problems in ${JSON.stringify(selector)}`, () => {
      const found = labelSelectorErrors(selector, 's').map(({ field, message }) => `${field}: ${message}`);
      assert.equal(found.length, expected.length);
      expected.forEach((problem, at) => assert.match(found[at] ?? '', problem));
    });
  }
});
