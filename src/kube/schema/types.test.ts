import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type Draft, draftOf } from '#base/json.ts';
import type { Deployment, NamedObjectMeta } from '#gen/kube/types.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import type { KubeObject, ObjectMeta } from '#kube/meta/object.ts';

/** Compiles only while the generated types fit the client. */
async function image(client: KubeClient): Promise<string | undefined> {
  const gvr = { group: 'apps', version: 'v1', resource: 'deployments' };
  const found = await client.get<Deployment>(gvr, { namespace: 'default', name: 'web' });
  return found.spec?.template.spec?.containers[0]?.image;
}

it('a generated kind is a KubeObject, can be drafted and is read without casts', () => {
  const web: Deployment = {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web' } satisfies NamedObjectMeta satisfies ObjectMeta,
    spec: { selector: {}, template: { spec: { containers: [{ name: 'web', image: 'nginx' }] } } },
  };
  const any: KubeObject = web;
  const draft: Draft<Deployment> = draftOf(web);
  if (draft.spec) draft.spec.replicas = 2;
  assert.equal(any.metadata.name, 'web');
  assert.equal(draft.spec?.replicas, 2);
  assert.equal(typeof image, 'function');
});
