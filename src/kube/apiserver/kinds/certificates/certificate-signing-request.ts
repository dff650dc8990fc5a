import type { CertificateSigningRequest } from '#gen/kube/types.ts';
import type { ResourceDefinition } from '#kube/apiserver/resource.ts';
import { humanDuration } from '#kube/meta/age.ts';
import { ageColumn, column, nameColumn } from '../columns.ts';
import { type Given, kind } from '../kind.ts';

export const certificateSigningRequests: ResourceDefinition = kind<CertificateSigningRequest>(
  { group: 'certificates.k8s.io', version: 'v1', kind: 'CertificateSigningRequest' },
  {
    shortNames: ['csr'],
    fields: { 'spec.signerName': ({ spec }) => spec?.signerName ?? '' },
    // What was asked for stays as it was asked: only the approval and the certificate are added.
    update: (request, old) => {
      request.spec = structuredClone(old.spec) as typeof request.spec;
    },
    columns: [
      nameColumn,
      ageColumn,
      column<CertificateSigningRequest>('SignerName', 'Who is to sign.', ({ spec }) => spec?.signerName || '<none>'),
      column<CertificateSigningRequest>('Requestor', 'Who asks.', ({ spec }) => spec?.username ?? ''),
      column<CertificateSigningRequest>('RequestedDuration', 'For how long.', ({ spec }) =>
        spec?.expirationSeconds === undefined ? '<none>' : humanDuration(spec.expirationSeconds * 1_000),
      ),
      column<CertificateSigningRequest>('Condition', 'How far it is.', conditionText),
    ],
  },
);

function conditionText({ status }: Given<CertificateSigningRequest>): string {
  const has = (wanted: string) => (status?.conditions ?? []).some(({ type }) => type === wanted);
  const decision = has('Denied') ? 'Denied' : has('Approved') ? 'Approved' : 'Pending';
  return `${decision}${has('Failed') ? ',Failed' : ''}${status?.certificate ? ',Issued' : ''}`;
}
