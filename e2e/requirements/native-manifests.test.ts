/** What people wrote for one cluster is what they apply for many; all that comes to it is a policy. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { parseAllDocuments } from 'yaml';
import { CLUSTER_PROPAGATION_POLICY } from '#karmada/apis/index.ts';
import { register, startMember, type TestMember } from '#karmada/engine/testing.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import { restMapper } from '#kube/client/rest-mapper.ts';
import { gvkOf } from '#kube/meta/gvk.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { kubectlPath } from '../../scripts/test-tools.ts';
import { eventually, kubectl, type Run, temporaryDirectory } from '../platform.ts';
import { type OurProgram, startProgram } from '../real/our-program.ts';

const FILE = resolve(import.meta.dirname, 'samples.yaml');
const SAMPLES = parseAllDocuments(readFileSync(FILE, 'utf8')).map((document) => document.toJS() as KubeObject);

/** All that an object says, but for who keeps it where and what came of it. */
function said({ metadata: _metadata, status: _status, ...object }: KubeObject): unknown {
  const { clusterIP: _ip, clusterIPs: _ips, ...spec } = (object['spec'] ?? {}) as Record<string, unknown>;
  return { ...object, ...(object['spec'] === undefined ? {} : { spec }) };
}

describe('native manifests', { skip: kubectlPath() ? false : 'kubectl is missing: npm run test:tools' }, () => {
  const { path, remove } = temporaryDirectory();
  const ends: (() => unknown)[] = [];
  const t = { after: (end: () => unknown) => void ends.unshift(end) };
  let instance: OurProgram;
  let alone: OurProgram;
  let member: TestMember;
  let many: Run;
  let single: Run;

  before(async () => {
    t.after(remove);
    member = await startMember(t);
    [instance, alone] = await Promise.all([
      startProgram(join(path, 'instance'), 'karmada'),
      startProgram(join(path, 'alone'), 'kube-apiserver'),
    ]);
    t.after(() => Promise.all([instance.stop(), alone.stop()]));
    await register(instance.client, 'm1', member.url);
    many = kubectl(instance.kubeconfig);
    single = kubectl(alone.kubeconfig);
  });
  after(async () => {
    for (const end of ends) await end();
  });

  async function read(client: KubeClient, { metadata, ...object }: KubeObject): Promise<unknown> {
    const { group, version, resource } = await restMapper(client).byKind(gvkOf({ metadata, ...object } as KubeObject));
    return said(await client.get({ group, version, resource }, metadata));
  }

  it('R49: of every kind apply unchanged to an instance, and nothing of them is altered', async () => {
    for (const run of [single, many]) {
      const { code, stderr } = await run('apply', '-f', FILE);
      assert.equal(code, 0, stderr);
    }
    const diff = await many('diff', '-f', FILE);
    assert.equal(diff.code, 0, diff.stdout + diff.stderr);
    for (const sample of SAMPLES) {
      assert.deepEqual(await read(instance.client, sample), await read(alone.client, sample), sample.kind);
    }
  });

  it('R50: with a policy beside them run in a member as if they had been applied there', async () => {
    const resourceSelectors = SAMPLES.filter(({ kind }) => kind !== 'Namespace').map(
      ({ apiVersion, kind, metadata }) => ({
        apiVersion,
        kind,
        name: metadata.name,
        ...(metadata.namespace === undefined ? {} : { namespace: metadata.namespace }),
      }),
    );
    await instance.client.create(CLUSTER_PROPAGATION_POLICY, {
      apiVersion: CLUSTER_PROPAGATION_POLICY.apiVersion,
      kind: 'ClusterPropagationPolicy',
      metadata: { name: 'samples' },
      spec: { resourceSelectors, placement: {} },
    });
    await eventually(async () => {
      for (const sample of SAMPLES) {
        assert.deepEqual(await read(member.client, sample), await read(alone.client, sample), sample.kind);
      }
    });
    const diff = await many('diff', '-f', FILE);
    assert.equal(diff.code, 0, `the source still says what is there: ${diff.stdout}`);
  });
});
