import type { CertificateSigningRequest } from '#gen/kube/types.ts';
import { type Clock, rfc3339 } from '#base/clock.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import { typed } from '#kube/client/typed-client.ts';
import { type KeyPair, readSigningRequest, signRequest } from '#kube/pki/index.ts';
import { type Controller, done, type Outcome, type Reconcile } from '#kube/runtime/controller.ts';
import { isSigner, signerProblem, signingUsages } from './signers.ts';

export const REQUESTS = { group: 'certificates.k8s.io', version: 'v1', resource: 'certificatesigningrequests' };

/** Kubernetes' default of how long a certificate is valid at most: a year. */
const LONGEST_SECONDS = 365 * 86_400;

/** Signs requests for certificates that have been approved. */
export function signingController(deps: {
  readonly client: KubeClient;
  readonly authority: KeyPair;
  readonly clock: Clock;
}): Controller {
  const { client, authority, clock } = deps;
  const requests = typed<CertificateSigningRequest>(client, {
    gvr: REQUESTS,
    kind: 'CertificateSigningRequest',
    namespaced: false,
  });

  async function reconcile({ key }: Reconcile): Promise<Outcome> {
    const found = await requests.find(key);
    if (!found || !isDue(found)) return done;
    const { request, signerName, usages = [], expirationSeconds = LONGEST_SECONDS } = found.spec;
    const pem = Buffer.from(request, 'base64').toString();
    const problem = signerProblem(signerName, await readSigningRequest(pem), usages);
    if (problem !== undefined) {
      await fail(found, problem);
      return done;
    }
    const seconds = Math.min(expirationSeconds, LONGEST_SECONDS);
    const certificate = await signRequest(authority, { pem, usages: signingUsages(usages), seconds }, clock);
    await requests.updateStatus(found, {
      ...found.status,
      certificate: Buffer.from(certificate).toString('base64'),
    });
    return done;
  }

  async function fail(found: CertificateSigningRequest, message: string): Promise<void> {
    const now = rfc3339(clock.now());
    const failed = {
      type: 'Failed',
      status: 'True',
      reason: 'SignerValidationFailure',
      message,
      lastUpdateTime: now,
      lastTransitionTime: now,
    };
    await requests.updateStatus(found, {
      ...found.status,
      conditions: [...(found.status?.conditions ?? []), failed],
    });
  }

  return { name: 'certificate-signing', watches: [{ gvr: REQUESTS }], reconcile };
}

function isDue({ spec, status }: CertificateSigningRequest): boolean {
  const has = (type: string) => status?.conditions?.some((one) => one.type === type && one.status !== 'False') === true;
  return isSigner(spec.signerName) && has('Approved') && !has('Denied') && !has('Failed') && !status?.certificate;
}
