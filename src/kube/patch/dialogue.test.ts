/**
 * The requests of the recorded dialogue that patch objects or change their managers, put to the functions of this
 * folder in the order they were made. The answers of the real server say what must come out.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { StatusError } from '#base/status-error.ts';
import type { ManagedFieldsEntry } from '#kube/meta/object.ts';
import type { Schema } from '#kube/schema/schema.ts';
import {
  type AnyObject,
  applyJsonPatch,
  applyMergePatch,
  manageScale,
  manageUpdate,
  serverSideApply,
  strategicMergePatch,
  withManagedFields,
} from './index.ts';
import { configMapSchema, deploymentSchema, type Exchange, exchange, gizmoSchema } from './testing.ts';

/** One object through a part of the dialogue; the state after each answer is what the next request meets. */
function conversation(schema: Schema, apiVersion: string, resetOfStatus: readonly (readonly string[])[]) {
  let live: AnyObject | undefined;
  const manager = ({ query }: Exchange) => query.get('fieldManager') ?? '';
  const subresource = ({ path }: Exchange) => /\/(status|scale)$/.exec(path)?.[1];

  const writer = (said: Exchange) => ({
    schema,
    apiVersion,
    manager: manager(said),
    now: latest(said),
    subresource: subresource(said),
    resetFields: subresource(said) === 'status' ? resetOfStatus : undefined,
  });

  return {
    live: () => live,

    /** The object was sent or patched into `next`; by default, into what the server answered. */
    updated(label: string, next?: (live: AnyObject | undefined, said: Exchange) => AnyObject, creator?: string): void {
      it(label, () => {
        const said = exchange(label);
        const stored = withManagedFields(said.answer, managersOf(live));
        const update = {
          ...writer(said),
          ...(creator ? { manager: creator } : {}),
          live,
          next: next?.(live, said) ?? stored,
        };
        assertEntries(manageUpdate(update), said);
        live = said.answer;
      });
    },

    applied(label: string): void {
      it(label, () => {
        const said = exchange(label);
        const apply = { ...writer(said), kind: kindOf(said), live, config: said.request };
        const { object, managedFields } = serverSideApply({ ...apply, force: said.query.get('force') === 'true' });
        assertEntries(managedFields, said);
        assert.deepEqual(dataOf(object), dataOf(said.answer));
        live = said.answer;
      });
    },

    refused(label: string): void {
      it(label, () => {
        const said = exchange(label);
        const apply = {
          ...writer(said),
          kind: kindOf(said),
          live,
          config: said.request,
          force: said.query.has('force'),
        };
        assertRefused(() => serverSideApply(apply), said);
      });
    },

    scaled(label: string): void {
      it(label, () => {
        const said = exchange(label);
        assert.ok(live);
        const spec = live['spec'] as Record<string, unknown>;
        const { replicas } = said.request['spec'] as { replicas: number };
        const from = spec['replicas'] as number;
        const rescale = { live, from, to: replicas, manager: '', apiVersion, replicasPath: ['spec', 'replicas'] };
        live = withManagedFields({ ...live, spec: { ...spec, replicas } }, manageScale(rescale));
      });
    },
  };

  function kindOf(said: Exchange): string {
    return String(live?.['kind'] ?? said.request['kind']);
  }
}

function managersOf(object: AnyObject | undefined): readonly ManagedFieldsEntry[] | undefined {
  return (object?.['metadata'] as { managedFields?: ManagedFieldsEntry[] } | undefined)?.managedFields;
}

/** The time of the request, as far as the answer tells. */
function latest({ answer }: Exchange): number {
  return Math.max(0, ...(managersOf(answer) ?? []).map(({ time }) => (time ? Date.parse(time) : 0)));
}

/** Custom resources are printed with all keys sorted, so their order says nothing about ours. */
function assertEntries(entries: readonly ManagedFieldsEntry[], { answer }: Exchange): void {
  const expected = managersOf(answer) ?? [];
  const builtIn = Object.keys(answer)[0] === 'kind';
  if (builtIn) assert.equal(JSON.stringify(entries), JSON.stringify(expected));
  else assert.deepEqual(entries, expected);
}

function assertRefused(run: () => unknown, { code, answer }: Exchange): void {
  assert.throws(run, (error) => {
    assert.ok(error instanceof StatusError);
    assert.equal(error.message, answer.message);
    assert.deepEqual(
      [error.code, error.reason === 'Unknown' ? undefined : error.reason, error.details?.causes],
      [code, answer.reason, answer.details?.causes],
    );
    return true;
  });
}

const dataOf = (object: AnyObject): unknown => ({ data: object['data'], spec: object['spec'] });

describe('a ConfigMap that is updated and patched', () => {
  const object = conversation(configMapSchema, 'v1', []);
  object.updated('create cm', undefined, 'gold');
  object.updated('put ok no rv', (_, { request }) => request);
  object.updated('put noop (rv same?)', (_, { request }) => request);
  object.updated('merge patch', (live, { request }) => applyMergePatch(live, request) as AnyObject);
  object.updated('smp', (live, { request }) => strategicMergePatch(configMapSchema, live, request) as AnyObject);
  object.updated('json patch', (live, { request }) => applyJsonPatch(live, request) as AnyObject);
});

describe('JSON patches that are refused', () => {
  const live = { data: { d: '9' } };
  for (const label of ['json patch test fail', 'json patch missing path', 'json patch malformed']) {
    it(label, () => assertRefused(() => applyJsonPatch(live, exchange(label).request), exchange(label)));
  }
});

describe('a ConfigMap that is applied', () => {
  const object = conversation(configMapSchema, 'v1', []);
  object.applied('ssa create');
  object.applied('ssa same');
  object.refused('ssa conflict');
  object.applied('ssa force');
  object.applied('ssa remove');
  object.applied('ssa shared same value');
  object.updated('update after ssa', (live, { request }) => applyMergePatch(live, request) as AnyObject);
  object.refused('ssa managedFields set');
  object.refused('ssa name mismatch');
  object.refused('ssa no apiVersion');
  object.refused('ssa unknown field');
  object.updated('clear managedFields', (live, { request }) => applyMergePatch(live, request) as AnyObject);
});

describe('a Deployment', () => {
  const object = conversation(deploymentSchema, 'apps/v1', [['spec'], ['metadata', 'labels']]);
  const merged = (before: AnyObject | undefined, { request }: Exchange) =>
    applyMergePatch(before, request) as AnyObject;
  object.updated('dep create', (_, { answer }) => ({
    ...withManagedFields(answer, undefined),
    status: { replicas: 99 },
  }));
  object.updated('dep spec change', merged);
  object.updated('dep label change', merged);
  object.updated('dep annot change', merged);
  object.updated('dep status via main ignored', merged);
  object.updated('dep status sub', merged);
  object.scaled('scale put');
  object.scaled('scale patch');

  for (const label of ['smp list merge', 'smp list delete', 'smp replace', 'smp retainKeys']) {
    it(`${label}: the names and the order of containers`, () => {
      const { request, answer } = exchange(label);
      const patched = strategicMergePatch(deploymentSchema, object.live(), request);
      assert.deepEqual(namesIn(patched), namesIn(answer));
      assert.deepEqual(strategyIn(patched), strategyIn(answer));
    });
    object.updated(label);
  }
  object.applied('ssa dep list');
});

interface Workload {
  readonly spec: {
    readonly strategy: object;
    readonly template: { readonly spec: { readonly containers: { name: string }[] } };
  };
}

const namesIn = (object: unknown) => (object as Workload).spec.template.spec.containers.map(({ name }) => name);
const strategyIn = (object: unknown) => (object as Workload).spec.strategy;

describe('a custom resource', () => {
  const group = exchange('crd create').request['spec'] as { group: string };
  const object = conversation(gizmoSchema(), `${group.group}/v1`, [['spec']]);
  const merged = (before: AnyObject | undefined, { request }: Exchange) =>
    applyMergePatch(before, request) as AnyObject;
  object.updated('cr create defaults+prune', (_, { answer }) => ({
    ...withManagedFields(answer, undefined),
    status: { replicas: 9 },
  }));
  object.updated('cr put rv');
  object.updated('cr status via main', merged);
  object.updated('cr status sub', merged);
  object.updated('cr metadata patch no gen bump', merged);
  object.scaled('cr scale patch');
  object.applied('cr ssa');
  object.applied('cr ssa 2nd mgr');
  object.refused('cr ssa conflict');
  object.applied('cr ssa drop');
  object.refused('cr ssa status');
  object.refused('cr ssa wrong version');
});
