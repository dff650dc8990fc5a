/** Decisions in words, for people who ask why. */
import type { Subject } from '#ghippo/apis/kinds.ts';
import type { Permission } from '#ghippo/apis/permission.ts';
import { scopeText } from '#ghippo/apis/scope.ts';
import type { GrantPath } from './verdict.ts';

export function grantSentence(user: string, permission: Permission, path: Omit<GrantPath, 'sentence'>): string {
  const { subject, through, binding, role, point, scopes } = path;
  const [asked, ...above] = scopes;
  const bound = scopes.at(-1);
  const who =
    through === undefined
      ? given(user, subject)
      : `${given(user, through.subject)}, holding role "${subject.name}" by binding "${through.binding}",`;
  const where = bound ? scopeText(bound) : '';
  const reach = above.length === 0 || !asked ? '' : `, which contains ${scopeText(asked)}`;
  return `${who} has role "${role}" in ${where} by binding "${binding}"${reach}; the role grants ${permission} by ${point}`;
}

export function subjectText({ kind, name }: Subject): string {
  return kind === 'Role' ? `holders of role "${name}"` : `${kind.toLowerCase()} "${name}"`;
}

function given(user: string, subject: Subject): string {
  return subject.kind === 'User' ? `user "${user}"` : `user "${user}", as a member of group "${subject.name}",`;
}
