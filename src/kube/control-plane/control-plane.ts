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
import type { PriorityClass } from '#gen/kube/types.ts';
import { type ApiServer, type ApiServerOptions, apiServer } from '#kube/apiserver/api-server.ts';
import { runKubeControllers } from '#kube/apiserver/controllers/kube-controllers.ts';
import { defaultServiceAccountController } from '#kube/auth/default-service-account-controller.ts';
import { openIdDocuments } from '#kube/auth/open-id-documents.ts';
import { aggregationController } from '#kube/auth/rbac/aggregation-controller.ts';
import { rbac } from '#kube/auth/rbac/index.ts';
import { requester } from '#kube/auth/requester.ts';
import { rootCaController } from '#kube/auth/root-ca-controller.ts';
import { serviceAccountAuthenticator } from '#kube/auth/service-account-authenticator.ts';
import { newServiceAccountKey, tokenSigner } from '#kube/auth/service-account-token.ts';
import { tokenRequests } from '#kube/auth/token-request.ts';
import { tokenSecretController } from '#kube/auth/token-secret-controller.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import { cleaningController, conditionTimes, signerPermission, signingController } from '#kube/certificates/index.ts';
import type { KeyPair } from '#kube/pki/index.ts';
import { manager } from '#kube/runtime/manager.ts';
import { podPriority } from './pod-priority.ts';
import { podRuntimeClass } from './pod-runtime-class.ts';
import { podServiceAccount } from './pod-service-account.ts';

const PRIORITY_CLASSES = { group: 'scheduling.k8s.io', version: 'v1', resource: 'priorityclasses' } as const;

export interface ControlPlaneOptions extends ApiServerOptions {
  /** The private key (PEM, P-256) that signs tokens of service accounts. A new one when absent: tokens then end with the process. */
  readonly serviceAccountKey?: string;
  /** The authority (PEM) of the server's certificate, told to whoever gets a token. */
  readonly ca?: () => string | undefined;
  /** The authority that signs client certificates which have been asked for and approved; nobody does when absent. */
  readonly signingAuthority?: KeyPair;
  /** Whether the controllers of a cluster run with the server. Default: yes; no where others run them. */
  readonly controllers?: boolean;
  /**
   * Whether each namespace gets a service account `default`, and each pod the account it names or that one. Default: yes;
   * where no pods run, nobody would use it.
   */
  readonly defaultServiceAccounts?: boolean;
}

export async function controlPlane(options: ControlPlaneOptions): Promise<ApiServer> {
  const { clock = systemClock, ids = randomIds, log = silentLog, ca = () => undefined } = options;
  const signer = tokenSigner(options.serviceAccountKey ?? newServiceAccountKey());
  let reader: KubeClient | undefined;
  const accounts = { signer, client: () => (reader ??= server.client()), clock, ids };
  const access = rbac();
  const { authorizer = access.authorizer, signingAuthority } = options;
  const server = await apiServer({
    ...options,
    authorizer,
    admission: [
      ...(options.admission ?? []),
      access.admission,
      requester,
      ...(options.defaultServiceAccounts === false ? [] : [podServiceAccount(accounts)]),
      podPriority(async () => (await accounts.client().list<PriorityClass>(PRIORITY_CLASSES)).items),
      podRuntimeClass(accounts.client),
      conditionTimes(clock),
      signerPermission(authorizer),
    ],
    authenticators: [...(options.authenticators ?? []), serviceAccountAuthenticator(accounts)],
    extensions: [tokenRequests(accounts), ...(options.extensions ?? [])],
    documents: { ...openIdDocuments(signer), ...options.documents },
  });
  await access.start(server);
  if (options.controllers === false) return server;

  const stop = new AbortController();
  const client = server.client(undefined, 'kube-controller-manager');
  const authority = ca();
  const controllers = [
    tokenSecretController({ client, signer, ca }),
    ...(options.defaultServiceAccounts === false ? [] : [defaultServiceAccountController({ client })]),
    aggregationController({ client }),
    cleaningController({ client, clock }),
    ...(signingAuthority ? [signingController({ client, clock, authority: signingAuthority })] : []),
    ...(authority === undefined ? [] : [rootCaController({ client, ca: authority })]),
  ];
  const running = Promise.all([
    runKubeControllers({ client, server, clock, ids, log }, stop.signal),
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
