import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { ControllerRevision, PersistentVolume, PersistentVolumeClaim, Pod, StatefulSet } from '#gen/kube/types.ts';
import {
  CONTROLLER_REVISIONS,
  PERSISTENT_VOLUME_CLAIMS,
  PERSISTENT_VOLUMES,
  PODS,
  STATEFUL_SETS,
} from '../resources.ts';
import { journey, object, selector, template } from './journey.ts';

const claim = {
  metadata: { name: 'data' },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
};
const web = (spec: object) =>
  object('apps/v1', 'StatefulSet', 'web', { selector, serviceName: 'web', template: template(), ...spec });
const settled = (replicas: number) => (set: StatefulSet) =>
  set.status?.observedGeneration === set.metadata.generation &&
  set.status?.readyReplicas === replicas &&
  set.status.updatedReplicas === replicas &&
  set.status.currentRevision === set.status.updateRevision;

describe('a StatefulSet', { timeout: 120_000 }, () => {
  it('starts in order, each pod with its name and its volume, and updates from the last to the first', async (t) => {
    const { client, until, patch, pods, events, settles } = await journey(t);
    await client.create(STATEFUL_SETS, web({ replicas: 3, volumeClaimTemplates: [claim] }));
    const first = await until<StatefulSet>(STATEFUL_SETS, 'default/web', settled(3));
    const all = await pods();
    assert.deepEqual(all.map(({ metadata }) => metadata.name).sort(), ['web-0', 'web-1', 'web-2']);
    const created = new Map(all.map(({ metadata, status }) => [metadata.name, status?.startTime ?? '']));
    assert.ok((created.get('web-0') ?? '') < (created.get('web-1') ?? ''));
    const pod = all.find(({ metadata }) => metadata.name === 'web-1');
    assert.equal(pod?.metadata.labels?.['apps.kubernetes.io/pod-index'], '1');
    assert.equal(pod?.metadata.labels?.['controller-revision-hash'], first.status?.updateRevision);
    assert.deepEqual([pod?.spec?.hostname, pod?.spec?.subdomain], ['web-1', 'web']);
    const bound = await until<PersistentVolumeClaim>(
      PERSISTENT_VOLUME_CLAIMS,
      'default/data-web-1',
      ({ status }) => status?.phase === 'Bound',
    );
    assert.equal(bound.spec?.storageClassName, 'standard');
    assert.deepEqual(
      await events('web', 'SuccessfulCreate').then((reasons) => new Set(reasons)),
      new Set(['SuccessfulCreate']),
    );

    await patch(STATEFUL_SETS, 'default/web', { spec: { template: template('web:2') } });
    const second = await until<StatefulSet>(
      STATEFUL_SETS,
      'default/web',
      (set) => settled(3)(set) && set.status?.updateRevision !== first.status?.updateRevision,
    );
    const { items } = await client.list<ControllerRevision>(CONTROLLER_REVISIONS, { namespace: 'default' });
    assert.deepEqual(
      items.map(({ revision }) => revision).sort((a, b) => a - b),
      [1, 2],
    );
    const renewed = new Map((await pods()).map(({ metadata, status }) => [metadata.name, status?.startTime ?? '']));
    assert.ok((renewed.get('web-2') ?? '') < (renewed.get('web-0') ?? ''));
    await settles();

    await patch(STATEFUL_SETS, 'default/web', { spec: { template: template('web:1') } });
    const third = await until<StatefulSet>(
      STATEFUL_SETS,
      'default/web',
      (set) => settled(3)(set) && set.status?.updateRevision !== second.status?.updateRevision,
    );
    assert.equal(third.status?.updateRevision, first.status?.updateRevision);

    await patch(STATEFUL_SETS, 'default/web', { spec: { replicas: 1 } });
    await until<StatefulSet>(STATEFUL_SETS, 'default/web', ({ status }) => status?.replicas === 1);
    assert.equal((await client.list(PERSISTENT_VOLUME_CLAIMS, { namespace: 'default' })).items.length, 3);
  });

  it('updates no further than its partition', async (t) => {
    const { client, until, patch, pods } = await journey(t);
    await client.create(STATEFUL_SETS, web({ replicas: 3, podManagementPolicy: 'Parallel' }));
    await until<StatefulSet>(STATEFUL_SETS, 'default/web', settled(3));
    const updateStrategy = { type: 'RollingUpdate', rollingUpdate: { partition: 2 } };
    await patch(STATEFUL_SETS, 'default/web', { spec: { updateStrategy, template: template('web:2') } });
    await until<StatefulSet>(
      STATEFUL_SETS,
      'default/web',
      ({ status }) => status?.updatedReplicas === 1 && status.readyReplicas === 3,
    );
    const images = new Map((await pods()).map(({ metadata, spec }) => [metadata.name, spec?.containers[0]?.image]));
    assert.deepEqual([images.get('web-0'), images.get('web-1'), images.get('web-2')], ['web:1', 'web:1', 'web:2']);
    await client.delete(PODS, { namespace: 'default', name: 'web-0' });
    const uid = (await pods()).find(({ metadata }) => metadata.name === 'web-0')?.metadata.uid;
    const back = await until<Pod>(
      PODS,
      'default/web-0',
      ({ metadata, status }) =>
        metadata.uid !== uid && metadata.deletionTimestamp === undefined && status?.phase === 'Running',
    );
    assert.equal(back.spec?.containers[0]?.image, 'web:1');
  });

  it('takes its volumes with it when it is told to', async (t) => {
    const { client, until, untilGone, patch } = await journey(t);
    const persistentVolumeClaimRetentionPolicy = { whenDeleted: 'Delete', whenScaled: 'Delete' };
    await client.create(
      STATEFUL_SETS,
      web({ replicas: 2, volumeClaimTemplates: [claim], persistentVolumeClaimRetentionPolicy }),
    );
    await until<StatefulSet>(STATEFUL_SETS, 'default/web', settled(2));
    const volumes = (await client.list<PersistentVolume>(PERSISTENT_VOLUMES)).items.map(
      ({ metadata }) => metadata.name,
    );
    assert.equal(volumes.length, 2);
    await patch(STATEFUL_SETS, 'default/web', { spec: { replicas: 1 } });
    await untilGone(PERSISTENT_VOLUME_CLAIMS, 'default/data-web-1');
    await client.delete(STATEFUL_SETS, { namespace: 'default', name: 'web' });
    await untilGone(PERSISTENT_VOLUME_CLAIMS, 'default/data-web-0');
    for (const name of volumes) await untilGone(PERSISTENT_VOLUMES, name);
  });
});
