/**
 * Nobody hands out rights they do not have: whoever writes a role or a binding must hold all it gives, or be allowed to
 * `escalate` that role, or to `bind` it. An aggregated role may come to hold anything, so it takes all rights.
 */
import type { ClusterRole, RoleRef } from '#gen/kube/types.ts';
import { jsonEqual } from '#base/json.ts';
import { notFound, type StatusError } from '#base/status-error.ts';
import type { AdmissionPlugin, AdmissionRequest, User } from '#kube/apiserver/admission.ts';
import { MASTERS } from '#kube/apiserver/auth/authenticate.ts';
import { forbidden } from '#kube/apiserver/failures.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import type { PolicyRule } from './policy-rule.ts';
import type { RbacAuthorizer } from './rbac-authorizer.ts';
import { type AnyBinding, type AnyRole, type RbacIndex } from './rbac-index.ts';
import { describeRights, goList, missingRights } from './rights.ts';

const GROUP = 'rbac.authorization.k8s.io';
const ROLES = new Set(['roles', 'clusterroles']);
const BINDINGS = new Set(['rolebindings', 'clusterrolebindings']);
const EVERYTHING: readonly PolicyRule[] = [
  { verbs: ['*'], apiGroups: ['*'], resources: ['*'] },
  { verbs: ['*'], nonResourceURLs: ['*'] },
];

export function noEscalation({ index, authorizer }: { index: RbacIndex; authorizer: RbacAuthorizer }): AdmissionPlugin {
  function validate(request: AdmissionRequest): void {
    const { object, oldObject, user } = request;
    if (!object || user.groups.includes(MASTERS) || (oldObject && isHousekeeping(object, oldObject))) return;
    if (ROLES.has(request.gvr.resource)) checkRole(request, object as unknown as AnyRole);
    else checkBinding(request, (object as unknown as AnyBinding).roleRef);
  }

  function checkRole(request: AdmissionRequest, role: AnyRole): void {
    if (mayEscalate(request)) return;
    confirm(request, role.rules ?? []);
    if (!aggregates(role) && !aggregates(request.oldObject)) return;
    if (lacking(request, EVERYTHING).missing.length === 0) return;
    throw refusal(request, 'must have cluster-admin privileges to use the aggregationRule');
  }

  function checkBinding(request: AdmissionRequest, { kind, name }: RoleRef): void {
    const { user, namespace } = request;
    const resource = kind === 'Role' ? 'roles' : 'clusterroles';
    const bind = { verb: 'bind', group: GROUP, version: '*', resource, name, namespace };
    if (authorizer.authorize(user, bind).allowed) return;
    const rules = index.rulesOf(kind, name, namespace);
    if (!rules) throw notFound(kind.toLowerCase(), name, GROUP);
    confirm(request, rules);
  }

  function mayEscalate({ user, gvr, namespace, operation, name }: AdmissionRequest): boolean {
    // As in Kubernetes, a right to one name does not help whoever creates it: the name is not part of that request.
    const named = operation === 'CREATE' ? {} : { name };
    const escalate = { verb: 'escalate', group: GROUP, version: '*', resource: gvr.resource, namespace, ...named };
    return authorizer.authorize(user, escalate).allowed;
  }

  function lacking({ user, namespace }: AdmissionRequest, wanted: readonly PolicyRule[]) {
    const { resourceRules, nonResourceRules, evaluationError } = authorizer.rules(user, namespace ?? '');
    return { missing: missingRights([...resourceRules, ...nonResourceRules], wanted), evaluationError };
  }

  function confirm(request: AdmissionRequest, wanted: readonly PolicyRule[]): void {
    const { missing, evaluationError } = lacking(request, wanted);
    if (missing.length === 0) return;
    const errors = evaluationError === undefined ? '' : `; resolution errors: [${evaluationError}]`;
    throw refusal(request, `${attempt(request.user)}:\n${describeRights(missing).join('\n')}${errors}`);
  }

  return {
    name: 'rbac-escalation',
    handles: ({ operation, gvr, subresource }) =>
      gvr.group === GROUP &&
      subresource === undefined &&
      operation !== 'DELETE' &&
      (ROLES.has(gvr.resource) || BINDINGS.has(gvr.resource)),
    validate,
  };
}

function attempt({ name, groups }: User): string {
  return `user ${JSON.stringify(name)} (groups=${goList(groups)}) is attempting to grant RBAC permissions not currently held`;
}

function refusal({ gvr: { resource }, name }: AdmissionRequest, why: string): StatusError {
  return forbidden({ group: GROUP, resource }, name, why);
}

function aggregates(role: object | undefined): boolean {
  const { aggregationRule } = (role ?? {}) as Partial<ClusterRole>;
  return (aggregationRule?.clusterRoleSelectors?.length ?? 0) > 0;
}

/** Whether only what the garbage collector needs to change has changed. */
function isHousekeeping(object: object, old: KubeObject): boolean {
  return jsonEqual(withoutHousekeeping(object as KubeObject), withoutHousekeeping(old));
}

function withoutHousekeeping(object: KubeObject): object {
  const { ownerReferences: _o, finalizers: _f, managedFields: _m, resourceVersion: _r, ...metadata } = object.metadata;
  return { ...object, metadata };
}
