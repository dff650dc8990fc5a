/**
 * One resource as it is stored at this moment, found by key, namespace or owner.
 *
 * The API server tells a view of each write before it answers the writer. A controller that has made something finds it
 * in the view on its next look and cannot make it twice, and a look costs no request. Objects are shared: never to be
 * changed.
 */
import type { ApiServer } from '#kube/apiserver/api-server.ts';
import type { Gvr } from '#kube/meta/gvk.ts';
import { keyOf, type KubeObject } from '#kube/meta/object.ts';
import { controllerOf } from './owners.ts';

export interface LiveView<T extends KubeObject> {
  readonly gvr: Gvr;
  /** `namespace/name`, or the bare name of a cluster-scoped object. */
  get(key: string): T | undefined;
  list(): readonly T[];
  inNamespace(namespace: string): readonly T[];
  /** What the owner with this uid controls. */
  ownedBy(uid: string): readonly T[];
  /** What nobody controls, in a namespace. */
  orphans(namespace: string): readonly T[];
  /** What a grouping given to {@link liveView} put under a name. */
  grouped(name: string): readonly T[];
}

/** Names under which an object is found besides its key, namespace and owner. */
export type Grouping<T extends KubeObject> = (object: T) => Iterable<string>;

export function liveView<T extends KubeObject>(
  server: Pick<ApiServer, 'observe'>,
  gvr: Gvr,
  grouping: Grouping<T> = () => [],
): LiveView<T> {
  const objects = new Map<string, T>();
  const groups = new Map<string, Map<string, T>>();

  function* groupsOf(object: T): Iterable<string> {
    const { namespace = '' } = object.metadata;
    const owner = controllerOf(object);
    yield `in ${namespace}`;
    yield owner ? `of ${owner.uid}` : `orphan ${namespace}`;
    for (const name of grouping(object)) yield `at ${name}`;
  }

  function forget(key: string): void {
    const old = objects.get(key);
    if (!old) return;
    objects.delete(key);
    for (const name of groupsOf(old)) {
      const group = groups.get(name);
      group?.delete(key);
      if (group?.size === 0) groups.delete(name);
    }
  }

  function remember(key: string, object: T): void {
    objects.set(key, object);
    for (const name of groupsOf(object)) {
      const group = groups.get(name);
      if (group) group.set(key, object);
      else groups.set(name, new Map([[key, object]]));
    }
  }

  const members = (name: string): readonly T[] => [...(groups.get(name)?.values() ?? [])];
  server.observe(gvr, (before, after) => {
    if (before) forget(keyOf(before));
    if (after) remember(keyOf(after), after as T);
  });
  return {
    gvr,
    get: (key) => objects.get(key),
    list: () => [...objects.values()],
    inNamespace: (namespace) => members(`in ${namespace}`),
    ownedBy: (uid) => members(`of ${uid}`),
    orphans: (namespace) => members(`orphan ${namespace}`),
    grouped: (name) => members(`at ${name}`),
  };
}
