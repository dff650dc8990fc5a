/** Nobody gives more than they have: whoever gives a role must hold all its points where they give it. */
import { type Caller, forbidden, type Guard } from '#ghippo/access/index.ts';
import { ghippoPermission } from '#ghippo/apis/ghippo-product.ts';
import type { Permission } from '#ghippo/apis/permission.ts';
import { PLATFORM, SCOPE_TYPES, type Scope, scopeText } from '#ghippo/apis/scope.ts';
import type { AccessSnapshot } from '#ghippo/decision/snapshot.ts';

const MOST_NAMED = 5;

export function requireNoEscalation(
  guard: Guard,
  snapshot: AccessSnapshot,
  caller: Caller,
  gift: { readonly points: readonly Permission[]; readonly scope: Scope },
): void {
  if (guard.may(caller, ghippoPermission('access', 'escalate'), PLATFORM)) return;
  const { scope } = gift;
  const lacking = gift.points.filter((point) => isUsable(snapshot, point, scope) && !guard.may(caller, point, scope));
  if (lacking.length === 0) return;
  const named = lacking.slice(0, MOST_NAMED).join(', ');
  const more = lacking.length > MOST_NAMED ? ` and ${lacking.length - MOST_NAMED} more` : '';
  throw forbidden(`user "${caller.user}" cannot give what they do not have in ${scopeText(scope)}: ${named}${more}`);
}

/** A point of something wider than the scope gives nothing there. */
function isUsable(snapshot: AccessSnapshot, point: Permission, scope: Scope): boolean {
  const registered = snapshot.point(point);
  return registered !== undefined && SCOPE_TYPES.indexOf(registered.scope) >= SCOPE_TYPES.indexOf(scope.type);
}
