/**
 * Certificates for those who keep their key to themselves: they send a PKCS#10 request, and get a certificate for it.
 *
 * Of the request, its subject, alternative names and public key are taken, and nothing else: what the certificate may
 * be used for is said by who signs. A request that is not signed with its own key is refused.
 */
import { webcrypto } from 'node:crypto';
import type * as X509 from '@peculiar/x509';
import { type Clock, systemClock } from '#base/clock.ts';
import { badRequest, StatusError } from '#base/status-error.ts';
import { BACKDATE, type KeyPair } from './ca.ts';

export interface SigningRequest {
  readonly commonName: string;
  readonly organizations: readonly string[];
  readonly dnsNames: readonly string[];
  readonly ips: readonly string[];
  readonly emails: readonly string[];
  readonly uris: readonly string[];
}

/** Usages as Kubernetes names them. */
export type SigningUsage = 'digital signature' | 'key encipherment' | 'client auth' | 'server auth';

export async function readSigningRequest(pem: string): Promise<SigningRequest> {
  const x509 = await x509Library();
  const parsed = parse(x509, pem);
  const names = alternativeNames(x509, parsed)?.names.items ?? [];
  const ofType = (type: X509.GeneralNameType) => names.filter((name) => name.type === type).map(({ value }) => value);
  return {
    commonName: parsed.subjectName.getField('CN')[0] ?? '',
    organizations: parsed.subjectName.getField('O'),
    dnsNames: ofType('dns'),
    ips: ofType('ip'),
    emails: ofType('email'),
    uris: ofType('url'),
  };
}

/** The certificate (PEM), valid from now on for `seconds`, though never longer than the authority itself. */
export async function signRequest(
  authority: KeyPair,
  request: { readonly pem: string; readonly usages: readonly SigningUsage[]; readonly seconds: number },
  clock: Clock = systemClock,
): Promise<string> {
  const x509 = await x509Library();
  const parsed = parse(x509, request.pem);
  if (!(await parsed.verify())) throw badRequest('the certificate request is not signed with its own key');
  const issuer = new x509.X509Certificate(authority.cert);
  const end = new Date(clock.now() + request.seconds * 1000);
  const names = alternativeNames(x509, parsed);
  const certificate = await x509.X509CertificateGenerator.create({
    subject: parsed.subjectName,
    issuer: issuer.subjectName,
    publicKey: await parsed.publicKey.export(),
    signingKey: await signingKeyOf(authority.key),
    signingAlgorithm: SIGNATURE,
    notBefore: new Date(clock.now() - BACKDATE),
    notAfter: end < issuer.notAfter ? end : issuer.notAfter,
    extensions: [
      new x509.BasicConstraintsExtension(false, undefined, true),
      ...usageExtensions(x509, request.usages),
      ...(names ? [names] : []),
      await x509.AuthorityKeyIdentifierExtension.create(issuer.publicKey),
    ],
  });
  return `${certificate.toString('pem')}\n`;
}

function parse(x509: typeof X509, pem: string): X509.Pkcs10CertificateRequest {
  try {
    return new x509.Pkcs10CertificateRequest(pem);
  } catch (cause) {
    throw new StatusError('BadRequest', 'the certificate request cannot be read', { cause });
  }
}

function alternativeNames(x509: typeof X509, { extensions }: X509.Pkcs10CertificateRequest) {
  return extensions.find((extension) => extension instanceof x509.SubjectAlternativeNameExtension);
}

function usageExtensions(x509: typeof X509, usages: readonly SigningUsage[]): X509.Extension[] {
  const flags =
    (usages.includes('digital signature') ? x509.KeyUsageFlags.digitalSignature : 0) |
    (usages.includes('key encipherment') ? x509.KeyUsageFlags.keyEncipherment : 0);
  const extended = (['client', 'server'] as const).filter((usage) => usages.includes(`${usage} auth`));
  return [
    ...(flags === 0 ? [] : [new x509.KeyUsagesExtension(flags, true)]),
    new x509.ExtendedKeyUsageExtension(extended.map((usage) => x509.ExtendedKeyUsage[`${usage}Auth`])),
  ];
}

const SIGNATURE = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' } as const;

function signingKeyOf(pem: string): Promise<webcrypto.CryptoKey> {
  const der = Buffer.from(pem.replace(/-----[^-]+-----|\s/g, ''), 'base64');
  return webcrypto.subtle.importKey('pkcs8', der, SIGNATURE, false, ['sign']);
}

/** Loaded by the first who reads a request: it costs 25 MB and a tenth of a second, which everybody else saves. */
export async function x509Library(): Promise<typeof X509> {
  // The library's own dependency injection wants this polyfill to be there before it is loaded.
  await import('reflect-metadata');
  return import('@peculiar/x509');
}
