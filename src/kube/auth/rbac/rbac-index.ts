/**
 * Who has been given which roles, arranged so that a decision looks only at what concerns its user, its namespace and
 * its API group.
 *
 * It is told of each change to roles and bindings by {@link RbacIndex.role} and {@link RbacIndex.binding}; a binding to
 * a role that does not exist gives nothing, until the role does.
 */
import type { ClusterRole, ClusterRoleBinding, RbacV1Subject, Role, RoleBinding } from '#gen/kube/types.ts';
import type { User } from '#kube/apiserver/admission.ts';
import { userName } from '../service-account-token.ts';
import type { PolicyRule } from './policy-rule.ts';
import { type SortedRules, sortedRules } from './sorted-rules.ts';

export type AnyRole = ClusterRole | Role;
export type AnyBinding = ClusterRoleBinding | RoleBinding;

/** A role given to a subject by a binding. */
export interface Grant {
  readonly binding: AnyBinding;
  readonly subject: RbacV1Subject;
  /** Which role, as the index knows it. */
  readonly role: string;
}

export interface RbacIndex {
  role(before: AnyRole | undefined, after: AnyRole | undefined): void;
  binding(before: AnyBinding | undefined, after: AnyBinding | undefined): void;
  /**
   * Shows what a user has been given, everywhere and in one namespace, until `look` answers true. `rules` is absent
   * when the role does not exist.
   */
  visit(user: User, namespace: string | undefined, look: Look): void;
  rulesOf(roleKind: string, name: string, namespace: string | undefined): readonly PolicyRule[] | undefined;
}

export type Look = (grant: Grant, rules: SortedRules | undefined) => boolean;

/** The grants of one namespace, or those that count everywhere. */
interface Place {
  readonly users: Map<string, readonly Grant[]>;
  readonly groups: Map<string, readonly Grant[]>;
}

/** Where the grants of ClusterRoleBindings are; no namespace has an empty name. */
const EVERYWHERE = '';

export function rbacIndex(): RbacIndex {
  const roles = new Map<string, SortedRules>();
  const places = new Map<string, Place>();

  function add(binding: AnyBinding): void {
    const at = placeOf(binding);
    const place = places.get(at) ?? { users: new Map(), groups: new Map() };
    places.set(at, place);
    const role = roleKey(binding.roleRef.kind, binding.roleRef.name, binding.metadata.namespace);
    for (const subject of binding.subjects ?? []) {
      const { grants, who } = whereToFind(subject, place, at);
      // In the order of names, so that the reason given for a decision does not depend on what happened when.
      grants.set(who, [...(grants.get(who) ?? []), { binding, subject, role }].sort(byName));
    }
  }

  function drop(binding: AnyBinding): void {
    const at = placeOf(binding);
    const place = places.get(at);
    if (!place) return;
    for (const subject of binding.subjects ?? []) {
      const { grants, who } = whereToFind(subject, place, at);
      const rest = grants.get(who)?.filter((grant) => grant.binding.metadata.name !== binding.metadata.name) ?? [];
      if (rest.length > 0) grants.set(who, rest);
      else grants.delete(who);
    }
    if (place.users.size + place.groups.size === 0) places.delete(at);
  }

  function show(grants: readonly Grant[] | undefined, look: Look): boolean {
    if (!grants) return false;
    for (const grant of grants) if (look(grant, roles.get(grant.role))) return true;
    return false;
  }

  function showPlace(at: string, user: User, look: Look): boolean {
    const place = places.get(at);
    if (!place) return false;
    if (show(place.users.get(user.name), look)) return true;
    for (const group of user.groups) if (show(place.groups.get(group), look)) return true;
    return false;
  }

  return {
    role(before, after) {
      const role = after ?? before;
      if (!role) return;
      const key = roleKey(role.kind, role.metadata.name, role.metadata.namespace);
      if (after) roles.set(key, sortedRules(after.rules ?? []));
      else roles.delete(key);
    },
    binding(before, after) {
      if (before) drop(before);
      if (after) add(after);
    },
    visit(user, namespace, look) {
      if (showPlace(EVERYWHERE, user, look)) return;
      if (namespace) showPlace(namespace, user, look);
    },
    rulesOf: (kind, name, namespace) => roles.get(roleKey(kind, name, namespace))?.all,
  };
}

function placeOf({ metadata }: AnyBinding): string {
  return metadata.namespace ?? EVERYWHERE;
}

function roleKey(kind: string, name: string, namespace: string | undefined): string {
  return kind === 'Role' ? `Role/${namespace ?? ''}/${name}` : `${kind}/${name}`;
}

/** Service accounts are users of a certain name; in a namespace, those of that namespace need not say so. */
function whereToFind({ kind, name, namespace }: RbacV1Subject, { users, groups }: Place, at: string) {
  if (kind === 'Group') return { grants: groups, who: name };
  return { grants: users, who: kind === 'User' ? name : userName({ namespace: namespace || at, name }) };
}

function byName(a: Grant, b: Grant): number {
  const [one, other] = [a.binding.metadata.name, b.binding.metadata.name];
  return one < other ? -1 : one > other ? 1 : 0;
}
