import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { LABELS } from '#karmada/apis/index.ts';
import type { Member } from '#karmada/cluster/members.ts';
import { chain, nativeInterpreter } from '#karmada/interpreter/index.ts';
import type { ApiResource } from '#kube/client/kube-client.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { applier } from './apply-manifest.ts';

const RESOURCE = { group: '', version: 'v1', resource: 'services', kind: 'Service' } as ApiResource;

const manifest: KubeObject = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { namespace: 'a', name: 'web', labels: { [LABELS.managed]: 'true' } },
  spec: { ports: [{ port: 80 }] },
};

/** A member that fills in what the manifest leaves out, as API servers do, and counts what is sent to it. */
function open() {
  let version = 1;
  let updates = 0;
  const there = (object: KubeObject): KubeObject => ({
    ...object,
    metadata: { ...object.metadata, uid: 'u', resourceVersion: String(version) },
    spec: { type: 'ClusterIP', ...(object['spec'] as object) },
  });
  const client = {
    create: async (_gvr: unknown, object: KubeObject) => there(object),
    update: async (_gvr: unknown, object: KubeObject) => {
      updates++;
      return there(object);
    },
  };
  const member = { name: 'm1', client } as unknown as Member;
  const writer = applier(chain(nativeInterpreter));
  return {
    apply: (observed?: KubeObject, wanted = manifest) => writer.apply(member, RESOURCE, wanted, observed),
    withStatus: (object: KubeObject, status: object): KubeObject => {
      version++;
      return { ...object, metadata: { ...object.metadata, resourceVersion: String(version) }, status };
    },
    updates: () => updates,
  };
}

describe('an object of a kind without generations', () => {
  it('is written once over what changes nothing, however often its status changes', async () => {
    const { apply, withStatus, updates } = open();
    const { object } = await apply();
    for (const ip of ['192.0.2.1', '192.0.2.2', '192.0.2.3']) {
      const { change } = await apply(withStatus(object, { loadBalancer: { ingress: [{ ip }] } }));
      assert.equal(change, 'unchanged');
    }
    assert.equal(updates(), 1);
  });

  it('is written again when the member or the manifest says something else', async () => {
    const { apply, withStatus, updates } = open();
    const { object } = await apply();
    await apply(withStatus(object, {}));
    await apply(withStatus({ ...object, spec: { ...(object['spec'] as object), ports: [{ port: 81 }] } }, {}));
    assert.equal(updates(), 2);
    await apply(withStatus(object, {}), { ...manifest, spec: { ports: [{ port: 82 }] } });
    assert.equal(updates(), 3);
  });
});
