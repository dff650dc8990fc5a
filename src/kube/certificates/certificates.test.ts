import assert from 'node:assert/strict';
import { webcrypto, X509Certificate } from 'node:crypto';
import { before, describe, it, type TestContext } from 'node:test';
import type { CertificateSigningRequest } from '#gen/kube/types.ts';
import { clientCertificates, type User } from '#kube/apiserver/index.ts';
import { httpClient } from '#kube/client/http-client.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import { controlPlane } from '#kube/control-plane/index.ts';
import { type Ca, createCa, readSigningRequest, signRequest } from '#kube/pki/index.ts';
import { x509Library } from '#kube/pki/signing-request.ts';
import { memoryStore } from '#kube/store/index.ts';
import { REQUESTS } from './signing-controller.ts';

/** What `openssl req -new` makes. */
async function keyAndRequest(subject: string, dnsNames: readonly string[] = []) {
  const x509 = await x509Library();
  const algorithm = { name: 'ECDSA', namedCurve: 'P-256', hash: 'SHA-256' };
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ['sign', 'verify']);
  const names = dnsNames.map((value) => ({ type: 'dns' as const, value }));
  const request = await x509.Pkcs10CertificateRequestGenerator.create({
    name: subject,
    keys,
    signingAlgorithm: algorithm,
    extensions: names.length > 0 ? [new x509.SubjectAlternativeNameExtension(names)] : [],
  });
  const der = Buffer.from(await webcrypto.subtle.exportKey('pkcs8', keys.privateKey));
  const key = `-----BEGIN PRIVATE KEY-----\n${der.toString('base64')}\n-----END PRIVATE KEY-----\n`;
  return { key, pem: `${request.toString('pem')}\n` };
}

const requestFor = async (...of: Parameters<typeof keyAndRequest>) => (await keyAndRequest(...of)).pem;

const SIGNER = 'kubernetes.io/kube-apiserver-client';

function request(name: string, pem: string, spec: object = {}): CertificateSigningRequest {
  return {
    apiVersion: 'certificates.k8s.io/v1',
    kind: 'CertificateSigningRequest',
    metadata: { name },
    spec: { request: Buffer.from(pem).toString('base64'), signerName: SIGNER, usages: ['client auth'], ...spec },
  };
}

let ca: Ca;
before(async () => {
  ca = await createCa({ commonName: 'test' });
});

async function plane(t: TestContext) {
  const server = await controlPlane({
    store: memoryStore(),
    signingAuthority: ca,
    authenticators: [clientCertificates()],
  });
  t.after(() => server.close());
  const as = (name: string): KubeClient => {
    const user: User = { name, groups: ['system:authenticated'] };
    return server.client(user);
  };
  return { server, client: server.client(), as };
}

async function approve(client: KubeClient, name: string): Promise<void> {
  const found = await client.get<CertificateSigningRequest>(REQUESTS, { name });
  const approved = { type: 'Approved', status: 'True', reason: 'Test', message: 'approved by a test' };
  await client.update(REQUESTS, { ...found, status: { conditions: [approved] } }, { subresource: 'approval' });
}

/** The request once it has been answered. */
async function answered(client: KubeClient, name: string): Promise<CertificateSigningRequest> {
  const stop = new AbortController();
  for await (const { object } of client.watch<CertificateSigningRequest>(REQUESTS, { signal: stop.signal })) {
    const { metadata, status } = object;
    const isOver = status?.certificate || status?.conditions?.some(({ type }) => type === 'Failed');
    if (metadata.name === name && isOver) return object;
  }
  throw new Error('the watch ended');
}

describe('a request for a certificate', () => {
  it('is signed when it has been approved, and not before', async (t) => {
    const { client, as } = await plane(t);
    await client.create(REQUESTS, request('carol', await requestFor('O=devs, CN=carol'), { expirationSeconds: 3600 }));
    assert.equal(
      (await client.get<CertificateSigningRequest>(REQUESTS, { name: 'carol' })).spec.username,
      'system:apiserver',
    );
    await assert.rejects(approve(as('alice'), 'carol'), { reason: 'Forbidden' });
    await approve(client, 'carol');
    const { status } = await answered(client, 'carol');
    const cert = new X509Certificate(Buffer.from(status?.certificate ?? '', 'base64').toString());
    assert.equal(cert.subject, 'O=devs\nCN=carol');
    assert.deepEqual(cert.keyUsage, ['1.3.6.1.5.5.7.3.2']);
    assert.equal(cert.ca, false);
    assert.ok(cert.checkIssued(new X509Certificate(ca.cert)) && cert.verify(new X509Certificate(ca.cert).publicKey));
    assert.ok(cert.validToDate.getTime() < Date.now() + 3_700_000);
  });

  it('leads to a certificate that its owner is known by', async (t) => {
    const { server, client } = await plane(t);
    const { key, pem } = await keyAndRequest('O=devs, CN=carol');
    await client.create(REQUESTS, request('carol', pem));
    await approve(client, 'carol');
    const { status } = await answered(client, 'carol');
    const cert = Buffer.from(status?.certificate ?? '', 'base64').toString();
    const own = await ca.issue({ commonName: 'server', ips: ['127.0.0.1'], usages: ['server'] });
    const { url } = await server.listen({ tls: { ...own, ca: ca.cert } });
    const carol = httpClient({ server: url, ca: ca.cert, clientCert: { cert, key } });
    t.after(() => carol.close());
    await assert.rejects(carol.list(REQUESTS), /User "carol" cannot list/);
  });

  it('that its signer does not take fails, and says why', async (t) => {
    const { client } = await plane(t);
    await client.create(REQUESTS, request('r', await requestFor('CN=carol'), { usages: ['server auth'] }));
    await approve(client, 'r');
    const failed = (await answered(client, 'r')).status?.conditions?.find(({ type }) => type === 'Failed');
    assert.deepEqual(
      [failed?.reason, failed?.message],
      ['SignerValidationFailure', 'invalid usage for client certificate: server auth'],
    );
  });

  it('may not ask for all rights, nor be nonsense', async (t) => {
    const { client } = await plane(t);
    await assert.rejects(client.create(REQUESTS, request('r', await requestFor('O=system:masters, CN=carol'))), {
      message: `certificatesigningrequests.certificates.k8s.io "r" is forbidden: use of ${SIGNER} signer with system:masters group is not allowed`,
    });
    const nonsense = '-----BEGIN CERTIFICATE REQUEST-----\nAAAA\n-----END CERTIFICATE REQUEST-----\n';
    await assert.rejects(client.create(REQUESTS, request('r', nonsense)), { reason: 'Forbidden' });
  });

  it('may be approved by whoever may approve for its signer', async (t) => {
    const { client, as } = await plane(t);
    const rbac = { group: 'rbac.authorization.k8s.io', version: 'v1' };
    const kind = { apiVersion: 'rbac.authorization.k8s.io/v1', metadata: { name: 'approver' } };
    const group = ['certificates.k8s.io'];
    await client.create(
      { ...rbac, resource: 'clusterroles' },
      {
        ...kind,
        kind: 'ClusterRole',
        rules: [
          { apiGroups: group, resources: ['certificatesigningrequests'], verbs: ['get'] },
          { apiGroups: group, resources: ['certificatesigningrequests/approval'], verbs: ['update'] },
        ],
      },
    );
    const subjects = [{ apiGroup: rbac.group, kind: 'User', name: 'alice' }];
    const bind = (name: string) =>
      client.create(
        { ...rbac, resource: 'clusterrolebindings' },
        {
          ...kind,
          metadata: { name },
          kind: 'ClusterRoleBinding',
          subjects,
          roleRef: { apiGroup: rbac.group, kind: 'ClusterRole', name },
        },
      );
    await bind('approver');
    await client.create(REQUESTS, request('r', await requestFor('CN=carol')));
    await assert.rejects(approve(as('alice'), 'r'), {
      message: `certificatesigningrequests.certificates.k8s.io "r" is forbidden: user not permitted to approve requests with signerName "${SIGNER}"`,
    });
    await bind('system:certificates.k8s.io:kube-apiserver-client-approver');
    await approve(as('alice'), 'r');
    await answered(client, 'r');
  });
});

describe('signing', () => {
  it('takes names from the request, and ends no later than the authority', async () => {
    const short = await createCa({ commonName: 'short', days: 1 });
    const pem = await requestFor('CN=s', ['a.example']);
    assert.deepEqual(await readSigningRequest(pem), {
      commonName: 's',
      organizations: [],
      dnsNames: ['a.example'],
      ips: [],
      emails: [],
      uris: [],
    });
    const usages = ['digital signature', 'server auth'] as const;
    const cert = new X509Certificate(await signRequest(short, { pem, usages, seconds: 1e6 }));
    assert.equal(cert.subjectAltName, 'DNS:a.example');
    assert.equal(cert.validToDate.getTime(), new X509Certificate(short.cert).validToDate.getTime());
  });

  it('refuses a request that was changed on its way', async () => {
    const pem = await requestFor('CN=carol');
    const der = Buffer.from(pem.replace(/-----[^-]+-----|\s/g, ''), 'base64');
    der.write('mallo', der.indexOf('carol'));
    const changed = `-----BEGIN CERTIFICATE REQUEST-----\n${der.toString('base64')}\n-----END CERTIFICATE REQUEST-----\n`;
    await assert.rejects(signRequest(ca, { pem: changed, usages: ['client auth'], seconds: 600 }), /its own key/);
  });
});
