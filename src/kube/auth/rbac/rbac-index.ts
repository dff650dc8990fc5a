/**
 * Who has been given which roles, arranged so that a decision looks only at what concerns its user and namespace.
 *
 * It is told of each change to roles and bindings by {@link RbacIndex.role} and {@link RbacIndex.binding}; a binding to
 * a role that does not exist gives nothing, until the role does.
 */
import type { ClusterRole, ClusterRoleBinding, RbacV1Subject, Role, RoleBinding } from '#gen/kube/types.ts';
import type { User } from '#kube/apiserver/admission.ts';
import { userName } from '../service-account-token.ts';
import type { PolicyRule } from './policy-rule.ts';

export type AnyRole = ClusterRole | Role;
export type AnyBinding = ClusterRoleBinding | RoleBinding;

/** A role given to a subject by a binding. */
export interface Grant {
  readonly binding: AnyBinding;
  readonly subject: RbacV1Subject;
  readonly role: string;
}

export interface RbacIndex {
  role(before: AnyRole | undefined, after: AnyRole | undefined): void;
  binding(before: AnyBinding | undefined, after: AnyBinding | undefined): void;
  /**
   * Shows what a user has been given, everywhere and in one namespace, until `look` answers true. `rules` is absent
   * when the role does not exist.
   */
  visit(
    user: User,
    namespace: string | undefined,
    look: (grant: Grant, rules: readonly PolicyRule[] | undefined) => boolean,
  ): void;
  rulesOf(roleKind: string, name: string, namespace: string | undefined): readonly PolicyRule[] | undefined;
}

type Grants = Map<string, readonly Grant[]>;

/** Where the grants of ClusterRoleBindings are; no namespace has an empty name. */
const EVERYWHERE = '';
const NO_RULES: readonly PolicyRule[] = [];

export function rbacIndex(): RbacIndex {
  const rules = new Map<string, readonly PolicyRule[]>();
  const grants = new Map<string, Grants>();

  function add(binding: AnyBinding): void {
    const place = placeOf(binding);
    const there = grants.get(place) ?? new Map<string, readonly Grant[]>();
    grants.set(place, there);
    const role = roleKey(binding.roleRef.kind, binding.roleRef.name, binding.metadata.namespace);
    for (const subject of binding.subjects ?? []) {
      const who = whoIs(subject);
      // In the order of names, so that the reason given for a decision does not depend on what happened when.
      const all = [...(there.get(who) ?? []), { binding, subject, role }];
      there.set(who, all.sort(byName));
    }
  }

  function drop(binding: AnyBinding): void {
    const place = placeOf(binding);
    const there = grants.get(place);
    for (const subject of binding.subjects ?? []) {
      const who = whoIs(subject);
      const rest = there?.get(who)?.filter((grant) => grant.binding.metadata.name !== binding.metadata.name) ?? [];
      if (rest.length > 0) there?.set(who, rest);
      else there?.delete(who);
    }
    if (there?.size === 0) grants.delete(place);
  }

  function visitAt(place: string, user: User, look: Parameters<RbacIndex['visit']>[2]): boolean {
    const there = grants.get(place);
    if (!there) return false;
    const see = (who: string) => there.get(who)?.some((grant) => look(grant, rules.get(grant.role))) === true;
    return see(`u:${user.name}`) || user.groups.some((group) => see(`g:${group}`));
  }

  return {
    role(before, after) {
      const role = after ?? before;
      if (!role) return;
      const key = roleKey(role.kind, role.metadata.name, role.metadata.namespace);
      if (after) rules.set(key, after.rules ?? NO_RULES);
      else rules.delete(key);
    },
    binding(before, after) {
      if (before) drop(before);
      if (after) add(after);
    },
    visit(user, namespace, look) {
      if (visitAt(EVERYWHERE, user, look)) return;
      if (namespace) visitAt(namespace, user, look);
    },
    rulesOf: (kind, name, namespace) => rules.get(roleKey(kind, name, namespace)),
  };
}

function placeOf({ metadata }: AnyBinding): string {
  return metadata.namespace ?? EVERYWHERE;
}

function roleKey(kind: string, name: string, namespace: string | undefined): string {
  return kind === 'Role' ? `Role/${namespace ?? ''}/${name}` : `${kind}/${name}`;
}

/** Service accounts are users of a certain name. */
function whoIs({ kind, name, namespace = '' }: RbacV1Subject): string {
  if (kind === 'ServiceAccount') return `u:${userName({ namespace, name })}`;
  return kind === 'Group' ? `g:${name}` : `u:${name}`;
}

function byName(a: Grant, b: Grant): number {
  const [one, other] = [a.binding.metadata.name, b.binding.metadata.name];
  return one < other ? -1 : one > other ? 1 : 0;
}
