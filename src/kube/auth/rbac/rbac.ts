/**
 * Role-based access control of one API server.
 *
 * Decisions read what the server has stored, not a copy that trails behind it: a binding counts from the moment its
 * creation was answered, and no longer than until its deletion was. Where to start: `policy-rule.ts` for what a rule
 * gives, `rbac-index.ts` for who has which rules, `escalation.ts` for who may hand them out, `bootstrap/` for what is
 * there from the beginning.
 */
import type { AdmissionPlugin } from '#kube/apiserver/admission.ts';
import type { ApiServer } from '#kube/apiserver/api-server.ts';
import { ensureBootstrapPolicy } from './bootstrap/ensure-policy.ts';
import { noEscalation } from './escalation.ts';
import { type RbacAuthorizer, rbacAuthorizer } from './rbac-authorizer.ts';
import { type AnyBinding, type AnyRole, rbacIndex } from './rbac-index.ts';

const GROUP = 'rbac.authorization.k8s.io';

export interface Rbac {
  readonly authorizer: RbacAuthorizer;
  /** Refuses roles and bindings that give more than their author has. */
  readonly admission: AdmissionPlugin;
  /** Until then nobody but `system:masters` may do anything. */
  start(server: Pick<ApiServer, 'client' | 'observe'>): Promise<void>;
}

export function rbac(): Rbac {
  const index = rbacIndex();
  const authorizer = rbacAuthorizer(index);
  return {
    authorizer,
    admission: noEscalation({ index, authorizer }),
    async start(server) {
      for (const resource of ['clusterroles', 'roles']) {
        server.observe({ group: GROUP, resource }, (before, after) =>
          index.role(before as AnyRole | undefined, after as AnyRole | undefined),
        );
      }
      for (const resource of ['clusterrolebindings', 'rolebindings']) {
        server.observe({ group: GROUP, resource }, (before, after) =>
          index.binding(before as AnyBinding | undefined, after as AnyBinding | undefined),
        );
      }
      await ensureBootstrapPolicy(server.client(undefined, 'kube-apiserver'));
    },
  };
}
