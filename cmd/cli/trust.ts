/**
 * Which authority to trust for a server's certificate, when signing in to it for the first time.
 *
 * A file that was named, the system's own authorities if they vouch for it, the one the server itself shows if it is on
 * this machine, and otherwise what a person says to its fingerprint. Without a person nothing unknown is trusted.
 */
import { readFile } from 'node:fs/promises';
import { connect, type DetailedPeerCertificate } from 'node:tls';
import { StatusError } from '#base/status-error.ts';
import { usageFailure } from './failure.ts';
import { confirm } from './prompt.ts';
import { note } from './screen.ts';

const WITHIN_MS = 20_000;

export async function trustedAuthority(
  server: string,
  { certificateAuthority, yes }: { readonly certificateAuthority?: string; readonly yes?: boolean },
): Promise<string | undefined> {
  if (certificateAuthority !== undefined) return readFile(certificateAuthority, 'utf8');
  const { authorized, authority, fingerprint } = await shown(new URL(server));
  if (authorized) return undefined;
  if (authority === undefined)
    throw usageFailure(
      `the certificate of ${server} is not trusted`,
      'no authority that this machine knows signed it, and the server does not show its own',
      'name the file of its authority: --certificate-authority FILE',
    );
  if (isThisMachine(server)) return authority;
  note(`The certificate of ${server} is signed by an authority this machine does not know:\n  ${fingerprint}`);
  if (await confirm('Is that the one you expect?', yes)) return authority;
  throw usageFailure('not signed in', 'the authority is not trusted', 'get its file and use --certificate-authority');
}

function isThisMachine(server: string): boolean {
  const { hostname } = new URL(server);
  return hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.');
}

interface Shown {
  readonly authorized: boolean;
  readonly authority?: string;
  readonly fingerprint: string;
}

function shown({ hostname, port }: URL): Promise<Shown> {
  const host = hostname.replace(/^\[|\]$/g, '');
  return new Promise((resolve, reject) => {
    const name = /^[\d.]+$|:/.test(host) ? {} : { servername: host };
    const socket = connect({ host, port: Number(port || 443), rejectUnauthorized: false, ...name });
    const fail = (cause?: Error) =>
      reject(
        new StatusError(
          'ServiceUnavailable',
          `${host}:${port || 443} cannot be reached: ${cause?.message ?? 'no answer'}`,
          {
            cause,
          },
        ),
      );
    socket.setTimeout(WITHIN_MS, () => socket.destroy(new Error('no answer')));
    socket.once('error', fail);
    socket.once('secureConnect', () => {
      const top = topOf(socket.getPeerCertificate(true));
      const isAuthority = top.subject?.CN === top.issuer?.CN && top.raw !== undefined;
      resolve({
        authorized: socket.authorized,
        ...(isAuthority ? { authority: pem(top.raw) } : {}),
        fingerprint: `SHA-256 ${top.fingerprint256 ?? 'unknown'}`,
      });
      socket.end();
    });
  });
}

/** The last of the chain, which names itself as its issuer. */
function topOf(certificate: DetailedPeerCertificate): DetailedPeerCertificate {
  let top = certificate;
  while (top.issuerCertificate && top.issuerCertificate !== top) top = top.issuerCertificate;
  return top;
}

function pem(der: Buffer): string {
  const lines = der.toString('base64').match(/.{1,64}/g) ?? [];
  return ['-----BEGIN CERTIFICATE-----', ...lines, '-----END CERTIFICATE-----', ''].join('\n');
}
