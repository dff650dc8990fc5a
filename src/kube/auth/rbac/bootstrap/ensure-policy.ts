/**
 * Brings the bootstrap policy into a cluster, and repairs it at each start.
 *
 * What is missing is added: objects, rules, subjects, labels. What an administrator added stays, and an object whose
 * autoupdate annotation is `false` is left alone.
 */
import type { ClusterRole, RbacV1Subject } from '#gen/kube/types.ts';
import { type Draft, draftOf, jsonEqual } from '#base/json.ts';
import { hasReason } from '#base/status-error.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import { typed, type TypedClient } from '#kube/client/typed-client.ts';
import { aggregateRoles } from '../aggregation-controller.ts';
import type { AnyBinding, AnyRole } from '../rbac-index.ts';
import { missingRights } from '../rights.ts';
import {
  bootstrapClusterRoleBindings,
  bootstrapClusterRoles,
  bootstrapRoleBindings,
  bootstrapRoles,
  isKeptUpToDate,
} from './bootstrap-objects.ts';

export async function ensureBootstrapPolicy(client: KubeClient): Promise<void> {
  const of = <T extends AnyRole | AnyBinding>(resource: string, { kind, metadata }: T) =>
    typed<T>(client, {
      gvr: { group: 'rbac.authorization.k8s.io', version: 'v1', resource },
      kind,
      namespaced: metadata.namespace !== undefined,
    });
  await Promise.all([
    ...bootstrapClusterRoles().map((role) => ensureRole(of('clusterroles', role), role)),
    ...bootstrapRoles().map((role) => ensureRole(of('roles', role), role)),
    ...bootstrapClusterRoleBindings().map((binding) => ensureBinding(of('clusterrolebindings', binding), binding)),
    ...bootstrapRoleBindings().map((binding) => ensureBinding(of('rolebindings', binding), binding)),
  ]);
  // Before anybody asks: otherwise the first moments would know no admin, edit or view.
  await aggregateRoles(client);
}

async function ensureRole<T extends AnyRole>(client: TypedClient<T>, wanted: T): Promise<void> {
  if (await created(client, wanted)) return;
  await client.modify(wanted.metadata, (draft) => {
    if (isKeptUpToDate(draft.metadata.annotations)) repairRole(draft, wanted);
  });
}

async function ensureBinding<T extends AnyBinding>(client: TypedClient<T>, wanted: T): Promise<void> {
  if (await created(client, wanted)) return;
  const found = await client.find(wanted.metadata);
  if (!found || !isKeptUpToDate(found.metadata.annotations)) return;
  // A binding's role never changes: one that points elsewhere has to be made again.
  if (!jsonEqual(found.roleRef, wanted.roleRef)) {
    await client.remove(wanted.metadata);
    await created(client, wanted);
    return;
  }
  await client.modify(wanted.metadata, (draft) => repairBinding(draft, wanted));
}

/** False when it exists already. */
async function created<T extends AnyRole | AnyBinding>(client: TypedClient<T>, wanted: T): Promise<boolean> {
  if (await client.find(wanted.metadata)) return false;
  try {
    await client.create(wanted);
    return true;
  } catch (error) {
    if (hasReason(error, 'AlreadyExists')) return false;
    throw error;
  }
}

export function repairRole(draft: Draft<AnyRole>, wanted: AnyRole): void {
  repairMetadata(draft, wanted);
  const held = draft.rules ?? [];
  const lacking = (wanted.rules ?? []).filter((rule) => missingRights(held, [rule]).length > 0);
  if (lacking.length > 0) draft.rules = [...held, ...draftOf(lacking)];
  const { aggregationRule } = wanted as ClusterRole;
  if (!aggregationRule) return;
  const selectors = ((draft as Draft<ClusterRole>).aggregationRule ??= {}).clusterRoleSelectors ?? [];
  const missing = (aggregationRule.clusterRoleSelectors ?? []).filter(
    (one) => !selectors.some((s) => jsonEqual(s, one)),
  );
  if (missing.length === 0) return;
  (draft as Draft<ClusterRole>).aggregationRule = { clusterRoleSelectors: [...selectors, ...draftOf(missing)] };
}

export function repairBinding(draft: Draft<AnyBinding>, wanted: AnyBinding): void {
  repairMetadata(draft, wanted);
  const has = (subject: RbacV1Subject) => draft.subjects?.some((other) => isSame(other, subject)) === true;
  const lacking = (wanted.subjects ?? []).filter((subject) => !has(subject));
  if (lacking.length > 0) draft.subjects = [...(draft.subjects ?? []), ...draftOf(lacking)];
}

function repairMetadata(draft: Draft<AnyRole | AnyBinding>, { metadata }: AnyRole | AnyBinding): void {
  draft.metadata.labels = { ...draft.metadata.labels, ...metadata.labels };
  draft.metadata.annotations = { ...metadata.annotations, ...draft.metadata.annotations };
}

function isSame(a: RbacV1Subject, b: RbacV1Subject): boolean {
  return a.kind === b.kind && a.name === b.name && (a.namespace ?? '') === (b.namespace ?? '');
}
