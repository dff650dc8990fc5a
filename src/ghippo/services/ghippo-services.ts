import type { Ghippo } from '#ghippo/ghippo.ts';
import type { ServedService } from '#rpc/index.ts';
import { accessApi } from './access-service.ts';
import { accountApi } from './account-service.ts';
import { auditApi } from './audit-service.ts';
import { groupApi } from './group-service.ts';
import { loginApi } from './login-service.ts';
import { roleApi } from './role-service.ts';
import { usersApi } from './users-service.ts';
import { workspaceApi } from './workspace-service.ts';

/**
 * Ghippo's API, for an `rpcHandler`. Each service decides for itself who may; callers need only be known, and those who
 * sign in not even that.
 */
export function ghippoServices(ghippo: Ghippo): readonly ServedService[] {
  return [usersApi, groupApi, roleApi, workspaceApi, accessApi, accountApi, auditApi, loginApi].map((api) =>
    api(ghippo),
  );
}
