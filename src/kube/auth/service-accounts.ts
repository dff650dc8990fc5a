/**
 * Service accounts as callers: who a token belongs to, and `POST …/serviceaccounts/{name}/token`.
 *
 * A token is believed only while the account (same uid), and the pod or Secret it is bound to, still exist.
 */
import type { Pod, Secret, ServiceAccount } from '#gen/kube/types.ts';
import { type Clock, rfc3339 } from '#base/clock.ts';
import type { Ids } from '#base/ids.ts';
import { isObject } from '#base/json.ts';
import { badRequest, hasReason, StatusError } from '#base/status-error.ts';
import type { User } from '#kube/apiserver/admission.ts';
import type { Authenticator } from '#kube/apiserver/auth/authenticate.ts';
import type { ApiExtension } from '#kube/apiserver/extension.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import type { Gvr } from '#kube/meta/gvk.ts';
import type { KubeObject, ObjectKey } from '#kube/meta/object.ts';
import { type BoundObject, ISSUER, type TokenClaims, type TokenSigner, userName } from './service-account-token.ts';

const ACCOUNTS: Gvr = { group: '', version: 'v1', resource: 'serviceaccounts' };
const SECRETS: Gvr = { group: '', version: 'v1', resource: 'secrets' };
const PODS: Gvr = { group: '', version: 'v1', resource: 'pods' };

/** Kubernetes' bounds of a token's life, in seconds. */
const SHORTEST = 600;
const LONGEST = 2 ** 32;

export interface ServiceAccountDeps {
  readonly signer: TokenSigner;
  /** A client of the server itself, that may read everything; asked for late, because it needs the server. */
  readonly client: () => KubeClient;
  readonly clock: Clock;
  readonly ids: Ids;
}

/** Takes the tokens that were made for the API server itself. */
export function serviceAccountTokens(deps: ServiceAccountDeps): Authenticator {
  return async ({ token }) => {
    if (token === undefined) return undefined;
    const claims = deps.signer.read(token, deps.clock.now());
    if (!claims?.audiences.includes(ISSUER)) return undefined;
    return accountOf(claims, token, deps.client());
  };
}

/** The user a genuine token stands for, or undefined when what it was made for is gone. */
export async function accountOf(claims: TokenClaims, token: string, client: KubeClient): Promise<User | undefined> {
  const { account, bound, secret } = claims;
  const found = await find<ServiceAccount>(client, ACCOUNTS, account);
  if (!found || found.metadata.uid !== account.uid || found.metadata.deletionTimestamp !== undefined) return undefined;
  if (secret !== undefined && !(await isKept(client, { namespace: account.namespace, name: secret }, token))) {
    return undefined;
  }
  if (bound && !(await stillThere(client, account.namespace, bound))) return undefined;
  return {
    name: userName(account),
    uid: account.uid,
    groups: ['system:serviceaccounts', `system:serviceaccounts:${account.namespace}`],
    ...extraOf(claims),
  };
}

/** Whether a Secret still holds this token: taking it out is how a legacy token is revoked. */
async function isKept(client: KubeClient, key: ObjectKey, token: string): Promise<boolean> {
  const secret = await find<Secret>(client, SECRETS, key);
  if (!secret || secret.metadata.deletionTimestamp !== undefined) return false;
  return secret.data?.['token'] === Buffer.from(token).toString('base64');
}

function extraOf({ id, bound }: TokenClaims): { extra?: User['extra'] & object } {
  if (id === undefined) return {};
  const credential = { 'authentication.kubernetes.io/credential-id': [`JTI=${id}`] };
  if (bound?.kind !== 'Pod') return { extra: credential };
  return {
    extra: {
      ...credential,
      'authentication.kubernetes.io/pod-name': [bound.name],
      'authentication.kubernetes.io/pod-uid': [bound.uid],
    },
  };
}

async function stillThere(client: KubeClient, namespace: string, { kind, name, uid }: BoundObject): Promise<boolean> {
  const gvr = kind === 'Pod' ? PODS : kind === 'Secret' ? SECRETS : undefined;
  if (!gvr) return true;
  return (await find<Pod | Secret>(client, gvr, { namespace, name }))?.metadata.uid === uid;
}

async function find<T extends KubeObject>(client: KubeClient, gvr: Gvr, key: ObjectKey): Promise<T | undefined> {
  try {
    return await client.get<T>(gvr, key);
  } catch (error) {
    if (hasReason(error, 'NotFound')) return undefined;
    throw error;
  }
}

/** `serviceaccounts/token`: makes a bound token. */
export function tokenRequests({ signer, client, clock, ids }: ServiceAccountDeps): ApiExtension {
  return {
    ...ACCOUNTS,
    subresource: 'token',
    kind: { group: 'authentication.k8s.io', version: 'v1', kind: 'TokenRequest' },
    namespaced: true,
    verbs: ['create'],
    async serve(request) {
      const { namespace = '', name = '' } = request;
      const account = await client().get<ServiceAccount>(ACCOUNTS, { namespace, name });
      const asked = specOf(await request.body());
      const audiences = asked.audiences.length > 0 ? asked.audiences : [ISSUER];
      const bound = asked.bound ? await boundObject(client(), namespace, asked.bound) : undefined;
      const now = clock.now();
      const uid = account.metadata.uid ?? '';
      const token = signer.bound(
        { namespace, name, uid },
        { audiences, now, seconds: asked.seconds, id: ids.uid(), ...(bound ? { bound } : {}) },
      );
      return {
        code: 201,
        object: {
          kind: 'TokenRequest',
          apiVersion: 'authentication.k8s.io/v1',
          metadata: { name, namespace, creationTimestamp: rfc3339(now) },
          spec: { audiences, expirationSeconds: asked.seconds, boundObjectRef: asked.bound ?? null },
          status: { token, expirationTimestamp: rfc3339(now + asked.seconds * 1000) },
        },
      };
    },
  };
}

interface BoundRef {
  readonly kind?: string;
  readonly apiVersion?: string;
  readonly name?: string;
  readonly uid?: string;
}

function specOf(body: unknown): { audiences: readonly string[]; seconds: number; bound: BoundRef | undefined } {
  const spec = isObject(body) && isObject(body['spec']) ? body['spec'] : {};
  const { audiences, expirationSeconds = 3600, boundObjectRef } = spec;
  if (typeof expirationSeconds !== 'number' || !Number.isInteger(expirationSeconds)) {
    throw badRequest('spec.expirationSeconds must be a whole number');
  }
  if (expirationSeconds < SHORTEST)
    throw outOfBounds(expirationSeconds, 'may not specify a duration less than 10 minutes');
  if (expirationSeconds > LONGEST)
    throw outOfBounds(expirationSeconds, 'may not specify a duration larger than 2^32 seconds');
  return {
    audiences: Array.isArray(audiences) ? audiences.filter((audience) => typeof audience === 'string') : [],
    seconds: expirationSeconds,
    bound: isObject(boundObjectRef) ? boundObjectRef : undefined,
  };
}

function outOfBounds(seconds: number, rule: string): StatusError {
  const message = `spec.expirationSeconds: Invalid value: ${seconds}: ${rule}`;
  return new StatusError('Invalid', `TokenRequest.authentication.k8s.io "" is invalid: ${message}`, {
    details: {
      group: 'authentication.k8s.io',
      kind: 'TokenRequest',
      causes: [
        { reason: 'FieldValueInvalid', message: `Invalid value: ${seconds}: ${rule}`, field: 'spec.expirationSeconds' },
      ],
    },
  });
}

async function boundObject(
  client: KubeClient,
  namespace: string,
  { kind, name = '', uid }: BoundRef,
): Promise<BoundObject> {
  if (kind !== 'Pod' && kind !== 'Secret') {
    throw badRequest(`cannot bind token for serviceaccount to object of type ${kind ?? ''}`);
  }
  const found = await client.get(kind === 'Pod' ? PODS : SECRETS, { namespace, name });
  const actual = found.metadata.uid ?? '';
  if (uid !== undefined && uid !== actual) {
    const message = `the UID in the bound object reference (${uid}) does not match the UID in record. The object might have been deleted and then recreated`;
    throw new StatusError('Conflict', `Operation cannot be fulfilled on ${kind.toLowerCase()}s "${name}": ${message}`);
  }
  return { kind, name, uid: actual };
}
