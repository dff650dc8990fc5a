/**
 * X.509 certificates as this product needs them: EC P-256 keys, SHA-256 signatures, version 3.
 *
 * Written out by hand, for a library would cost every process that starts for the first time 25 MB and a tenth of a
 * second. What others send (requests for certificates) is not read here.
 */
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  type KeyObject,
  randomBytes,
  sign,
  X509Certificate,
} from 'node:crypto';
import { isIPv4 } from 'node:net';
import {
  bits,
  children,
  contentOf,
  element,
  integer,
  objectId,
  octets,
  sequence,
  set,
  time,
  TRUE,
  utf8,
} from './der.ts';

export interface CertificateContent {
  readonly subject: Subject;
  readonly publicKey: KeyObject;
  readonly notBefore: Date;
  readonly notAfter: Date;
  readonly extensions: readonly Buffer[];
}

export interface Subject {
  readonly commonName: string;
  readonly organizations?: readonly string[];
}

/** Who signs: with a certificate, or, an authority in the making, as itself. */
export interface Signer {
  readonly key: string;
  readonly cert?: string;
}

const ECDSA_WITH_SHA256 = sequence(objectId('1.2.840.10045.4.3.2'));
const VERSION_3 = element(0xa0, integer(Buffer.from([2])));

/** The certificate as PEM. */
export function signCertificate(content: CertificateContent, signer: Signer): string {
  const subject = nameOf(content.subject);
  const toBeSigned = sequence(
    VERSION_3,
    integer(serialNumber()),
    ECDSA_WITH_SHA256,
    signer.cert === undefined ? subject : subjectOf(signer.cert),
    sequence(time(content.notBefore), time(content.notAfter)),
    subject,
    content.publicKey.export({ type: 'spki', format: 'der' }),
    element(0xa3, sequence(...content.extensions)),
  );
  const signature = sign('sha256', toBeSigned, createPrivateKey(signer.key));
  return pem(sequence(toBeSigned, ECDSA_WITH_SHA256, bits(signature)));
}

/** Random, positive, and never with a leading zero. */
function serialNumber(): Buffer {
  const bytes = randomBytes(16);
  bytes[0] = ((bytes[0] ?? 0) & 0x7f) | 0x40;
  return bytes;
}

function nameOf({ commonName, organizations = [] }: Subject): Buffer {
  const part = (id: string, value: string) => set(sequence(objectId(id), utf8(value)));
  return sequence(...organizations.map((value) => part('2.5.4.10', value)), part('2.5.4.3', commonName));
}

/** The subject of a certificate, byte for byte: only so do those it signs name it. */
function subjectOf(cert: string): Buffer {
  const [toBeSigned = Buffer.alloc(0)] = children(new X509Certificate(cert).raw);
  const [, , , , , subject = Buffer.alloc(0)] = children(toBeSigned);
  return subject;
}

function pem(der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`;
}

/** An authority that signs leaves only. */
export function authorityExtensions(publicKey: KeyObject): readonly Buffer[] {
  const noneBelow = integer(Buffer.from([0]));
  return [
    extension('2.5.29.19', sequence(TRUE, noneBelow), true),
    // digitalSignature, keyCertSign, cRLSign
    extension('2.5.29.15', bits(Buffer.from([0b1000_0110]), 1), true),
    extension('2.5.29.14', octets(keyIdOf(publicKey))),
  ];
}

export interface LeafContent {
  readonly dnsNames?: readonly string[];
  readonly ips?: readonly string[];
  readonly usages: readonly ('server' | 'client')[];
}

const USAGES = { server: '1.3.6.1.5.5.7.3.1', client: '1.3.6.1.5.5.7.3.2' } as const;

export function leafExtensions({ usages, ...names }: LeafContent, authority: string): readonly Buffer[] {
  return [
    extension('2.5.29.19', sequence(), true),
    // digitalSignature
    extension('2.5.29.15', bits(Buffer.from([0b1000_0000]), 7), true),
    extension('2.5.29.37', sequence(...usages.map((usage) => objectId(USAGES[usage])))),
    ...alternativeNames(names),
    extension('2.5.29.35', sequence(element(0x80, keyIdOf(createPublicKey(authority))))),
  ];
}

function alternativeNames({ dnsNames = [], ips = [] }: Omit<LeafContent, 'usages'>): readonly Buffer[] {
  const names = [
    ...dnsNames.map((name) => element(0x82, Buffer.from(name))),
    ...ips.map((ip) => element(0x87, addressBytes(ip))),
  ];
  return names.length === 0 ? [] : [extension('2.5.29.17', sequence(...names))];
}

function addressBytes(ip: string): Buffer {
  if (isIPv4(ip)) return Buffer.from(ip.split('.').map(Number));
  // The parser of URLs writes every address out in the same way, but for the zeros it leaves out.
  const [head = '', tail] = new URL(`http://[${ip}]`).hostname.slice(1, -1).split('::');
  const groups = (text: string) => (text === '' ? [] : text.split(':'));
  const [before, after] = [groups(head), groups(tail ?? '')];
  const zeros = Array.from({ length: 8 - before.length - after.length }, () => '0');
  return Buffer.from([...before, ...zeros, ...after].map((group) => group.padStart(4, '0')).join(''), 'hex');
}

function extension(id: string, value: Buffer, critical = false): Buffer {
  return sequence(objectId(id), ...(critical ? [TRUE] : []), octets(value));
}

/** The digest of the key's bits, by which certificates refer to the key that signed them. */
function keyIdOf(publicKey: KeyObject): Buffer {
  const [, key = Buffer.alloc(0)] = children(publicKey.export({ type: 'spki', format: 'der' }));
  return createHash('sha1').update(contentOf(key).subarray(1)).digest();
}
