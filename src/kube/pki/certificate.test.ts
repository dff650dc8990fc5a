import assert from 'node:assert/strict';
import { webcrypto, X509Certificate } from 'node:crypto';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { fakeClock } from '#base/clock.ts';
import { caOf, createCa } from './ca.ts';
import { children, contentOf, element, integer, objectId, time } from './der.ts';
import { x509Library } from './signing-request.ts';

describe('a certificate', () => {
  it('is for the names and addresses it was issued for', async () => {
    const ca = await createCa({ commonName: 'ours' });
    const ips = ['127.0.0.1', '::1', '2001:db8::8a2e:370:7334', '::ffff:10.0.0.1'];
    const { cert } = await ca.issue({ commonName: 's', dnsNames: ['localhost', 'a.b'], ips, usages: ['server'] });
    const read = new X509Certificate(cert);
    for (const ip of ips) assert.equal(read.checkIP(ip), ip);
    assert.equal(read.checkIP('::2'), undefined);
    assert.equal(read.checkHost('a.b'), 'a.b');
    assert.deepEqual(read.keyUsage, ['1.3.6.1.5.5.7.3.1']);
  });

  it('says what a reader of its own finds in it', async () => {
    const x509 = await x509Library();
    const ca = await createCa({ commonName: 'ours' });
    const read = new x509.X509Certificate(ca.cert);
    assert.equal(read.getExtension(x509.BasicConstraintsExtension)?.ca, true);
    assert.equal(read.getExtension(x509.BasicConstraintsExtension)?.pathLength, 0);
    const { keyCertSign, cRLSign, digitalSignature } = x509.KeyUsageFlags;
    assert.equal(read.getExtension(x509.KeyUsagesExtension)?.usages, keyCertSign | cRLSign | digitalSignature);
    const leaf = new x509.X509Certificate((await ca.issue({ commonName: 'x', usages: ['client', 'server'] })).cert);
    assert.equal(
      leaf.getExtension(x509.AuthorityKeyIdentifierExtension)?.keyId,
      read.getExtension(x509.SubjectKeyIdentifierExtension)?.keyId,
    );
    assert.equal(await leaf.verify({ publicKey: read.publicKey }), true);
  });

  it('names an authority made elsewhere byte for byte', async () => {
    const x509 = await x509Library();
    const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
    const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
    const made = await x509.X509CertificateGenerator.createSelfSigned({
      name: 'C=DE, O="Ex, Inc.", CN=Root é',
      keys,
      signingAlgorithm: algorithm,
      extensions: [new x509.BasicConstraintsExtension(true)],
    });
    const der = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey)).toString('base64');
    const ca = caOf({
      cert: made.toString('pem'),
      key: `-----BEGIN PRIVATE KEY-----\n${der}\n-----END PRIVATE KEY-----\n`,
    });
    const leaf = new X509Certificate((await ca.issue({ commonName: 'x', usages: ['client'], days: 1 })).cert);
    assert.equal(leaf.checkIssued(new X509Certificate(ca.cert)), true);
    assert.equal(leaf.verify(new X509Certificate(ca.cert).publicKey), true);
  });

  it('may outlive the two digits of a year', async () => {
    const ca = await createCa({ commonName: 'old', days: 40 * 365, clock: fakeClock(Date.UTC(2026, 0, 1)) });
    assert.equal(new X509Certificate(ca.cert).validToDate.getUTCFullYear(), 2065);
  });
});

describe('an element', () => {
  it('of any length is taken apart into what it was made of', () => {
    const part = fc.uint8Array({ maxLength: 400 }).map((bytes) => element(0x04, bytes));
    const parts = fc.array(part, { maxLength: 4 });
    fc.assert(
      fc.property(parts, (made) => assert.deepEqual(children(element(0x30, ...made)), made)),
      { seed: 1, numRuns: 100 },
    );
  });

  it('is written as the standard says', () => {
    assert.equal(objectId('1.2.840.10045.4.3.2').toString('hex'), '06082a8648ce3d040302');
    assert.equal(integer(Buffer.from([0x80])).toString('hex'), '02020080');
    assert.equal(contentOf(time(new Date(Date.UTC(2049, 11, 31, 23, 59, 59)))).toString(), '491231235959Z');
    assert.equal(contentOf(time(new Date(Date.UTC(2050, 0, 1)))).toString(), '20500101000000Z');
  });
});
