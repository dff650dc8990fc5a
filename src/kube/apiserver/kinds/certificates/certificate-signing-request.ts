import type { CertificateSigningRequest } from '#gen/kube/types.ts';
import type { ResourceDefinition } from '#kube/apiserver/resource.ts';
import { humanDuration } from '#kube/meta/age.ts';
import { forbidden, invalid, required } from '#kube/meta/field-error.ts';
import { ageColumn, column, nameColumn } from '../columns.ts';
import { oneOf, unique } from '../checks.ts';
import { type Errors, type Given, kind, type Making } from '../kind.ts';

export const certificateSigningRequests: ResourceDefinition = kind<CertificateSigningRequest>(
  { group: 'certificates.k8s.io', version: 'v1', kind: 'CertificateSigningRequest' },
  {
    shortNames: ['csr'],
    fields: { 'spec.signerName': ({ spec }) => spec?.signerName ?? '' },
    name: () => [],
    validate: requestRules,
    validateStatus: requestStatus,
    // What was asked for stays as it was asked: only the approval and the certificate are added.
    update: (request, old) => {
      request.spec = structuredClone(old.spec) as typeof request.spec;
    },
    status: keepDecision,
    resetFields: {
      '': [['spec'], ['status']],
      status: [['spec'], ['status', 'conditions']],
      approval: [['spec'], ['status', 'certificate']],
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

/** Who may write the status may not decide: that is what the approval is for. */
function keepDecision(request: Making<CertificateSigningRequest>, old: Given<CertificateSigningRequest>): void {
  const isDecision = ({ type }: { type?: string | undefined }) => type === 'Approved' || type === 'Denied';
  const decided = structuredClone((old.status?.conditions ?? []).filter(isDecision)) as Conditions;
  const others = (request.status?.conditions ?? []).filter((condition) => !isDecision(condition));
  if (decided.length + others.length > 0) (request.status ??= {}).conditions = [...decided, ...others];
}

type Conditions = NonNullable<NonNullable<Making<CertificateSigningRequest>['status']>['conditions']>;

function conditionText({ status }: Given<CertificateSigningRequest>): string {
  const has = (wanted: string) => (status?.conditions ?? []).some(({ type }) => type === wanted);
  const decision = has('Denied') ? 'Denied' : has('Approved') ? 'Approved' : 'Pending';
  return `${decision}${has('Failed') ? ',Failed' : ''}${status?.certificate ? ',Issued' : ''}`;
}

const USAGES = [
  'any',
  'cert sign',
  'client auth',
  'code signing',
  'content commitment',
  'crl sign',
  'data encipherment',
  'decipher only',
  'digital signature',
  'email protection',
  'encipher only',
  'ipsec end system',
  'ipsec tunnel',
  'ipsec user',
  'key agreement',
  'key encipherment',
  'microsoft sgc',
  'netscape sgc',
  'ocsp signing',
  's/mime',
  'server auth',
  'signing',
  'timestamping',
];
const TEN_MINUTES = 600;
const BLOCK = /^-----BEGIN CERTIFICATE REQUEST-----\r?\n[^-]+-----END CERTIFICATE REQUEST-----/m;

function* requestRules(request: Given<CertificateSigningRequest>): Errors {
  const { request: pem = '', usages = [], signerName = '', expirationSeconds } = request.spec ?? {};
  if (!BLOCK.test(Buffer.from(pem, 'base64').toString('latin1'))) {
    yield invalid('spec.request', pem, 'PEM block type must be CERTIFICATE REQUEST');
  }
  if (usages.length === 0) yield required('spec.usages');
  for (const [at, usage] of usages.entries()) yield* oneOf(usage, USAGES, `spec.usages[${at}]`);
  yield* unique(usages, (at) => `spec.usages[${at}]`);
  yield* signerRules(signerName);
  if (expirationSeconds !== undefined && expirationSeconds < TEN_MINUTES) {
    const rule = 'may not specify a duration less than 600 seconds (10 minutes)';
    yield invalid('spec.expirationSeconds', expirationSeconds, rule);
  }
}

/** `domain/path`, where the domain is the signer's. */
function* signerRules(name: string): Errors {
  const path = 'spec.signerName';
  if (name === '') return yield required(path);
  if (name === 'kubernetes.io/legacy-unknown') {
    return yield invalid(path, name, 'the legacy signerName is not allowed via this API version');
  }
  const [domain = '', ...rest] = name.split('/');
  if (rest.length !== 1 || domain === '' || rest[0] === '') {
    yield invalid(path, name, "must be a fully qualified domain and path of the form 'example.com/signer-name'");
  } else if (!domain.includes('.')) {
    yield invalid(path, domain, 'should be a domain with at least two segments separated by dots');
  }
}

/** A decision is never taken back, and a certificate never exchanged. */
function* requestStatus(request: Given<CertificateSigningRequest>, old: Given<CertificateSigningRequest>): Errors {
  const has = (one: Given<CertificateSigningRequest>, wanted: string) =>
    (one.status?.conditions ?? []).some(({ type }) => type === wanted);
  for (const type of ['Approved', 'Denied', 'Failed']) {
    if (has(old, type) && !has(request, type)) {
      yield forbidden('status.conditions', `updates may not remove a condition of type "${type}"`);
    }
  }
  if (has(request, 'Approved') && has(request, 'Denied')) {
    yield invalid('status.conditions', 'Denied', 'Approved and Denied conditions are mutually exclusive');
  }
  if (old.status?.certificate && request.status?.certificate !== old.status.certificate) {
    yield forbidden('status.certificate', 'updates may not modify existing certificate content');
  }
}
