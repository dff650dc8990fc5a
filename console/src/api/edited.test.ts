import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Code, ConnectError } from '@connectrpc/connect';
import { isSameText, saveOver, versioned, whole } from './edited.ts';
import { withoutNoise } from './noise.ts';
import type { Thing } from './objects.ts';

const live: Thing = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: {
    name: 'web',
    uid: 'u-1',
    resourceVersion: '7',
    generation: 2,
    labels: { app: 'web', old: 'yes', 'work.karmada.io/permanent-id': 'p' },
    annotations: { 'kubectl.kubernetes.io/last-applied-configuration': '{}' },
    managedFields: [{}],
  },
  spec: { replicas: 2 },
  status: { readyReplicas: 2 },
};

describe('an object that is edited without what machines keep in it', () => {
  it('is saved although its status changes all the time, and not over what somebody else wrote', async () => {
    const at = (resourceVersion: string, spec = { replicas: 2 }): Thing => ({
      ...live,
      metadata: { ...live.metadata, resourceVersion },
      spec,
      status: { readyReplicas: Number(resourceVersion) },
    });
    const tries: unknown[] = [];
    const saving = (reads: Thing[]) => ({
      base: live,
      edited: { spec: { replicas: 3 } },
      read: async () => reads.shift() ?? live,
      async save(whole: object) {
        tries.push((whole as Thing).metadata.resourceVersion);
        if (tries.at(-1) !== '9') throw new ConnectError('the object has been modified', Code.Aborted);
      },
      pause: async () => undefined,
    });
    assert.equal(await saveOver(saving([at('7'), at('8'), at('9')])), true);
    assert.deepEqual(tries, ['7', '8', '9']);
    assert.equal(await saveOver(saving([at('8'), at('9', { replicas: 5 })])), false);
  });

  it('has it again when it is saved, and replaces the version that is told', () => {
    const edited = { ...(withoutNoise(live, true) as object), spec: { replicas: 3 } };
    const seen = { ...live, metadata: { ...live.metadata, resourceVersion: '9' } };
    assert.deepEqual(versioned(whole(edited, live), seen), {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: {
        name: 'web',
        uid: 'u-1',
        resourceVersion: '9',
        labels: live.metadata.labels,
        annotations: live.metadata.annotations,
      },
      spec: { replicas: 3 },
    });
  });

  it('loses what was taken out of it, and only that', () => {
    const edited = { metadata: { name: 'web', labels: { app: 'web' } } };
    const { metadata } = whole(edited, live) as Thing;
    assert.deepEqual(metadata.labels, { 'work.karmada.io/permanent-id': 'p', app: 'web' });
  });

  it('is the same while only its status and its version change', () => {
    const later = { ...live, metadata: { ...live.metadata, resourceVersion: '8' }, status: { readyReplicas: 1 } };
    assert.equal(isSameText(live, later), true);
    assert.equal(isSameText(live, { ...later, spec: { replicas: 5 } }), false);
  });
});
