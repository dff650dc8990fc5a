/** Which resources are served right now. Changes with every CRD; discovery and OpenAPI are rendered from it. */
import type { Gvr } from '#kube/meta/gvk.ts';
import type { Served } from './served.ts';

export interface Registry {
  find(gvr: Gvr): Served | undefined;
  /** Whether any resource of this group and version is served. */
  hasVersion(group: string, version: string): boolean;
  all(): readonly Served[];
  add(served: Served): void;
  remove(gvr: Gvr): void;
  /** Grows with every change: what was rendered for an older one is stale. */
  generation(): number;
}

export function registry(): Registry {
  const byId = new Map<string, Served>();
  let generation = 0;

  return {
    find: (gvr) => byId.get(idOf(gvr)),
    hasVersion(group, version) {
      for (const { definition } of byId.values()) {
        if (definition.group === group && definition.version === version) return true;
      }
      return false;
    },
    all: () => [...byId.values()],
    add(served) {
      byId.set(idOf(served.definition), served);
      generation++;
    },
    remove(gvr) {
      if (byId.delete(idOf(gvr))) generation++;
    },
    generation: () => generation,
  };
}

function idOf({ group, version, resource }: Gvr): string {
  return `${group}/${version}/${resource}`;
}
