/** Rights: given, taken back, and explained. */
import type { MessageInitShape } from '@bufbuild/protobuf';
import { badRequest } from '#base/status-error.ts';
import { AccessService, type BindingSchema } from '#gen/proto/ghippo/api/access/v1alpha1/access_service_pb.ts';
import { ghippoPermission } from '#ghippo/apis/ghippo-product.ts';
import type { AccessBinding } from '#ghippo/apis/kinds.ts';
import type { Scope } from '#ghippo/apis/scope.ts';
import type { Ghippo } from '#ghippo/ghippo.ts';
import { type ServedService, service } from '#rpc/index.ts';
import { callerIn } from './caller-in.ts';
import { given, paged, scopeFrom, scopeMessage, subjectFrom, subjectMessage } from './messages.ts';

export function accessApi({ bindings, guard, snapshot }: Ghippo): ServedService {
  return service(AccessService, {
    async listBindings(request, context) {
      const scope = scopeFrom(request.scope);
      const subject = request.subject?.name ? { subject: subjectFrom(request.subject) } : {};
      const filter = { ...(scope ? { scope } : {}), ...subject, ...given({ role: request.role }) };
      const { items, pagination } = paged(request, await bindings.listBindings(callerIn(context), filter));
      return { items: items.map(bindingMessage), pagination };
    },
    async grant({ name, role, scope, subjects }, context) {
      const input = {
        role,
        scope: requireScope(scopeFrom(scope)),
        subjects: subjects.map(subjectFrom),
        ...given({ name }),
      };
      return bindingMessage(await bindings.grant(callerIn(context), input));
    },
    async revoke({ name, subject }, context) {
      if (subject?.name) await bindings.revokeFrom(callerIn(context), name, subjectFrom(subject));
      else await bindings.revoke(callerIn(context), name);
      return {};
    },
    async decide(request, context) {
      const caller = callerIn(context);
      const scope = requireScope(scopeFrom(request.scope));
      const user = request.user || caller.user;
      // Everyone may ask about themselves, and with their own token as it is.
      if (user !== caller.user)
        await guard.require(caller, { permission: ghippoPermission('access', 'list'), scope, name: user });
      const own = user === caller.user && caller.token ? { token: caller.token } : {};
      const verdict = snapshot.decide({ user, permission: request.permission, scope, ...own });
      return verdict.allowed
        ? { allowed: true, reason: verdict.because.sentence, binding: verdict.because.binding }
        : { allowed: false, reason: verdict.missing.sentence };
    },
    async whoCan({ permission, scope }, context) {
      const able = await bindings.whoCan(callerIn(context), permission, requireScope(scopeFrom(scope)));
      return {
        items: able.map(({ user, because }) => ({ user, reason: because.sentence, binding: because.binding })),
      };
    },
  });
}

function requireScope(scope: Scope | undefined): Scope {
  if (!scope) throw badRequest('a scope is needed: which place is meant');
  return scope;
}

function bindingMessage({ metadata, spec }: AccessBinding): MessageInitShape<typeof BindingSchema> {
  return {
    name: metadata.name,
    role: spec.role,
    scope: scopeMessage(spec.scope),
    subjects: spec.subjects.map(subjectMessage),
  };
}
