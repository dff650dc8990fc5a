/** How journeys ask a service as its administrator: calls that must succeed, and lists that must come to be so. */
import assert from 'node:assert/strict';
import { type Answer, eventually, type Request, type Stage } from './harness.ts';

/** Where most of them work. */
export const SPACE = '/instances/demo/namespaces/default';

export const text = (value: unknown): string => JSON.stringify(value);

export async function ok(stage: Stage, ...[method, path, body]: Request): Promise<Answer['json']> {
  const { status, json } = await stage.admin(method, path, body);
  assert.equal(status, 200, `${method} ${path}: ${text(json)}`);
  return json;
}

/** Lists are read from the index, which follows the instance. */
export async function lists(stage: Stage, path: string, ...expected: readonly string[]): Promise<void> {
  await eventually(async () => {
    const { items } = await ok(stage, 'GET', path);
    const names = items.map((item: { metadata: { name: string } }) => item.metadata.name);
    assert.deepEqual(names.sort(), expected.toSorted(), path);
  });
}

/** Reads a manifest, changes it and sends it back; once more when somebody else was faster, as any client must. */
export async function edit(stage: Stage, path: string, change: (manifest: Answer['json']) => void): Promise<void> {
  await eventually(async () => {
    const manifest = JSON.parse((await ok(stage, 'GET', `${path}/json`)).data);
    change(manifest);
    await ok(stage, 'PUT', path, { data: text(manifest) });
  });
}

/** A policy of the namespace that puts one object into some clusters; everywhere when none is named. */
export const policyFor = (apiVersion: string, kind: string, name: string, ...clusterNames: readonly string[]) =>
  text({
    metadata: { name: `${name}-${kind}`.toLowerCase() },
    spec: {
      resourceSelectors: [{ apiVersion, kind, name }],
      placement: { clusterAffinity: clusterNames.length > 0 ? { clusterNames } : {} },
    },
  });
