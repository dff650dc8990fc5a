/** What a credential is and when it ends, read from the credential itself. */
import type { ClusterConfig } from '#kube/client/cluster-config.ts';
import { expiryOf } from '#kube/pki/ca.ts';

export interface Credential {
  readonly type: 'token' | 'certificate' | 'password' | 'none';
  /** Milliseconds since the epoch; absent when it does not say. */
  readonly expiresAt?: number;
}

/** A token wins over a certificate, as it does with Kubernetes. */
export function credentialOf({ token, clientCert, basicAuth }: ClusterConfig): Credential {
  if (typeof token === 'string') return { type: 'token', ...expiring(tokenExpiry(token)) };
  if (clientCert && typeof clientCert !== 'function') {
    return { type: 'certificate', ...expiring(certificateExpiry(clientCert.cert)) };
  }
  return { type: basicAuth ? 'password' : 'none' };
}

function expiring(at: number | undefined): Pick<Credential, 'expiresAt'> {
  return at === undefined ? {} : { expiresAt: at };
}

/** Tokens of service accounts are JWTs; what is none, or has no end, does not say when it ends. */
function tokenExpiry(token: string): number | undefined {
  const [, claims] = token.split('.');
  if (claims === undefined) return undefined;
  try {
    const { exp } = JSON.parse(Buffer.from(claims, 'base64url').toString('utf8')) as { exp?: unknown };
    return typeof exp === 'number' ? exp * 1000 : undefined;
  } catch {
    return undefined;
  }
}

function certificateExpiry(pem: string): number | undefined {
  try {
    return expiryOf(pem);
  } catch {
    return undefined;
  }
}
