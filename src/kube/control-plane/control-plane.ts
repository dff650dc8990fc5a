/**
 * A Kubernetes control plane: an API server, who may use it, and the controllers every cluster relies on.
 *
 *     const plane = await controlPlane({ store, serviceAccountKey, ca: () => serving.ca.cert });
 *     await plane.listen({ port: 6443, tls });
 *
 * Beyond {@link apiServer} it has service accounts with tokens, roles and bindings that decide what each user may do,
 * and what a new namespace is given. Workloads are not its business: a member cluster adds those.
 */
import { systemClock } from '#base/clock.ts';
import { randomIds } from '#base/ids.ts';
import { silentLog } from '#base/log.ts';
import { type ApiServer, type ApiServerOptions, apiServer } from '#kube/apiserver/api-server.ts';
import { mastersOnly } from '#kube/apiserver/auth/authorize.ts';
import { runKubeControllers } from '#kube/apiserver/controllers/kube-controllers.ts';
import { defaultServiceAccountController } from '#kube/auth/default-service-account-controller.ts';
import { rbacAuthorizer, rbacIndex } from '#kube/auth/rbac/index.ts';
import type { AnyBinding, AnyRole, RbacIndex } from '#kube/auth/rbac/rbac-index.ts';
import { rootCaController } from '#kube/auth/root-ca-controller.ts';
import { newServiceAccountKey, tokenSigner } from '#kube/auth/service-account-token.ts';
import { serviceAccountTokens, tokenRequests } from '#kube/auth/service-accounts.ts';
import { tokenSecretController } from '#kube/auth/token-secret-controller.ts';
import { manager } from '#kube/runtime/manager.ts';

export interface ControlPlaneOptions extends ApiServerOptions {
  /** The private key (PEM, P-256) that signs tokens of service accounts. A new one when absent: tokens then end with the process. */
  readonly serviceAccountKey?: string;
  /** The authority (PEM) of the server's certificate, told to whoever gets a token. */
  readonly ca?: () => string | undefined;
}

export async function controlPlane(options: ControlPlaneOptions): Promise<ApiServer> {
  const { clock = systemClock, ids = randomIds, log = silentLog, ca = () => undefined } = options;
  const signer = tokenSigner(options.serviceAccountKey ?? newServiceAccountKey());
  const accounts = { signer, client: () => server.client(), clock, ids };
  const index = rbacIndex();
  const rbac = rbacAuthorizer(index);
  const server = await apiServer({
    authorizer: {
      ...rbac,
      authorize(user, attributes) {
        const decision = rbac.authorize(user, attributes);
        return decision.allowed ? decision : mastersOnly.authorize(user, attributes);
      },
    },
    ...options,
    authenticators: [...(options.authenticators ?? []), serviceAccountTokens(accounts)],
    extensions: [tokenRequests(accounts), ...(options.extensions ?? [])],
  });
  follow(server, index);

  const stop = new AbortController();
  const client = server.client(undefined, 'kube-controller-manager');
  const authority = ca();
  const controllers = [
    tokenSecretController({ client, signer, ca }),
    defaultServiceAccountController({ client }),
    ...(authority === undefined ? [] : [rootCaController({ client, ca: authority })]),
  ];
  const running = Promise.all([
    runKubeControllers({ client, clock, ids, log }, stop.signal),
    manager({ client, controllers, clock, ids, log }).start(stop.signal),
  ]);
  return {
    ...server,
    async close() {
      stop.abort();
      await running;
      await server.close();
    },
  };
}

const RBAC = 'rbac.authorization.k8s.io';

/** Decisions read what the server has stored, not a copy that trails behind it. */
function follow(server: ApiServer, index: RbacIndex): void {
  for (const resource of ['clusterroles', 'roles']) {
    server.observe({ group: RBAC, resource }, (before, after) =>
      index.role(before as AnyRole | undefined, after as AnyRole | undefined),
    );
  }
  for (const resource of ['clusterrolebindings', 'rolebindings']) {
    server.observe({ group: RBAC, resource }, (before, after) =>
      index.binding(before as AnyBinding | undefined, after as AnyBinding | undefined),
    );
  }
}
