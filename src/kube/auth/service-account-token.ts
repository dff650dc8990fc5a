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

export const ISSUER = 'https://kubernetes.default.svc';
export const LEGACY_ISSUER = 'kubernetes/serviceaccount';

export interface ServiceAccountRef {
  readonly namespace: string;
  readonly name: string;
  readonly uid: string;
}

/** The object a bound token ends with. */
export interface BoundObject {
  readonly kind: 'Pod' | 'Secret' | 'Node';
  readonly name: string;
  readonly uid: string;
}

export interface TokenClaims {
  readonly account: ServiceAccountRef;
  /** Absent for a legacy token. */
  readonly bound?: BoundObject;
  /** The Secret that holds a legacy token. */
  readonly secret?: string;
  readonly audiences: readonly string[];
  readonly id?: string;
}

export interface TokenSigner {
  bound(
    account: ServiceAccountRef,
    options: { audiences: readonly string[]; now: number; seconds: number; id: string; bound?: BoundObject },
  ): string;
  legacy(account: ServiceAccountRef, secret: string): string;
  /** What a token says, if it is ours and not over; audiences are for the caller to judge. */
  read(token: string, now: number): TokenClaims | undefined;
  /** The public key, as `/openid/v1/jwks` shows it. */
  jwks(): object;
}

/** A private key for {@link tokenSigner}; whoever keeps it keeps the tokens good. */
export function newServiceAccountKey(): string {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return privateKey.export({ type: 'pkcs8', format: 'pem' });
}

export function tokenSigner(privateKeyPem: string): TokenSigner {
  const privateKey = createPrivateKey(privateKeyPem);
  const publicKey = createPublicKey(privateKey);
  const kid = keyId(publicKey);
  const header = encode({ alg: 'ES256', kid });
  const seal = (claims: object) => {
    const text = `${header}.${encode(claims)}`;
    const signature = sign('sha256', Buffer.from(text), { key: privateKey, dsaEncoding: 'ieee-p1363' });
    return `${text}.${signature.toString('base64url')}`;
  };

  return {
    bound: (account, { audiences, now, seconds, id, bound }) => {
      const issued = Math.floor(now / 1000);
      return seal({
        aud: audiences,
        exp: issued + seconds,
        iat: issued,
        iss: ISSUER,
        jti: id,
        'kubernetes.io': {
          namespace: account.namespace,
          ...(bound ? { [bound.kind.toLowerCase()]: { name: bound.name, uid: bound.uid } } : {}),
          serviceaccount: { name: account.name, uid: account.uid },
        },
        nbf: issued,
        sub: userName(account),
      });
    },
    legacy: (account, secret) =>
      seal({
        iss: LEGACY_ISSUER,
        'kubernetes.io/serviceaccount/namespace': account.namespace,
        'kubernetes.io/serviceaccount/secret.name': secret,
        'kubernetes.io/serviceaccount/service-account.name': account.name,
        'kubernetes.io/serviceaccount/service-account.uid': account.uid,
        sub: userName(account),
      }),
    read(token, now) {
      const [head, body, signature, ...rest] = token.split('.');
      if (!head || !body || !signature || rest.length > 0) return undefined;
      const signed = { key: publicKey, dsaEncoding: 'ieee-p1363' } as const;
      // Our key only makes ES256, so the header's own word on the algorithm is never trusted, nor even read.
      const genuine = verify('sha256', Buffer.from(`${head}.${body}`), signed, Buffer.from(signature, 'base64url'));
      return genuine ? claimsOf(body, now) : undefined;
    },
    jwks: () => ({ keys: [{ use: 'sig', alg: 'ES256', kid, ...publicKey.export({ format: 'jwk' }) }] }),
  };
}

export function userName({ namespace, name }: Pick<ServiceAccountRef, 'namespace' | 'name'>): string {
  return `system:serviceaccount:${namespace}:${name}`;
}

interface RawClaims {
  readonly iss?: string;
  readonly aud?: string | readonly string[];
  readonly exp?: number;
  readonly nbf?: number;
  readonly jti?: string;
  readonly 'kubernetes.io'?: {
    readonly namespace: string;
    readonly serviceaccount: { readonly name: string; readonly uid: string };
    readonly pod?: { readonly name: string; readonly uid: string };
    readonly secret?: { readonly name: string; readonly uid: string };
    readonly node?: { readonly name: string; readonly uid: string };
  };
  readonly [legacy: `kubernetes.io/serviceaccount/${string}`]: string | undefined;
}

function claimsOf(body: string, now: number): TokenClaims | undefined {
  const claims = JSON.parse(Buffer.from(body, 'base64url').toString()) as RawClaims;
  if (claims.exp !== undefined && claims.exp * 1000 <= now) return undefined;
  // Clocks of two replicas may differ a little; a token made a moment ahead is still ours.
  if (claims.nbf !== undefined && claims.nbf * 1000 > now + 60_000) return undefined;
  const bound = claims['kubernetes.io'];
  if (claims.iss === ISSUER && bound) {
    return {
      account: { namespace: bound.namespace, name: bound.serviceaccount.name, uid: bound.serviceaccount.uid },
      audiences: typeof claims.aud === 'string' ? [claims.aud] : (claims.aud ?? []),
      ...(claims.jti === undefined ? {} : { id: claims.jti }),
      ...boundObject(bound),
    };
  }
  const legacy = (claim: string) => claims[`kubernetes.io/serviceaccount/${claim}`] ?? '';
  if (claims.iss !== LEGACY_ISSUER || legacy('secret.name') === '') return undefined;
  return {
    account: {
      namespace: legacy('namespace'),
      name: legacy('service-account.name'),
      uid: legacy('service-account.uid'),
    },
    secret: legacy('secret.name'),
    audiences: [ISSUER],
  };
}

function boundObject({ pod, secret, node }: NonNullable<RawClaims['kubernetes.io']>): { bound?: BoundObject } {
  if (pod) return { bound: { kind: 'Pod', ...pod } };
  if (secret) return { bound: { kind: 'Secret', ...secret } };
  return node ? { bound: { kind: 'Node', ...node } } : {};
}

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');

function keyId(key: KeyObject): string {
  return createHash('sha256')
    .update(key.export({ format: 'der', type: 'spki' }))
    .digest('base64url');
}
