/**
 * A certificate authority: makes the certificates by which servers and clients of this product know each other.
 *
 * Keys are EC P-256 and travel as PEM text; every issued key is new. The subject of a client certificate is what
 * Kubernetes reads as the user: the common name is the user's name, each organization a group. An authority signs only
 * leaves, never another authority. Start at {@link createCa}; `serving.ts` keeps one on disk together with a server's
 * certificate.
 */
import { webcrypto, X509Certificate } from 'node:crypto';
import type * as X509 from '@peculiar/x509';
import { type Clock, systemClock } from '#base/clock.ts';

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
export const SIGNATURE = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;

export async function createCa(options: {
  readonly commonName: string;
  readonly days?: number;
  readonly clock?: Clock;
}): Promise<Ca> {
  const { commonName, days = 3650, clock = systemClock } = options;
  const x509 = await x509Library();
  const keys = await webcrypto.subtle.generateKey(SIGNATURE, true, ['sign', 'verify']);
  const certificate = await x509.X509CertificateGenerator.createSelfSigned({
    name: subjectOf({ commonName }),
    keys,
    ...validity(clock, days),
    signingAlgorithm: SIGNATURE,
    extensions: [
      new x509.BasicConstraintsExtension(true, 0, true),
      new x509.KeyUsagesExtension(
        x509.KeyUsageFlags.keyCertSign | x509.KeyUsageFlags.cRLSign | x509.KeyUsageFlags.digitalSignature,
        true,
      ),
      await x509.SubjectKeyIdentifierExtension.create(keys.publicKey),
    ],
  });
  return caOf(await pemOf(certificate, keys.privateKey), clock);
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
  const x509 = await x509Library();
  const issuer = new x509.X509Certificate(authority.cert);
  const keys = await webcrypto.subtle.generateKey(SIGNATURE, true, ['sign', 'verify']);
  const wanted = validity(clock, request.days ?? 365);
  const certificate = await x509.X509CertificateGenerator.create({
    subject: subjectOf(request),
    issuer: issuer.subjectName,
    publicKey: keys.publicKey,
    signingKey: await signingKeyOf(authority.key),
    signingAlgorithm: SIGNATURE,
    notBefore: wanted.notBefore,
    notAfter: wanted.notAfter < issuer.notAfter ? wanted.notAfter : issuer.notAfter,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      new x509.KeyUsagesExtension(x509.KeyUsageFlags.digitalSignature, true),
      new x509.ExtendedKeyUsageExtension(request.usages.map((usage) => x509.ExtendedKeyUsage[`${usage}Auth`])),
      ...alternativeNames(x509, request),
      await x509.AuthorityKeyIdentifierExtension.create(issuer.publicKey),
    ],
  });
  return pemOf(certificate, keys.privateKey);
}

function alternativeNames(x509: typeof X509, { dnsNames = [], ips = [] }: CertificateRequest): X509.Extension[] {
  const names = [
    ...dnsNames.map((value) => ({ type: 'dns' as const, value })),
    ...ips.map((value) => ({ type: 'ip' as const, value })),
  ];
  return names.length === 0 ? [] : [new x509.SubjectAlternativeNameExtension(names)];
}

function subjectOf({ commonName, organizations = [] }: Pick<CertificateRequest, 'commonName' | 'organizations'>) {
  return [...organizations.map((name) => ({ O: [name] })), { CN: [commonName] }];
}

function validity(clock: Clock, days: number): { notBefore: Date; notAfter: Date } {
  return { notBefore: new Date(clock.now() - BACKDATE), notAfter: new Date(clock.now() + days * DAY) };
}

export function signingKeyOf(pem: string): Promise<webcrypto.CryptoKey> {
  const der = Buffer.from(pem.replace(/-----[^-]+-----|\s/g, ''), 'base64');
  return webcrypto.subtle.importKey('pkcs8', der, SIGNATURE, false, ['sign']);
}

async function pemOf(certificate: X509.X509Certificate, privateKey: webcrypto.CryptoKey): Promise<KeyPair> {
  const der = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', privateKey)).toString('base64');
  const lines = der.match(/.{1,64}/g) ?? [];
  return {
    cert: `${certificate.toString('pem')}\n`,
    key: `-----BEGIN PRIVATE KEY-----\n${lines.join('\n')}\n-----END PRIVATE KEY-----\n`,
  };
}

/** Loaded by the first who issues: it costs 25 MB and a tenth of a second, which a process that only serves saves. */
export async function x509Library(): Promise<typeof X509> {
  // The library's own dependency injection wants this polyfill to be there before it is loaded.
  await import('reflect-metadata');
  return import('@peculiar/x509');
}
