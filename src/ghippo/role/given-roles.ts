/** What somebody was given in one place, as a whole: replaced at once, by as few bindings as it takes. */
import type { Caller } from '#ghippo/access/index.ts';
import type { AccessBinding, Subject } from '#ghippo/apis/kinds.ts';
import type { Scope } from '#ghippo/apis/scope.ts';
import type { BindingsService } from './bindings-service.ts';

/** Gives what is missing before it takes what is too much: nobody who changes their own is left without rights between. */
export async function replaceRoles(
  bindings: BindingsService,
  caller: Caller,
  subject: Subject,
  scope: Scope,
  roles: readonly string[],
): Promise<readonly AccessBinding[]> {
  const wanted = new Set(roles);
  const given = await bindings.listBindings(caller, { scope, subject });
  const kept = given.filter(({ spec }) => wanted.has(spec.role));
  const missing = [...wanted].filter((role) => !kept.some(({ spec }) => spec.role === role));
  const added: AccessBinding[] = [];
  for (const role of missing) added.push(await bindings.grant(caller, { role, scope, subjects: [subject] }));
  for (const { metadata, spec } of given) {
    if (!wanted.has(spec.role)) await bindings.revokeFrom(caller, metadata.name, subject);
  }
  return [...kept, ...added];
}
