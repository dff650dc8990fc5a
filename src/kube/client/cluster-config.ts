/** Where an API server is and as whom to speak to it; kubeconfigs and Secrets are read into this. */
import type { Duplex } from 'node:stream';
import type { Clock } from '#base/clock.ts';
import type { KeyPair } from '#kube/pki/ca.ts';

export interface ClusterConfig {
  /** `https://host:port`, possibly with a path under which the API is found. */
  readonly server: string;
  /** The authority that signed the server's certificate, as PEM; without it, those the system trusts. */
  readonly ca?: string;
  readonly insecureSkipTlsVerify?: boolean;
  /** The name to expect in the server's certificate, when it is not the host of `server`. */
  readonly tlsServerName?: string;
  /** An HTTP proxy through which the server is reached. */
  readonly proxyUrl?: string;
  /** Opens a connection to the server where the network has no way to it; `server` is then an `http:` name of it. */
  readonly dial?: () => Promise<Duplex>;

  readonly token?: string | TokenProvider;
  readonly clientCert?: KeyPair | KeyPairProvider;
  readonly basicAuth?: { readonly username: string; readonly password: string };
  readonly impersonate?: Impersonation;

  /** Its part before the first slash is the field manager of writes that name none. */
  readonly userAgent?: string;
  /** After how long a request that is no watch is given up; 60 s when absent. */
  readonly timeoutMs?: number;
  /** How many requests may be under way at once, watches not counted; 64 when absent. */
  readonly maxSockets?: number;
  readonly clock?: Clock;
}

/** Gives a token for each request; when `rejected` is set, that one was refused and another is wanted. */
export type TokenProvider = (rejected?: string) => Promise<string | undefined>;
export type KeyPairProvider = () => Promise<KeyPair | undefined>;

export interface Impersonation {
  readonly user: string;
  readonly uid?: string;
  readonly groups?: readonly string[];
  readonly extra?: Readonly<Record<string, readonly string[]>>;
}
