/**
 * One replica's view of a Lease: whether it is free, and taking, renewing and giving it back.
 *
 * A Lease of someone else counts as taken for its whole duration after its last change was *seen* here, whatever times
 * it carries: the clocks of replicas need not agree. Every write is guarded by the resourceVersion, so of several who
 * try at once one succeeds.
 */
import { type Clock, rfc3339Micro } from '#base/clock.ts';
import { hasReason } from '#base/status-error.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import type { KubeObject } from '#kube/meta/object.ts';

export interface LeaseObject extends KubeObject {
  readonly spec?: {
    readonly holderIdentity?: string;
    readonly leaseDurationSeconds?: number;
    readonly acquireTime?: string;
    readonly renewTime?: string;
    readonly leaseTransitions?: number;
  };
}

export interface Lease {
  /** Takes or renews it; false when it is someone else's. Throws when the server does not say. */
  take(signal: AbortSignal): Promise<boolean>;
  /** Gives it back, so that nobody has to wait for its end. */
  release(): Promise<void>;
  /** The holder as last seen. */
  leader(): string | undefined;
}

export interface LeaseOptions {
  readonly client: Pick<KubeClient, 'get' | 'create' | 'update'>;
  readonly namespace: string;
  readonly name: string;
  /** Who this is, among all that compete; unique for each process. */
  readonly identity: string;
  readonly leaseMs: number;
  readonly clock: Clock;
}

const LEASES = { group: 'coordination.k8s.io', version: 'v1', resource: 'leases' };

export function lease({ client, namespace, name, identity, leaseMs, clock }: LeaseOptions): Lease {
  let seen: { readonly object: LeaseObject; readonly at: number } | undefined;
  const holder = () => seen?.object.spec?.holderIdentity || undefined;

  function observe(object: LeaseObject): void {
    if (seen?.object.metadata.resourceVersion !== object.metadata.resourceVersion) seen = { object, at: clock.now() };
  }

  function isTaken(): boolean {
    if (!seen || holder() === undefined || holder() === identity) return false;
    const seconds = seen.object.spec?.leaseDurationSeconds ?? leaseMs / 1000;
    return clock.now() < seen.at + seconds * 1000;
  }

  /** The Lease as it reads when it is ours from now on. */
  function ours(old: LeaseObject | undefined): LeaseObject {
    const now = rfc3339Micro(clock.now());
    const renewed = old?.spec?.holderIdentity === identity;
    return {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: old?.metadata ?? { namespace, name },
      spec: {
        holderIdentity: identity,
        leaseDurationSeconds: Math.ceil(leaseMs / 1000),
        acquireTime: (renewed && old.spec?.acquireTime) || now,
        renewTime: now,
        leaseTransitions: (old?.spec?.leaseTransitions ?? 0) + (old && !renewed ? 1 : 0),
      },
    };
  }

  /** Whether this write was the one that succeeded. */
  async function put(object: LeaseObject, options: { readonly signal?: AbortSignal }): Promise<boolean> {
    const exists = object.metadata.resourceVersion !== undefined;
    try {
      observe(await (exists ? client.update(LEASES, object, options) : client.create(LEASES, object, options)));
      return true;
    } catch (error) {
      if (hasReason(error, 'Conflict', 'AlreadyExists', 'NotFound')) return false;
      throw error;
    }
  }

  async function current(signal: AbortSignal): Promise<LeaseObject | undefined> {
    try {
      return await client.get<LeaseObject>(LEASES, { namespace, name }, { signal });
    } catch (error) {
      if (hasReason(error, 'NotFound')) return undefined;
      throw error;
    }
  }

  return {
    leader: holder,
    async take(signal) {
      // The holder knows the Lease and need not read it first; when someone touched it meanwhile it reads after all.
      if (seen && holder() === identity && (await put(ours(seen.object), { signal }))) return true;
      const found = await current(signal);
      if (found) observe(found);
      return found && isTaken() ? false : put(ours(found), { signal });
    },
    async release() {
      if (!seen || holder() !== identity) return;
      const renewTime = rfc3339Micro(clock.now());
      const spec = { ...seen.object.spec, holderIdentity: '', leaseDurationSeconds: 1, renewTime };
      await put({ ...seen.object, spec }, {});
    },
  };
}
