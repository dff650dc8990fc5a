import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { endOf } from './cleaning-controller.ts';
import { CLIENT_SIGNER, KUBELET_CLIENT_SIGNER, KUBELET_SERVING_SIGNER, signerProblem } from './signers.ts';

const nobody = { commonName: 'carol', organizations: [], dnsNames: [], ips: [], emails: [], uris: [] };
const node = { ...nobody, commonName: 'system:node:n1', organizations: ['system:nodes'] };
const CLIENT = ['digital signature', 'client auth'];
const SERVER = ['server auth', 'key encipherment', 'digital signature'];

describe('a signer', () => {
  const cases: readonly [because: string, problem: string | undefined, ...Parameters<typeof signerProblem>][] = [
    ['takes clients', undefined, CLIENT_SIGNER, nobody, ['client auth']],
    ['takes clients with keys of any kind', undefined, CLIENT_SIGNER, nobody, [...CLIENT, 'key encipherment']],
    [
      'of clients refuses those that want to be servers',
      'invalid usage for client certificate: server auth',
      CLIENT_SIGNER,
      nobody,
      [...CLIENT, 'server auth'],
    ],
    [
      'of clients refuses those that do not want to be clients',
      'missing required usage for client certificate: client auth',
      CLIENT_SIGNER,
      nobody,
      ['digital signature'],
    ],
    ['takes kubelets', undefined, KUBELET_CLIENT_SIGNER, node, CLIENT],
    [
      'of kubelets refuses others',
      'subject organization is not system:nodes',
      KUBELET_CLIENT_SIGNER,
      { ...node, organizations: ['system:nodes', 'system:masters'] },
      CLIENT,
    ],
    [
      'of kubelets refuses other names',
      'subject common name does not begin with system:node:',
      KUBELET_CLIENT_SIGNER,
      { ...node, commonName: 'carol' },
      CLIENT,
    ],
    [
      'of kubelets refuses alternative names',
      'DNS subjectAltNames are not allowed',
      KUBELET_CLIENT_SIGNER,
      { ...node, dnsNames: ['a'] },
      CLIENT,
    ],
    [
      'of kubelets wants exactly its usages',
      'usages did not match [client auth digital signature key encipherment]',
      KUBELET_CLIENT_SIGNER,
      node,
      [...CLIENT, 'server auth'],
    ],
    ['takes servers of kubelets', undefined, KUBELET_SERVING_SIGNER, { ...node, ips: ['10.0.0.1'] }, SERVER],
    [
      'of servers wants to know where they are',
      'DNS or IP subjectAltName is required',
      KUBELET_SERVING_SIGNER,
      node,
      SERVER,
    ],
  ];
  for (const [because, problem, ...asked] of cases) {
    it(because, () => assert.equal(signerProblem(...asked), problem));
  }
});

describe('a request for a certificate', () => {
  const hour = 3_600_000;
  const at = Date.UTC(2026, 0, 1);
  const time = (ms: number) => new Date(ms).toISOString();
  const request = (status: object) => ({
    apiVersion: 'certificates.k8s.io/v1' as const,
    kind: 'CertificateSigningRequest' as const,
    metadata: { name: 'r', creationTimestamp: time(at) },
    spec: { request: '', signerName: CLIENT_SIGNER },
    status,
  });
  const condition = (type: string) => ({ type, status: 'True', lastUpdateTime: time(at + hour) });

  it('is kept for a day while nobody answers, and for an hour after', () => {
    assert.equal(endOf(request({})), at + 24 * hour);
    assert.equal(endOf(request({ conditions: [condition('Denied')] })), at + 2 * hour);
    assert.equal(endOf(request({ conditions: [condition('Approved')] })), at + 25 * hour);
    assert.equal(endOf(request({ conditions: [condition('Approved')], certificate: 'x' })), at + 2 * hour);
    assert.equal(endOf(request({ conditions: [condition('Approved'), condition('Failed')] })), at + 2 * hour);
  });
});
