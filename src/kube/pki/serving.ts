/**
 * What a server of ours needs to speak TLS: an authority and a certificate signed by it, kept in a directory.
 *
 * The authority is made once and outlives restarts, so kubeconfigs handed out stay good. The server's certificate is
 * made again when it nears its end, when it no longer fits its key or authority, or when the server gets a name it does
 * not carry; {@link Serving.keepFresh} does so under a running server without dropping a connection.
 */
import { createPrivateKey, X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import type { Server } from 'node:tls';
import { type Clock, sleep, systemClock } from '#base/clock.ts';
import { type Ca, caOf, createCa, expiryOf, type KeyPair } from './ca.ts';
import { loadKeyPair, saveKeyPair } from './key-pair-files.ts';

export interface Serving {
  readonly ca: Ca;
  /** The server's certificate and key as of now; the authority's comes with it, for whoever has yet to trust it. */
  current(): KeyPair;
  /** Looks twice a day whether the certificate nears its end, and gives a new one to `server`; ends on abort. */
  keepFresh(server: Pick<Server, 'setSecureContext'>, signal: AbortSignal): Promise<void>;
}

export interface ServingOptions {
  readonly directory: string;
  /** The authority's name, as people see it in their certificate stores. */
  readonly commonName?: string;
  /** Names and addresses beyond localhost, 127.0.0.1 and ::1. */
  readonly dnsNames?: readonly string[];
  readonly ips?: readonly string[];
  readonly days?: number;
  readonly clock?: Clock;
}

const HALF_A_DAY = 43_200_000;
const RENEW_BEFORE = 30 * 86_400_000;

export async function serving(options: ServingOptions): Promise<Serving> {
  const { clock = systemClock } = options;
  const ca = await authority(options, clock);
  let pair = await serverCertificate(ca, options, clock);
  const chain = ({ cert, key }: KeyPair): KeyPair => ({ cert: `${cert.trimEnd()}\n${ca.cert}`, key });

  return {
    ca,
    current: () => chain(pair),
    async keepFresh(server, signal) {
      while (!signal.aborted) {
        await sleep(clock, HALF_A_DAY, signal).catch(() => undefined);
        if (signal.aborted) return;
        const fresh = await serverCertificate(ca, options, clock);
        if (fresh.cert !== pair.cert) server.setSecureContext(chain(fresh));
        pair = fresh;
      }
    },
  };
}

async function authority({ directory, commonName = 'kairship' }: ServingOptions, clock: Clock): Promise<Ca> {
  const kept = await loadKeyPair(directory, 'ca');
  if (kept && expiryOf(kept.cert) > clock.now() + RENEW_BEFORE) return caOf(kept, clock);
  const ca = await createCa({ commonName, clock });
  await saveKeyPair(directory, 'ca', ca);
  return ca;
}

async function serverCertificate(ca: Ca, options: ServingOptions, clock: Clock): Promise<KeyPair> {
  const dnsNames = ['localhost', ...(options.dnsNames ?? [])];
  const ips = ['127.0.0.1', '::1', ...(options.ips ?? [])];
  const kept = await loadKeyPair(options.directory, 'server');
  if (kept && stillGood(kept, ca, [...dnsNames, ...ips], clock)) return kept;
  const { days = 365 } = options;
  const pair = await ca.issue({ commonName: 'kairship-server', dnsNames, ips, usages: ['server'], days });
  await saveKeyPair(options.directory, 'server', pair);
  return pair;
}

function stillGood(pair: KeyPair, ca: Ca, names: readonly string[], clock: Clock): boolean {
  const cert = new X509Certificate(pair.cert);
  const lifetime = cert.validToDate.getTime() - cert.validFromDate.getTime();
  // A short-lived certificate is renewed in the last third of its life, a long-lived one a month before its end.
  const renewBefore = Math.min(RENEW_BEFORE, lifetime / 3);
  return (
    cert.validToDate.getTime() > clock.now() + renewBefore &&
    cert.checkIssued(new X509Certificate(ca.cert)) &&
    cert.verify(new X509Certificate(ca.cert).publicKey) &&
    cert.checkPrivateKey(createPrivateKey(pair.key)) &&
    names.every((name) => (isIP(name) === 0 ? cert.checkHost(name) : cert.checkIP(name)) !== undefined)
  );
}
