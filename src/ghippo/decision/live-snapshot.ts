/**
 * The snapshot of the global cluster, kept current by watching it.
 *
 * Not ready until everything was seen once: {@link LiveSnapshot.decide} then denies with `NotReady`, because a decision
 * on half of the bindings would be a guess. Afterwards a change is in the next decision as soon as the watch tells it,
 * on every replica that watches.
 */
import { StatusError } from '#base/status-error.ts';
import {
  ACCESS_BINDING,
  type AccessBinding,
  FOLDER,
  type Folder,
  GROUP,
  type Group,
  PRODUCT,
  type Product,
  ROLE,
  type Role,
  USER,
  type User,
  WORKSPACE,
  WORKSPACE_RESOURCE,
  type Workspace,
  type WorkspaceResource,
} from '#ghippo/apis/kinds.ts';
import type { Informers } from '#kube/runtime/informer.ts';
import { decide } from './decide.ts';
import { type AccessSnapshot, accessSnapshot } from './snapshot.ts';
import type { AccessRequest, Verdict } from './verdict.ts';

/** Whoever answers "may they?": replaceable as a whole. */
export interface Authorizer {
  decide(request: AccessRequest): Verdict;
}

export interface LiveSnapshot extends Authorizer {
  /** Resolves when everything was seen once. */
  readonly ready: Promise<void>;
  isReady(): boolean;
  /** Throws `ServiceUnavailable` until ready. */
  current(): AccessSnapshot;
  /** Told after anything changed that a decision may depend on; the returned function ends it. */
  subscribe(changed: () => void): () => void;
}

export function liveSnapshot(informers: Informers): LiveSnapshot {
  const sources = {
    users: informers<User>(USER),
    groups: informers<Group>(GROUP),
    folders: informers<Folder>(FOLDER),
    workspaces: informers<Workspace>(WORKSPACE),
    workspaceResources: informers<WorkspaceResource>(WORKSPACE_RESOURCE),
    roles: informers<Role>(ROLE),
    bindings: informers<AccessBinding>(ACCESS_BINDING),
    products: informers<Product>(PRODUCT),
  };
  const all = Object.values(sources);
  const listeners = new Set<() => void>();
  let known: AccessSnapshot | undefined;
  let isReady = false;

  function changed(): void {
    known = undefined;
    for (const listener of listeners) listener();
  }
  for (const source of all) source.subscribe(changed);
  const ready = Promise.all(all.map(({ synced }) => synced)).then(() => {
    isReady = true;
  });
  ready.catch(() => undefined);

  function current(): AccessSnapshot {
    if (!isReady) throw new StatusError('ServiceUnavailable', 'who may do what is not known yet');
    // Made when it is asked for: a thousand changes in a row cost one snapshot.
    known ??= accessSnapshot({
      users: sources.users.list(),
      groups: sources.groups.list(),
      folders: sources.folders.list(),
      workspaces: sources.workspaces.list(),
      workspaceResources: sources.workspaceResources.list(),
      roles: sources.roles.list(),
      bindings: sources.bindings.list(),
      products: sources.products.list(),
    });
    return known;
  }

  return {
    ready,
    isReady: () => isReady,
    current,
    decide: (request) => (isReady ? decide(current(), request) : notReady(request)),
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

function notReady({ permission, scope }: AccessRequest): Verdict {
  const missing = { reason: 'NotReady', sentence: 'who may do what is not known yet', roles: [], near: [] } as const;
  return { allowed: false, permission, scope, missing };
}
