/**
 * Who owns whom, over all resources, by uid. Pure but for its own memory.
 *
 * An owner need not be here for its dependents to be: references outlive what they refer to, and that is what the
 * garbage collector looks for.
 */
import type { Gvr } from '#kube/meta/gvk.ts';
import type { KubeObject, OwnerReference } from '#kube/meta/object.ts';

export interface Node {
  readonly gvr: Gvr;
  readonly object: KubeObject;
}

export interface OwnerGraph {
  get(uid: string): Node | undefined;
  dependents(uid: string): readonly Node[];
  put(node: Node): void;
  remove(object: KubeObject): void;
}

export function ownerGraph(): OwnerGraph {
  const nodes = new Map<string, Node>();
  const byOwner = new Map<string, Set<string>>();

  function unlink(uid: string): void {
    for (const owner of ownersOf(nodes.get(uid)?.object)) {
      const set = byOwner.get(owner.uid);
      set?.delete(uid);
      if (set?.size === 0) byOwner.delete(owner.uid);
    }
  }

  return {
    get: (uid) => nodes.get(uid),
    dependents: (uid) =>
      [...(byOwner.get(uid) ?? [])].map((one) => nodes.get(one)).filter((node) => node !== undefined),
    put(node) {
      const { uid } = node.object.metadata;
      if (uid === undefined) return;
      unlink(uid);
      nodes.set(uid, node);
      for (const owner of ownersOf(node.object)) {
        const set = byOwner.get(owner.uid) ?? new Set();
        byOwner.set(owner.uid, set.add(uid));
      }
    },
    remove({ metadata }) {
      if (metadata.uid === undefined) return;
      unlink(metadata.uid);
      nodes.delete(metadata.uid);
    },
  };
}

export function ownersOf(object: KubeObject | undefined): readonly OwnerReference[] {
  return object?.metadata.ownerReferences ?? [];
}
