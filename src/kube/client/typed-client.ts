/**
 * One resource with its type, and the few things controllers do with it.
 *
 * Every write is guarded by the resourceVersion of what was read, so an actor with an old view of the world cannot undo
 * what happened since; where the intention does not depend on what was read (`ensure`, `modify`, finalizers) a conflict
 * is answered by reading again. Nothing is written when nothing would change.
 */
import { type Draft, draftOf, jsonEqual } from '#base/json.ts';
import { hasReason } from '#base/status-error.ts';
import { apiVersionOf, type Gvr } from '#kube/meta/gvk.ts';
import { type KubeObject, type ObjectKey, parseKey } from '#kube/meta/object.ts';
import type { DeleteOptions, KubeClient, ListOptions, Unnamed } from './kube-client.ts';
import { covers, overlay } from './overlay.ts';

export interface TypedResource {
  readonly gvr: Gvr;
  readonly kind: string;
  readonly namespaced: boolean;
}

/** `namespace/name`, the bare name of a cluster-scoped object, or the two apart. */
export type Key = string | ObjectKey;

/** What a controller wants an object to say; what it leaves out is left alone, and status is never part of it. */
export type Desired<T extends KubeObject> = {
  // Remapped instead of Omit, which forgets every named field of a type with an index signature.
  readonly [Field in keyof T as Field extends 'apiVersion' | 'kind' | 'status' ? never : Field]: T[Field];
};

export interface TypedClient<T extends KubeObject> extends TypedResource {
  find(key: Key): Promise<T | undefined>;
  /** Throws `NotFound`. */
  get(key: Key): Promise<T>;
  list(options?: ListOptions): Promise<readonly T[]>;
  create(desired: Desired<T>): Promise<T>;
  /** Replaces the object; throws `Conflict` when it changed since it was read. */
  update(object: T): Promise<T>;
  /** Makes the object say what `desired` states; `null` states that a field is absent. */
  ensure(desired: Desired<T>): Promise<'created' | 'updated' | 'unchanged'>;
  /** Reads, lets `change` edit a copy, writes; again when someone else was faster. Undefined when there is no object. */
  modify(key: Key, change: (draft: Draft<T>) => void): Promise<T | undefined>;
  /** Replaces the status read with `object`; throws `Conflict` when the object changed since. */
  updateStatus(object: T, status: T['status']): Promise<T>;
  addFinalizer(object: T, finalizer: string): Promise<T>;
  /** Takes the finalizer away; an object already gone is what was wanted. */
  dropFinalizer(object: T, finalizer: string): Promise<void>;
  /** Asks for deletion; an object already gone is what was wanted. */
  remove(key: Key, options?: DeleteOptions): Promise<void>;
}

const ATTEMPTS = 5;

export function typed<T extends KubeObject>(client: KubeClient, resource: TypedResource): TypedClient<T> {
  const { gvr, kind } = resource;
  const apiVersion = apiVersionOf(gvr);
  const complete = (desired: Desired<T>) => ({ apiVersion, kind, ...desired }) as unknown as T;

  async function find(key: Key): Promise<T | undefined> {
    return orUndefined(client.get<T>(gvr, asKey(key)));
  }

  async function ensureOnce(desired: T): Promise<'created' | 'updated' | 'unchanged'> {
    const current = await find(desired.metadata);
    if (!current) {
      await client.create(gvr, overlay({}, desired));
      return 'created';
    }
    if (covers(current, desired)) return 'unchanged';
    await client.update(gvr, overlay(current, desired));
    return 'updated';
  }

  async function modifyOnce(key: Key, change: (draft: Draft<T>) => void, known?: T): Promise<T | undefined> {
    const current = known ?? (await find(key));
    if (!current) return undefined;
    const draft = draftOf(current);
    change(draft);
    if (jsonEqual(current, draft)) return current;
    return orUndefined(client.update<T>(gvr, draft as unknown as T));
  }

  /** Starts from what the caller has seen, which is usually current, and reads only when it is not. */
  function modifyFrom(object: T, change: (draft: Draft<T>) => void): Promise<T | undefined> {
    return insist((attempt) => modifyOnce(object.metadata, change, attempt === 1 ? object : undefined));
  }

  return {
    ...resource,
    find,
    get: (key) => client.get(gvr, asKey(key)),
    list: async (options) => (await client.list<T>(gvr, options)).items,
    create: (desired) => client.create<T>(gvr, complete(desired) as unknown as Unnamed<T>),
    update: (object) => client.update(gvr, object),
    ensure: ({ ...desired }) => {
      delete (desired as { status?: unknown }).status;
      return insist(() => ensureOnce(complete(desired)));
    },
    modify: (key, change) => insist(() => modifyOnce(key, change)),
    async updateStatus(object, status) {
      if (jsonEqual(object['status'], status)) return object;
      return client.update<T>(gvr, { ...object, status }, { subresource: 'status' });
    },
    async addFinalizer(object, finalizer) {
      const changed = await modifyFrom(object, ({ metadata }) => {
        if (!metadata.finalizers?.includes(finalizer))
          metadata.finalizers = [...(metadata.finalizers ?? []), finalizer];
      });
      return changed ?? client.get(gvr, asKey(object.metadata));
    },
    async dropFinalizer(object, finalizer) {
      const drop = ({ metadata }: Draft<T>) => {
        if (metadata.uid !== object.metadata.uid || !metadata.finalizers?.includes(finalizer)) return;
        metadata.finalizers = metadata.finalizers.filter((other) => other !== finalizer);
      };
      // A view without the finalizer may be from before it was added.
      const isSeen = object.metadata.finalizers?.includes(finalizer) === true;
      await (isSeen ? modifyFrom(object, drop) : insist(() => modifyOnce(object.metadata, drop)));
    },
    async remove(key, options) {
      await orUndefined(client.delete(gvr, asKey(key), options));
    },
  };
}

/** Again while others get in between: a conflict, or someone who created the same object first. */
async function insist<R>(action: (attempt: number) => Promise<R>): Promise<R> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await action(attempt);
    } catch (error) {
      if (attempt === ATTEMPTS || !hasReason(error, 'Conflict', 'AlreadyExists')) throw error;
    }
  }
}

async function orUndefined<R>(answer: Promise<R>): Promise<R | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (hasReason(error, 'NotFound')) return undefined;
    throw error;
  }
}

function asKey(key: Key): ObjectKey {
  if (typeof key === 'string') return parseKey(key);
  return key.namespace === undefined ? { name: key.name } : { namespace: key.namespace, name: key.name };
}
