/** The objects of a run of ours, next to those of a run of Karmada's: the same but for ids, times and versions. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, describe, it } from 'node:test';
import { parseAllDocuments } from 'yaml';
import { isObject } from '#base/json.ts';
import {
  CLUSTER,
  OVERRIDE_POLICY,
  PROPAGATION_POLICY,
  RESOURCE_BINDING,
  type ResourceBinding,
  WORK,
} from '#karmada/apis/index.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import type { Gvr } from '#kube/meta/gvk.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { DEPLOYMENT, eventually, NAMESPACE, type TestPlane, testPlane } from './testing.ts';

const recorded = parseAllDocuments(readFileSync(new URL('fixtures/nginx.yaml', import.meta.url), 'utf8')).map(
  (document) => document.toJSON() as KubeObject,
);
const [template, policy, override, binding, cluster, firstWork, secondWork, namespace, firstObject, secondObject] =
  recorded as [
    KubeObject,
    KubeObject,
    KubeObject,
    KubeObject,
    KubeObject,
    KubeObject,
    KubeObject,
    KubeObject,
    KubeObject,
    KubeObject,
  ];

/** Times, versions and ids differ from run to run; each id becomes the number of its first appearance. */
function comparer() {
  const ids = new Map<string, string>();
  const uuid = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/g;
  const numbered = (id: string) => {
    if (!ids.has(id)) ids.set(id, `id-${ids.size}`);
    return String(ids.get(id));
  };
  function normal(value: unknown, key = ''): unknown {
    if (Array.isArray(value)) return value.map((each) => normal(each));
    if (isObject(value)) {
      const entries = Object.entries(value).filter(([name, each]) => name !== 'managedFields' && each !== undefined);
      const sorted = entries.sort(([a], [b]) => (a < b ? -1 : 1));
      return Object.fromEntries(sorted.map(([name, each]) => [name, normal(each, name)]));
    }
    if (/(Timestamp|Time)$/.test(key)) return 'time';
    if (key === 'resourceVersion') return 'version';
    return typeof value === 'string' ? value.replace(uuid, numbered) : value;
  }
  return normal;
}

function bare({ apiVersion, kind, metadata: { name, namespace: space, labels }, spec }: KubeObject): KubeObject {
  const own = Object.entries(labels ?? {}).filter(([key]) => !key.includes('karmada.io'));
  return {
    apiVersion,
    kind,
    metadata: {
      name,
      ...(space ? { namespace: space } : {}),
      ...(own.length > 0 ? { labels: Object.fromEntries(own) } : {}),
    },
    spec,
  };
}

describe('a Deployment on its way to two members', () => {
  let plane: TestPlane;
  let client: KubeClient;
  const nginx = { namespace: 'default', name: 'nginx' };
  const ended: (() => unknown)[] = [];
  // Both runs are numbered in the same order of objects, so that ids are compared across objects too.
  const theirs = comparer();
  const ours = comparer();

  before(async () => {
    const context = { after: (end: () => unknown) => void ended.unshift(end) };
    plane = await testPlane(context, []);
    client = plane.client;
    await plane.join('m1', { provider: 'p1', region: 'r1', zones: ['z1'] });
    await plane.join('m2');
    await client.create(PROPAGATION_POLICY, bare(policy));
    await client.create(OVERRIDE_POLICY, bare(override));
    await client.create(DEPLOYMENT, bare(template));
    for (const [name, object] of [
      ['m1', firstObject],
      ['m2', secondObject],
    ] as const) {
      const there = plane.member(name).client;
      const found = await eventually(() => there.get(DEPLOYMENT, nginx), `nginx in ${name}`);
      await there.update(DEPLOYMENT, { ...found, status: object['status'] }, { subresource: 'status' });
    }
    await eventually(async () => {
      const { status } = await client.get<KubeObject & { status?: { observedGeneration?: number } }>(DEPLOYMENT, nginx);
      return status?.observedGeneration === 2;
    }, 'the status of the template');
    await eventually(async () => {
      const { status } = await client.get<ResourceBinding>(RESOURCE_BINDING, { ...nginx, name: 'nginx-deployment' });
      return status?.aggregatedStatus?.every(({ status: each }) => each?.['observedGeneration'] === 1);
    }, 'the status of the binding');
  });
  after(async () => {
    for (const end of ended) await end();
  });

  const same = async (gvr: Gvr, name: string, expected: KubeObject, from?: string) => {
    const { namespace: space } = expected.metadata;
    const source = from === undefined ? client : plane.member(from).client;
    const found = await source.get(gvr, space === undefined ? { name } : { namespace: space, name });
    assert.deepEqual(ours(found), theirs(expected));
  };

  it('is claimed, and gets the status of both', () => same(DEPLOYMENT, 'nginx', template));
  it('belongs to a policy with id and finalizer', () => same(PROPAGATION_POLICY, 'nginx', policy));
  it('is overridden by a policy with namespaced selectors', () => same(OVERRIDE_POLICY, 'nginx', override));
  it('is bound, scheduled and reported', () => same(RESOURCE_BINDING, 'nginx-deployment', binding));
  it('has a Work for the first member', () => same(WORK, 'nginx-687f7fb96f', firstWork));
  it('has a Work for the second, with the override', () => same(WORK, 'nginx-687f7fb96f', secondWork));
  it('has a namespace for its Works', () => same(NAMESPACE, 'karmada-es-m1', namespace));
  it('is in the first member', () => same(DEPLOYMENT, 'nginx', withoutRevision(firstObject), 'm1'));
  it('is in the second member', () => same(DEPLOYMENT, 'nginx', withoutRevision(secondObject), 'm2'));
  it('runs on clusters described as Karmada does', async () => {
    const found = await client.get(CLUSTER, { name: 'm1' });
    const spec = {
      ...(found['spec'] as object),
      apiEndpoint: (cluster['spec'] as { apiEndpoint: string }).apiEndpoint,
    };
    assert.deepEqual(ours({ ...found, spec, status: undefined }), theirs({ ...cluster, status: undefined }));
  });
});

/** Set by the member's own Deployment controller, which these members do not run. */
function withoutRevision(object: KubeObject): KubeObject {
  const { 'deployment.kubernetes.io/revision': _own, ...annotations } = object.metadata.annotations ?? {};
  return { ...object, metadata: { ...object.metadata, annotations } };
}
