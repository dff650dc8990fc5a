/** The signers Kubernetes knows by name, and what each takes. Pure. */
import type { SigningRequest, SigningUsage } from '#kube/pki/index.ts';

export const CLIENT_SIGNER = 'kubernetes.io/kube-apiserver-client';
export const KUBELET_CLIENT_SIGNER = 'kubernetes.io/kube-apiserver-client-kubelet';
export const KUBELET_SERVING_SIGNER = 'kubernetes.io/kubelet-serving';

type Check = (request: SigningRequest, usages: readonly string[]) => string | undefined;

/** Why a signer refuses a request; undefined when it takes it, or when there is no such signer here. */
export function signerProblem(signer: string, request: SigningRequest, usages: readonly string[]): string | undefined {
  return SIGNERS[signer]?.(request, usages);
}

export function isSigner(name: string): boolean {
  return Object.hasOwn(SIGNERS, name);
}

/** What a certificate may be used for, of what was asked for; the checks above have refused everything else. */
export function signingUsages(usages: readonly string[]): readonly SigningUsage[] {
  return USAGES.filter((usage) => usages.includes(usage));
}

const USAGES: readonly SigningUsage[] = ['digital signature', 'key encipherment', 'client auth', 'server auth'];

const SIGNERS: Readonly<Record<string, Check | undefined>> = {
  [CLIENT_SIGNER](_request, usages) {
    const other = usages.find((usage) => !['digital signature', 'key encipherment', 'client auth'].includes(usage));
    if (other !== undefined) return `invalid usage for client certificate: ${other}`;
    return usages.includes('client auth') ? undefined : 'missing required usage for client certificate: client auth';
  },
  [KUBELET_CLIENT_SIGNER](request, usages) {
    if (!isOfNodes(request)) return 'subject organization is not system:nodes';
    if (request.dnsNames.length > 0) return 'DNS subjectAltNames are not allowed';
    if (request.emails.length > 0) return 'Email subjectAltNames are not allowed';
    if (request.ips.length > 0) return 'IP subjectAltNames are not allowed';
    if (request.uris.length > 0) return 'URI subjectAltNames are not allowed';
    return nodeNameProblem(request) ?? usagesProblem(usages, 'client auth');
  },
  [KUBELET_SERVING_SIGNER](request, usages) {
    if (!isOfNodes(request)) return 'subject organization is not system:nodes';
    if (request.dnsNames.length + request.ips.length === 0) return 'DNS or IP subjectAltName is required';
    if (request.emails.length > 0) return 'Email subjectAltNames are not allowed';
    if (request.uris.length > 0) return 'URI subjectAltNames are not allowed';
    return usagesProblem(usages, 'server auth') ?? nodeNameProblem(request);
  },
};

function isOfNodes({ organizations }: SigningRequest): boolean {
  return organizations.length === 1 && organizations[0] === 'system:nodes';
}

function nodeNameProblem({ commonName }: SigningRequest): string | undefined {
  return commonName.startsWith('system:node:') ? undefined : 'subject common name does not begin with system:node:';
}

/** With or without the one that only RSA keys can use. */
function usagesProblem(usages: readonly string[], purpose: SigningUsage): string | undefined {
  const wanted = ['digital signature', 'key encipherment', purpose].sort();
  const given = [...new Set(usages)].sort();
  const isSame = (list: readonly string[]) => list.join() === given.join();
  if (isSame(wanted) || isSame(wanted.filter((usage) => usage !== 'key encipherment'))) return undefined;
  return `usages did not match [${wanted.join(' ')}]`;
}
