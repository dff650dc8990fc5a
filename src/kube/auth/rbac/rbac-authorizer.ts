/** Decides by roles and bindings, and says by which, in Kubernetes' words. */
import type { User } from '#kube/apiserver/admission.ts';
import type { Attributes, Authorizer, Decision, SubjectRules } from '#kube/apiserver/auth/authorize.ts';
import type { PolicyRule } from './policy-rule.ts';
import type { Grant, RbacIndex } from './rbac-index.ts';

/** It reads memory only, so it answers at once. */
export interface RbacAuthorizer extends Authorizer {
  authorize(user: User, attributes: Attributes): Decision;
  rules(user: User, namespace: string): SubjectRules;
}

export function rbacAuthorizer(index: Pick<RbacIndex, 'visit'>): RbacAuthorizer {
  return {
    authorize(user, attributes) {
      let by: Grant | undefined;
      let missing: Set<string> | undefined;
      index.visit(user, 'path' in attributes ? undefined : attributes.namespace, (grant, rules) => {
        if (!rules) (missing ??= new Set()).add(notFoundText(grant));
        else if (rules.allow(attributes)) by = grant;
        return by !== undefined;
      });
      if (by) return { allowed: true, reason: `RBAC: allowed by ${describeGrant(by)}` };
      return missing ? { allowed: false, reason: `RBAC: ${aggregate([...missing])}` } : { allowed: false };
    },
    rules(user, namespace) {
      const all: PolicyRule[] = [];
      const missing = new Set<string>();
      index.visit(user, namespace, (grant, rules) => {
        if (rules) all.push(...rules.all);
        else missing.add(notFoundText(grant));
        return false;
      });
      return subjectRules(all, [...missing]);
    },
  };
}

function subjectRules(rules: readonly PolicyRule[], missing: readonly string[]): SubjectRules {
  return {
    resourceRules: rules
      .filter(({ resources }) => resources !== undefined && resources.length > 0)
      .map(({ verbs, apiGroups, resources, resourceNames }) => ({
        verbs,
        ...(apiGroups ? { apiGroups } : {}),
        ...(resources ? { resources } : {}),
        ...(resourceNames ? { resourceNames } : {}),
      })),
    nonResourceRules: rules
      .filter(({ nonResourceURLs }) => nonResourceURLs !== undefined && nonResourceURLs.length > 0)
      .map(({ verbs, nonResourceURLs = [] }) => ({ verbs, nonResourceURLs })),
    incomplete: missing.length > 0,
    ...(missing.length > 0 ? { evaluationError: aggregate(missing) } : {}),
  };
}

function describeGrant({ binding, subject }: Grant): string {
  const { name, namespace } = binding.metadata;
  const { kind, name: role } = binding.roleRef;
  const bound = namespace ? `RoleBinding "${name}/${namespace}"` : `ClusterRoleBinding "${name}"`;
  const account = subject.kind === 'ServiceAccount';
  const who = account ? `${subject.name}/${subject.namespace || namespace || ''}` : subject.name;
  return `${bound} of ${kind} "${role}" to ${subject.kind} "${who}"`;
}

function notFoundText({ binding: { roleRef } }: Grant): string {
  return `${roleRef.kind.toLowerCase()}.rbac.authorization.k8s.io "${roleRef.name}" not found`;
}

/** Several errors as Kubernetes prints them: one bare, more in brackets. */
function aggregate(errors: readonly string[]): string {
  return errors.length === 1 ? (errors[0] ?? '') : `[${errors.join(', ')}]`;
}
