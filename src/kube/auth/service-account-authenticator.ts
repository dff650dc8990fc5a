/**
 * Service accounts as callers.
 *
 * A token is believed only while the account (same uid), and the pod, Secret or node it is bound to, still exist; a
 * legacy one only while its Secret still holds it.
 */
import type { Secret } from '#gen/kube/types.ts';
import type { Clock } from '#base/clock.ts';
import { hasReason } from '#base/status-error.ts';
import type { User } from '#kube/apiserver/admission.ts';
import type { Authenticator } from '#kube/apiserver/auth/authenticate.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import type { Gvr } from '#kube/meta/gvk.ts';
import type { KubeObject, ObjectKey } from '#kube/meta/object.ts';
import { ISSUER, type ObjectRef, type TokenClaims, type TokenSigner, userName } from './service-account-token.ts';

export const ACCOUNTS: Gvr = { group: '', version: 'v1', resource: 'serviceaccounts' };
export const SECRETS: Gvr = { group: '', version: 'v1', resource: 'secrets' };
export const PODS: Gvr = { group: '', version: 'v1', resource: 'pods' };
export const NODES: Gvr = { group: '', version: 'v1', resource: 'nodes' };

export interface ServiceAccountDeps {
  readonly signer: TokenSigner;
  /** A client of the server itself, that may read everything; asked for late, because it needs the server. */
  readonly client: () => Pick<KubeClient, 'get'>;
  readonly clock: Clock;
}

export function serviceAccountAuthenticator({ signer, client, clock }: ServiceAccountDeps): Authenticator {
  async function find<T extends KubeObject>(gvr: Gvr, key: ObjectKey): Promise<T | undefined> {
    try {
      return await client().get<T>(gvr, key);
    } catch (error) {
      if (hasReason(error, 'NotFound')) return undefined;
      throw error;
    }
  }

  /** Whether the object is still the one meant, and not long deleted. */
  async function isThere(gvr: Gvr, key: ObjectKey, uid: string): Promise<boolean> {
    const metadata = (await find(gvr, key))?.metadata;
    if (!metadata || metadata.uid !== uid) return false;
    const { deletionTimestamp } = metadata;
    return deletionTimestamp === undefined || Date.parse(deletionTimestamp) + AFTER_DELETION_MS >= clock.now();
  }

  /** Taking it out of its Secret is how a legacy token is revoked. */
  async function isHeld(token: string, key: ObjectKey): Promise<boolean> {
    const secret = await find<Secret>(SECRETS, key);
    if (!secret || secret.metadata.deletionTimestamp !== undefined) return false;
    return secret.data?.['token'] === Buffer.from(token).toString('base64');
  }

  async function isGood(token: string, { account, heldBy, pod, secret, node }: TokenClaims): Promise<boolean> {
    const { namespace } = account;
    const inNamespace = (gvr: Gvr, { name, uid }: ObjectRef) => isThere(gvr, { namespace, name }, uid);
    if (!(await inNamespace(ACCOUNTS, account))) return false;
    if (heldBy !== undefined) return isHeld(token, { namespace, name: heldBy });
    if (secret) return inNamespace(SECRETS, secret);
    if (pod) return inNamespace(PODS, pod);
    return node ? isThere(NODES, { name: node.name }, node.uid) : true;
  }

  return async ({ token, audiences: wanted = [ISSUER] }) => {
    if (token === undefined) return undefined;
    const claims = signer.read(token, clock.now());
    const audiences = claims?.audiences.filter((audience) => wanted.includes(audience)) ?? [];
    if (!claims || audiences.length === 0 || !(await isGood(token, claims))) return undefined;
    return { ...accountUser(claims), audiences };
  };
}

/** As long as in Kubernetes: what was deleted a moment ago may still be finishing its work. */
const AFTER_DELETION_MS = 60_000;

function accountUser({ account, id, pod, node }: TokenClaims): User {
  const groups = ['system:serviceaccounts', `system:serviceaccounts:${account.namespace}`];
  const user = { name: userName(account), uid: account.uid, groups };
  if (id === undefined) return user;
  const extra = (key: string, value: string | undefined) =>
    value ? { [`authentication.kubernetes.io/${key}`]: [value] } : {};
  return {
    ...user,
    extra: {
      ...extra('credential-id', `JTI=${id}`),
      ...extra('node-name', node?.name),
      ...extra('node-uid', node?.uid),
      ...extra('pod-name', pod?.name),
      ...extra('pod-uid', pod?.uid),
    },
  };
}
