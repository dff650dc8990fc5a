/** What a server serves, found by the kind that references name it by. */
import type { ApiResource } from '#kube/client/kube-client.ts';
import { apiVersionOf, groupResource } from '#kube/meta/gvk.ts';

export interface ResourceMap {
  ofKind(apiVersion: string, kind: string): ApiResource | undefined;
  /** One version of every resource whose objects can be listed, watched and deleted. */
  collectable(): readonly ApiResource[];
}

const NEEDED = ['list', 'watch', 'delete'];
/** They come and go by the thousand and own nothing. */
const SKIPPED = new Set(['events', 'events.events.k8s.io']);

export function resourceMap(all: readonly ApiResource[]): ResourceMap {
  const byKind = new Map(all.map((resource) => [`${apiVersionOf(resource)} ${resource.kind}`, resource]));
  return {
    ofKind: (apiVersion, kind) => byKind.get(`${apiVersion} ${kind}`),
    collectable() {
      const found = new Map<string, ApiResource>();
      for (const resource of all) {
        const id = groupResource(resource);
        const fits = NEEDED.every((verb) => resource.verbs.includes(verb)) && !SKIPPED.has(id);
        if (fits && !found.has(id)) found.set(id, resource);
      }
      return [...found.values()];
    },
  };
}
