/**
 * Makes a member's object what a manifest says, or takes it away: the only code that writes into members.
 *
 * An object that is not there is created without asking first; one that is there is written over only if it is ours (or
 * may be taken over), keeping what belongs to the member, and only if something would change. A member whose own
 * webhooks rewrite our fields is not fought: what was written once is written again only after the member's object or
 * the manifest has changed. A member that serves the kind in another version than the manifest's is written to in that
 * one; the answer is in the manifest's.
 */
import { createHash } from 'node:crypto';
import { jsonEqual } from '#base/json.ts';
import { hasReason, StatusError } from '#base/status-error.ts';
import { LABELS, MANAGED_ANNOTATIONS, MANAGED_LABELS } from '#karmada/apis/index.ts';
import type { Member } from '#karmada/cluster/members.ts';
import { prune, type ResourceInterpreter } from '#karmada/interpreter/index.ts';
import { convert } from '#karmada/versions/index.ts';
import type { ApiResource } from '#kube/client/kube-client.ts';
import { apiVersionOf, gvkOf } from '#kube/meta/gvk.ts';
import { keyOf, type KubeObject } from '#kube/meta/object.ts';
import { isManaged, objectVersion, retainClusterFields, takeoverProblem } from './retain.ts';

export interface Applied {
  /** The object as the member has it now. */
  readonly object: KubeObject;
  readonly change: 'created' | 'recreated' | 'updated' | 'unchanged';
}

export interface Applier {
  /** `observed` is what the copy has of it, if it has it. */
  apply(
    member: Member,
    resource: ApiResource,
    manifest: KubeObject,
    observed: KubeObject | undefined,
  ): Promise<Applied>;
  remove(member: Member, resource: ApiResource, manifest: KubeObject, observed: KubeObject | undefined): Promise<void>;
  /** Leaves the object in the member and takes off it all that says it was ours. */
  letGo(member: Member, resource: ApiResource, manifest: KubeObject): Promise<void>;
  /** Forgets what was written for a manifest. */
  forget(manifest: KubeObject): void;
}

const ATTEMPTS = 3;

interface Written {
  readonly manifest: KubeObject;
  readonly version: string;
  /** The state over which writing the manifest changed nothing. Of a Service, whose every status is a new version. */
  readonly idle: string | undefined;
}

export function applier(interpreter: ResourceInterpreter): Applier {
  /** What was written last, and what came of it. */
  const written = new Map<string, Written>();
  const idOf = (manifest: KubeObject) => `${manifest.apiVersion} ${manifest.kind} ${keyOf(manifest)}`;
  const note = (id: string, manifest: KubeObject, object: KubeObject, idle?: string) =>
    written.set(id, { manifest, version: objectVersion(object), idle });

  async function create(
    member: Member,
    resource: ApiResource,
    manifest: KubeObject,
    id: string,
  ): Promise<Applied | undefined> {
    const change = written.has(id) ? 'recreated' : 'created';
    try {
      const object = await member.client.create(resource, manifest);
      note(id, manifest, object);
      return { object, change };
    } catch (error) {
      if (hasReason(error, 'AlreadyExists')) return undefined;
      throw error;
    }
  }

  async function update(
    member: Member,
    resource: ApiResource,
    manifest: KubeObject,
    observed: KubeObject,
    id: string,
  ): Promise<Applied> {
    const problem = takeoverProblem(manifest, observed, member.name);
    if (problem) throw new StatusError('Conflict', problem);
    const unchanged: Applied = { object: observed, change: 'unchanged' };
    let desired: KubeObject = retainClusterFields(manifest, observed);
    if (interpreter.handles(gvkOf(desired), 'Retain')) desired = await interpreter.retain(desired, observed);
    const settled = retainClusterFields(prune(observed), observed);
    if (jsonEqual(settled, desired)) {
      note(id, manifest, observed);
      return unchanged;
    }
    const last = written.get(id);
    const isLast = last !== undefined && jsonEqual(last.manifest, manifest);
    const asWritten = isLast && last.version === objectVersion(observed);
    if (asWritten && jsonEqual(settled.metadata, desired.metadata)) return unchanged;
    const print = fingerprint(settled);
    if (isLast && last.idle === print) return unchanged;
    const object = await member.client.update(resource, desired);
    const isSame = object.metadata.resourceVersion === observed.metadata.resourceVersion;
    note(id, manifest, object, isSame ? print : undefined);
    return { object, change: isSame ? 'unchanged' : 'updated' };
  }

  async function get(member: Member, resource: ApiResource, { metadata }: KubeObject): Promise<KubeObject | undefined> {
    try {
      return await member.client.get(resource, metadata);
    } catch (error) {
      if (hasReason(error, 'NotFound')) return undefined;
      throw error;
    }
  }

  async function write(
    member: Member,
    resource: ApiResource,
    manifest: KubeObject,
    observed: KubeObject | undefined,
    id: string,
  ): Promise<Applied> {
    let current = observed;
    for (let attempt = 1; ; attempt++) {
      try {
        if (current) return await update(member, resource, manifest, current, id);
        const created = await create(member, resource, manifest, id);
        if (created) return created;
      } catch (error) {
        const stale = hasReason(error, 'Conflict', 'NotFound') && current !== undefined;
        if (!stale || attempt >= ATTEMPTS || takeoverProblem(manifest, current ?? manifest, member.name)) throw error;
      }
      current = await get(member, resource, manifest);
    }
  }

  return {
    async apply(member, resource, manifest, observed) {
      const shaped = convert(manifest, apiVersionOf(resource));
      const applied = await write(member, resource, shaped, observed, idOf(manifest));
      return shaped === manifest ? applied : { ...applied, object: convert(applied.object, manifest.apiVersion) };
    },
    async remove(member, resource, manifest, observed) {
      written.delete(idOf(manifest));
      const current = observed ?? (await get(member, resource, manifest));
      // Somebody else's object of the same name stays.
      if (!current || !isManaged(current)) return;
      try {
        // Said aloud, because the default for Jobs is to leave their pods behind.
        await member.client.delete(resource, manifest.metadata, { propagationPolicy: 'Background' });
      } catch (error) {
        if (!hasReason(error, 'NotFound')) throw error;
      }
    },
    async letGo(member, resource, manifest) {
      written.delete(idOf(manifest));
      const current = await get(member, resource, manifest);
      if (current && isManaged(current)) await member.client.update(resource, unmarked(current));
    },
    forget: (manifest) => void written.delete(idOf(manifest)),
  };
}

const CLAIM_KEYS = /^(cluster)?propagationpolicy\.karmada\.io\//;

function unmarked(object: KubeObject): KubeObject {
  const { labels = {}, annotations = {} } = object.metadata;
  const without = (entries: Readonly<Record<string, string>>, keys: readonly string[]) =>
    Object.fromEntries(Object.entries(entries).filter(([key]) => !keys.includes(key) && !CLAIM_KEYS.test(key)));
  return {
    ...object,
    metadata: {
      ...object.metadata,
      labels: without(labels, [...MANAGED_LABELS, LABELS.clusterBindingId]),
      annotations: without(annotations, MANAGED_ANNOTATIONS),
    },
  };
}

/** Of an object without its status, whatever its version. */
function fingerprint({ metadata: { resourceVersion: _version, ...metadata }, ...rest }: KubeObject): string {
  return createHash('sha256')
    .update(JSON.stringify({ ...rest, metadata }))
    .digest('base64');
}
