/**
 * The tokens of service accounts: JSON Web Tokens signed by the API server's own key, as Kubernetes words their claims.
 *
 * Two kinds exist. A bound token (`kubectl create token`, TokenRequest) has an audience and an end; a legacy one, which
 * lives in a Secret, ends with that Secret. Both name the account by uid, so that a token never outlives the account it
 * was made for. Pure but for the signature.
 */
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  generateKeyPairSync,
  type KeyObject,
  sign,
  verify,
} from 'node:crypto';
import { isObject } from '#base/json.ts';
import { StatusError } from '#base/status-error.ts';
import { API_AUDIENCE } from '#kube/apiserver/auth/authenticate.ts';

/** Kubernetes names the same for who made a token and for whom. */
export const ISSUER = API_AUDIENCE;
const LEGACY_ISSUER = 'kubernetes/serviceaccount';

export interface ServiceAccountRef {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

export interface ObjectRef {
  readonly name: string;
  readonly uid: string;
}

/** What a token ends with; a pod's token also says on which node the pod runs. */
export interface BoundTo {
  readonly pod?: ObjectRef;
  readonly secret?: ObjectRef;
  readonly node?: ObjectRef;
}

export interface TokenClaims extends BoundTo {
  readonly account: ServiceAccountRef;
  readonly audiences: readonly string[];
  /** The name of the Secret that holds a legacy token. */
  readonly heldBy?: string;
  readonly id?: string;
}

export interface TokenSigner {
  bound(account: ServiceAccountRef, options: BoundTokenOptions): string;
  legacy(account: ServiceAccountRef, secret: string): string;
  /** What a token says, if it is ours and not over; audiences are for the caller to judge. */
  read(token: string, now: number): TokenClaims | undefined;
  /** The public key, as `/openid/v1/jwks` shows it. */
  jwks(): object;
}

export interface BoundTokenOptions extends BoundTo {
  readonly audiences: readonly string[];
  readonly now: number;
  readonly seconds: number;
  readonly id: string;
}

/** A private key for {@link tokenSigner}; whoever keeps it keeps the tokens good. */
export function newServiceAccountKey(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: CURVE });
  return privateKey.export({ type: 'pkcs8', format: 'pem' });
}

const CURVE = 'prime256v1';
const SIGNATURE = { dsaEncoding: 'ieee-p1363' } as const;

export function tokenSigner(privateKeyPem: string): TokenSigner {
  const privateKey = createPrivateKey(privateKeyPem);
  if (privateKey.asymmetricKeyDetails?.namedCurve !== CURVE) {
    throw new StatusError('BadRequest', 'the key of service account tokens must be an EC key on the curve P-256');
  }
  const publicKey = createPublicKey(privateKey);
  const kid = keyId(publicKey);
  const header = encode({ alg: 'ES256', kid });
  const decode = remembering((token) => {
    const [head, body, signature, ...rest] = token.split('.');
    if (!head || !body || !signature || rest.length > 0) return undefined;
    // Our key only makes ES256, so the header's own word on the algorithm is never trusted, nor even read.
    const signed = { key: publicKey, ...SIGNATURE };
    const isOurs = verify('sha256', Buffer.from(`${head}.${body}`), signed, Buffer.from(signature, 'base64url'));
    return isOurs ? datedClaims(body) : undefined;
  });

  function seal(claims: object): string {
    const text = `${header}.${encode(claims)}`;
    return `${text}.${sign('sha256', Buffer.from(text), { key: privateKey, ...SIGNATURE }).toString('base64url')}`;
  }

  return {
    bound: (account, options) => seal(boundClaims(account, options)),
    legacy: (account, secret) => seal(legacyClaims(account, secret)),
    read(token, now) {
      const found = decode(token);
      return found && found.from <= now && now < found.until ? found.claims : undefined;
    },
    jwks: () => ({ keys: [{ use: 'sig', alg: 'ES256', kid, ...publicKey.export({ format: 'jwk' }) }] }),
  };
}

/** What a token says, and when it is good. */
interface DatedClaims {
  readonly claims: TokenClaims;
  readonly from: number;
  readonly until: number;
}

const REMEMBERED = 1024;

/** Verifying a signature costs more than the rest of a small request, and a client sends the same token each time. */
function remembering(decode: (token: string) => DatedClaims | undefined): typeof decode {
  const known = new Map<string, DatedClaims>();
  return (token) => {
    const found = known.get(token) ?? decode(token);
    if (!found) return undefined;
    // The one used last is the last to go.
    known.delete(token);
    known.set(token, found);
    if (known.size > REMEMBERED) known.delete(known.keys().next().value ?? '');
    return found;
  };
}

export function userName({ namespace, name }: Pick<ServiceAccountRef, 'namespace' | 'name'>): string {
  return `system:serviceaccount:${namespace}:${name}`;
}

function boundClaims(account: ServiceAccountRef, options: BoundTokenOptions): object {
  const { audiences, now, seconds, id, pod, secret, node } = options;
  const issued = Math.floor(now / 1000);
  return {
    aud: audiences,
    exp: issued + seconds,
    iat: issued,
    iss: ISSUER,
    jti: id,
    [BOUND]: {
      namespace: account.namespace,
      node,
      pod,
      secret,
      serviceaccount: { name: account.name, uid: account.uid },
    },
    nbf: issued,
    sub: userName(account),
  };
}

function legacyClaims(account: ServiceAccountRef, secret: string): object {
  return {
    iss: LEGACY_ISSUER,
    [`${LEGACY}namespace`]: account.namespace,
    [`${LEGACY}secret.name`]: secret,
    [`${LEGACY}service-account.name`]: account.name,
    [`${LEGACY}service-account.uid`]: account.uid,
    sub: userName(account),
  };
}

const BOUND = 'kubernetes.io';
const LEGACY = 'kubernetes.io/serviceaccount/';
/** Clocks of two replicas may differ a little: a token made a moment ahead is still ours. */
const AHEAD_MS = 60_000;

/** Of a body whose signature is ours, so that it says what we wrote. */
function datedClaims(body: string): DatedClaims | undefined {
  const said: unknown = JSON.parse(Buffer.from(body, 'base64url').toString());
  if (!isObject(said)) return undefined;
  const claims = said['iss'] === ISSUER ? boundOf(said) : legacyOf(said);
  if (!claims) return undefined;
  const until = said['exp'] === undefined ? Number.POSITIVE_INFINITY : Number(said['exp']) * 1000;
  return { claims, from: Number(said['nbf'] ?? 0) * 1000 - AHEAD_MS, until };
}

function boundOf(claims: Readonly<Record<string, unknown>>): TokenClaims | undefined {
  const bound = claims[BOUND];
  if (!isObject(bound)) return undefined;
  const account = refOf(bound['serviceaccount']);
  if (!account) return undefined;
  const [pod, secret, node] = [refOf(bound['pod']), refOf(bound['secret']), refOf(bound['node'])];
  return {
    account: { namespace: text(bound['namespace']), ...account },
    audiences: Array.isArray(claims['aud']) ? claims['aud'].map(String) : [],
    id: text(claims['jti']),
    ...(pod ? { pod } : {}),
    ...(secret ? { secret } : {}),
    ...(node ? { node } : {}),
  };
}

function legacyOf(claims: Readonly<Record<string, unknown>>): TokenClaims | undefined {
  if (claims['iss'] !== LEGACY_ISSUER) return undefined;
  const claim = (name: string) => text(claims[`${LEGACY}${name}`]);
  const account = {
    namespace: claim('namespace'),
    name: claim('service-account.name'),
    uid: claim('service-account.uid'),
  };
  return { account, heldBy: claim('secret.name'), audiences: [ISSUER] };
}

function refOf(value: unknown): ObjectRef | undefined {
  return isObject(value) ? { name: text(value['name']), uid: text(value['uid']) } : undefined;
}

const text = (value: unknown) => (typeof value === 'string' ? value : '');
const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** As Kubernetes makes it, so that a verifier that knows one finds the other. */
function keyId(key: KeyObject): string {
  const der = key.export({ format: 'der', type: 'spki' });
  return createHash('sha256').update(der).digest('base64url');
}
