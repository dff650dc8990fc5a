import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Draft } from '#base/json.ts';
import { type Work, LABELS } from '#karmada/apis/index.ts';
import { randomIds } from '#base/ids.ts';
import { defaultWork } from './work-defaults.ts';

const work = (...manifests: object[]) =>
  ({
    apiVersion: 'work.karmada.io/v1alpha1',
    kind: 'Work',
    metadata: { name: 'w', namespace: 'karmada-es-m1' },
    spec: { workload: { manifests } },
  }) as unknown as Draft<Work>;

describe('what a Work carries', () => {
  it('is an id that its manifests carry too', () => {
    const given = work({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name: 'c' } });
    defaultWork(given, randomIds);
    const id = given.metadata.labels?.[LABELS.workId];
    assert.ok(id);
    assert.equal(given.spec.workload?.manifests?.[0]?.metadata.labels?.[LABELS.workId], id);
  });

  it('is refused in words when a manifest is no object of any kind', () => {
    assert.throws(() => defaultWork(work({}), randomIds), {
      reason: 'Forbidden',
      message: `admission webhook "work.karmada.io" denied the request: Object 'Kind' is missing in '{}'`,
    });
  });

  it('may have manifests without metadata, which get what a Work gives them', () => {
    const given = work({ apiVersion: 'v1', kind: 'ConfigMap' });
    defaultWork(given, randomIds);
    assert.ok(given.spec.workload?.manifests?.[0]?.metadata.labels?.[LABELS.workId]);
  });
});
