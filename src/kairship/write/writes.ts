/**
 * Everything Kairship changes in an instance or a member, through the instance's own API and as the caller.
 *
 * The instance judges, defaults and refuses; its words are handed on. Each write answers with the revision it made, so
 * that a read can wait for it.
 */
import { jsonEqual } from '#base/json.ts';
import { badRequest, hasReason } from '#base/status-error.ts';
import type { KubeClient, Patch } from '#kube/client/kube-client.ts';
import type { Gvk, Gvr } from '#kube/meta/gvk.ts';
import type { KubeObject, ObjectKey } from '#kube/meta/object.ts';
import { manifestFrom } from './manifest.ts';

/** One resource as both its kind and its path name it. */
export type WrittenKind = Gvk & Gvr;

export interface Written {
  readonly object: KubeObject;
  /** The object as the API answers it. */
  readonly data: string;
  readonly resourceVersion: string;
}

const MANAGER = { fieldManager: 'kairship' } as const;

export interface Writes {
  create(kind: WrittenKind, at: Partial<ObjectKey>, data: string): Promise<Written>;
  /** Replaces the object; one that carries a resourceVersion only if nobody changed it since. */
  replace(kind: WrittenKind, at: Partial<ObjectKey>, data: string): Promise<Written>;
  patch(kind: WrittenKind, at: ObjectKey, patch: Patch): Promise<Written>;
  /** `data` as the API takes it: the JSON text of a merge patch. */
  mergePatch(kind: WrittenKind, at: ObjectKey, data: string): Promise<Written>;
  remove(kind: WrittenKind, at: ObjectKey): Promise<void>;
}

export function writes(client: KubeClient): Writes {
  return {
    async create(kind, { namespace, name }, data) {
      const object = await manifestFrom(data, { gvk: kind, ...given({ namespace, name }) });
      return written(await client.create(kind, object, MANAGER));
    },
    async replace(kind, { namespace, name }, data) {
      const object = await manifestFrom(data, { gvk: kind, ...given({ namespace, name }) });
      if (object.metadata.resourceVersion) return written(await client.update(kind, object, MANAGER));
      return written(await replaceWhatever(client, kind, object));
    },
    patch: async (kind, at, patch) => written(await client.patch(kind, at, patch, MANAGER)),
    async mergePatch(kind, at, data) {
      return written(await client.patch(kind, at, { type: 'merge', body: parsed(data) }, MANAGER));
    },
    // Said, as kubectl says it: a job would leave behind what belongs to it, in an instance all that runs in members.
    remove: (kind, at) => client.delete(kind, at, { propagationPolicy: 'Background' }),
  };
}

const MOST_ATTEMPTS = 10;

/** Whoever named no revision means the object as it is now, however often controllers change it meanwhile. */
async function replaceWhatever(client: KubeClient, kind: WrittenKind, object: KubeObject): Promise<KubeObject> {
  for (let attempt = 1; ; attempt += 1) {
    const { metadata: current } = await client.get(kind, object.metadata);
    const metadata = { ...object.metadata, ...given({ resourceVersion: current.resourceVersion }) };
    try {
      return await client.update(kind, { ...object, metadata }, MANAGER);
    } catch (error) {
      if (attempt === MOST_ATTEMPTS || !hasReason(error, 'Conflict')) throw error;
    }
  }
}

function written(object: KubeObject): Written {
  return { object, data: dataOf(object), resourceVersion: object.metadata.resourceVersion ?? '' };
}

/** As people edit it: without what the server keeps for itself. */
export function dataOf(object: KubeObject): string {
  const { managedFields: _, ...metadata } = object.metadata;
  return JSON.stringify({ ...object, metadata });
}

function parsed(data: string): unknown {
  try {
    const value: unknown = JSON.parse(data);
    if (jsonEqual(value, {})) throw badRequest('the patch changes nothing');
    return value;
  } catch (cause) {
    if (cause instanceof SyntaxError) throw badRequest(`the patch is no JSON: ${cause.message}`);
    throw cause;
  }
}

function given<T extends Readonly<Record<string, string | undefined>>>(values: T): { [K in keyof T]?: string } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: string;
  };
}
