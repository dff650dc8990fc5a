import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { createServer, request } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { type TLSSocket } from 'node:tls';
import { fakeClock } from '#base/clock.ts';
import { type Ca, caOf, createCa, expiryOf, type KeyPair } from './ca.ts';
import { loadKeyPair, saveKeyPair } from './key-pair-files.ts';
import { serving } from './serving.ts';

const DAY = 86_400_000;

describe('a certificate authority', () => {
  let ca: Ca;
  before(async () => {
    ca = await createCa({ commonName: 'test' });
  });

  it('is its own issuer and may sign certificates', () => {
    const cert = new X509Certificate(ca.cert);
    assert.equal(cert.ca, true);
    assert.equal(cert.subject, 'CN=test');
    assert.equal(cert.verify(cert.publicKey), true);
  });

  it('issues client certificates whose subject names user and groups', async () => {
    const pair = await ca.issue({ commonName: 'alice', organizations: ['system:masters', 'devs'], usages: ['client'] });
    const cert = new X509Certificate(pair.cert);
    assert.equal(cert.subject, 'O=system:masters\nO=devs\nCN=alice');
    assert.equal(cert.ca, false);
    assert.deepEqual(cert.keyUsage, ['1.3.6.1.5.5.7.3.2']);
    assert.equal(cert.checkIssued(new X509Certificate(ca.cert)), true);
  });

  it('never issues a certificate that outlives it', async () => {
    const short = await createCa({ commonName: 'short', days: 10 });
    const pair = await short.issue({ commonName: 'x', usages: ['client'], days: 100 });
    assert.equal(expiryOf(pair.cert), expiryOf(short.cert));
  });

  it('secures a connection on which both sides know each other', async () => {
    const server = await ca.issue({ commonName: 's', ips: ['127.0.0.1'], dnsNames: ['localhost'], usages: ['server'] });
    const client = await caOf(ca).issue({ commonName: 'alice', organizations: ['devs'], usages: ['client'] });
    assert.deepEqual(await whoTheServerSees(ca, server, client), { O: 'devs', CN: 'alice' });
  });
});

describe('certificates on disk', () => {
  let directory: string;
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'pki-'));
  });
  after(() => rm(directory, { recursive: true }));

  it('can be read by their owner only and leave no drafts behind', async () => {
    const ca = await createCa({ commonName: 'kept' });
    await saveKeyPair(join(directory, 'a'), 'ca', ca);
    const files = await readdir(join(directory, 'a'));
    assert.deepEqual(files.sort(), ['ca.crt', 'ca.key']);
    for (const file of files) assert.equal((await stat(join(directory, 'a', file))).mode & 0o777, 0o600);
    assert.deepEqual(await loadKeyPair(join(directory, 'a'), 'ca'), { cert: ca.cert, key: ca.key });
    assert.equal(await loadKeyPair(directory, 'ca'), undefined);
  });

  it('are kept between starts', async () => {
    const clock = fakeClock();
    const first = await serving({ directory: join(directory, 'kept'), clock });
    const second = await serving({ directory: join(directory, 'kept'), clock });
    assert.equal(first.ca.cert, second.ca.cert);
    assert.deepEqual(first.current(), second.current());
  });

  it('are made again for a server with a new name, by the same authority', async () => {
    const clock = fakeClock();
    const first = await serving({ directory: join(directory, 'named'), clock });
    const second = await serving({ directory: join(directory, 'named'), dnsNames: ['plane.example'], clock });
    assert.equal(first.ca.cert, second.ca.cert);
    assert.equal(new X509Certificate(second.current().cert).checkHost('plane.example'), 'plane.example');
  });

  it('are renewed under a running server when near expiry', async () => {
    const clock = fakeClock();
    const stop = new AbortController();
    const given: KeyPair[] = [];
    const swapped = Promise.withResolvers<void>();
    const kept = await serving({ directory: join(directory, 'renewed'), days: 90, clock });
    const first = kept.current();
    const running = kept.keepFresh(
      {
        setSecureContext(pair) {
          given.push(pair as KeyPair);
          swapped.resolve();
        },
      },
      stop.signal,
    );
    await clock.advance(62 * DAY);
    await swapped.promise;
    stop.abort();
    await running;
    assert.notEqual(given[0]?.cert, first.cert);
    assert.deepEqual(kept.current(), given[0]);
  });
});

async function whoTheServerSees(ca: Ca, own: KeyPair, client: KeyPair): Promise<unknown> {
  const server = createServer({ ...own, ca: ca.cert, requestCert: true }, (req, res) => {
    const { O, CN } = (req.socket as TLSSocket).getPeerCertificate().subject;
    res.end(JSON.stringify({ O, CN }));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    return await new Promise((resolve, reject) => {
      const { port } = server.address() as AddressInfo;
      request({ host: '127.0.0.1', port, ca: ca.cert, ...client, agent: false }, (res) => {
        res.on('data', (data: Buffer) => resolve(JSON.parse(data.toString())));
      })
        .on('error', reject)
        .end();
    });
  } finally {
    server.close();
  }
}
