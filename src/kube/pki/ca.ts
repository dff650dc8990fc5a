/**
 * A certificate authority: makes the certificates by which servers and clients of this product know each other.
 *
 * Keys are EC P-256 and travel as PEM text; every issued key is new. The subject of a client certificate is what
 * Kubernetes reads as the user: the common name is the user's name, each organization a group. An authority signs only
 * leaves, never another authority. Start at {@link createCa}; `serving.ts` keeps one on disk together with a server's
 * certificate.
 */
import { generateKeyPair, type KeyObject, X509Certificate } from 'node:crypto';
import { promisify } from 'node:util';
import { type Clock, systemClock } from '#base/clock.ts';
import { authorityExtensions, leafExtensions, signCertificate } from './certificate.ts';

/** A certificate and its private key, as PEM. */
export interface KeyPair {
  readonly cert: string;
  readonly key: string;
}

export interface Ca extends KeyPair {
  issue(request: CertificateRequest): Promise<KeyPair>;
}

export interface CertificateRequest {
  readonly commonName: string;
  readonly organizations?: readonly string[];
  readonly dnsNames?: readonly string[];
  readonly ips?: readonly string[];
  readonly usages: readonly ('server' | 'client')[];
  /** How long it is valid; one year when absent, never longer than the authority itself. */
  readonly days?: number;
}

const DAY = 86_400_000;
/** Peers whose clocks run a little behind must not find a new certificate "not yet valid". */
export const BACKDATE = 5 * 60_000;

const newKeyPair = promisify(generateKeyPair);

export async function createCa(options: {
  readonly commonName: string;
  readonly days?: number;
  readonly clock?: Clock;
}): Promise<Ca> {
  const { commonName, days = 3650, clock = systemClock } = options;
  const { publicKey, key } = await newKey();
  const content = {
    subject: { commonName },
    publicKey,
    ...validity(clock, days),
    extensions: authorityExtensions(publicKey),
  };
  return caOf({ cert: signCertificate(content, { key }), key }, clock);
}

/** The authority that owns this certificate and key. */
export function caOf(pair: KeyPair, clock: Clock = systemClock): Ca {
  return { ...pair, issue: (request) => issue(pair, request, clock) };
}

/** When a certificate ends, in milliseconds since the epoch. */
export function expiryOf(cert: string): number {
  return new X509Certificate(cert).validToDate.getTime();
}

async function issue(authority: KeyPair, request: CertificateRequest, clock: Clock): Promise<KeyPair> {
  const { publicKey, key } = await newKey();
  const { notBefore, notAfter } = validity(clock, request.days ?? 365);
  const content = {
    subject: request,
    publicKey,
    notBefore,
    notAfter: new Date(Math.min(notAfter.getTime(), expiryOf(authority.cert))),
    extensions: leafExtensions(request, authority.cert),
  };
  return { cert: signCertificate(content, authority), key };
}

async function newKey(): Promise<{ readonly publicKey: KeyObject; readonly key: string }> {
  const { publicKey, privateKey } = await newKeyPair('ec', { namedCurve: 'P-256' });
  return { publicKey, key: privateKey.export({ type: 'pkcs8', format: 'pem' }) };
}

function validity(clock: Clock, days: number): { notBefore: Date; notAfter: Date } {
  return { notBefore: new Date(clock.now() - BACKDATE), notAfter: new Date(clock.now() + days * DAY) };
}
