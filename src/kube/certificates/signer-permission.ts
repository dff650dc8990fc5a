/**
 * Who may approve and sign requests for certificates: whoever has the verb on the `signers` of that name, or of its
 * whole domain. And nobody gets into `system:masters` by a certificate.
 */
import type { CertificateSigningRequest } from '#gen/kube/types.ts';
import { jsonEqual } from '#base/json.ts';
import { hasReason } from '#base/status-error.ts';
import type { AdmissionPlugin, AdmissionRequest } from '#kube/apiserver/admission.ts';
import { MASTERS } from '#kube/apiserver/auth/authenticate.ts';
import { type Authorizer, requireAllowed } from '#kube/apiserver/auth/authorize.ts';
import { forbidden } from '#kube/apiserver/failures.ts';
import { readSigningRequest } from '#kube/pki/index.ts';
import { CLIENT_SIGNER } from './signers.ts';

const GROUP = 'certificates.k8s.io';
const RESOURCE = 'certificatesigningrequests';

export function signerPermission(authorizer: Authorizer): AdmissionPlugin {
  async function isAllowed({ user }: AdmissionRequest, verb: 'approve' | 'sign', signer: string): Promise<boolean> {
    for (const name of [signer, `${signer.split('/')[0]}/*`]) {
      try {
        await requireAllowed(authorizer, user, { verb, group: GROUP, version: '*', resource: 'signers', name });
        return true;
      } catch (error) {
        if (!hasReason(error, 'Forbidden')) throw error;
      }
    }
    return false;
  }

  async function requireSigner(request: AdmissionRequest, verb: 'approve' | 'sign'): Promise<void> {
    // As it is stored: what the request for an approval says about the signer does not count.
    const { signerName } = (request.oldObject as CertificateSigningRequest | undefined)?.spec ?? { signerName: '' };
    if (await isAllowed(request, verb, signerName)) return;
    throw refusal(request, `user not permitted to ${verb} requests with signerName ${JSON.stringify(signerName)}`);
  }

  return {
    name: 'CertificateSigners',
    handles: ({ gvr, operation }) => gvr.group === GROUP && gvr.resource === RESOURCE && operation !== 'DELETE',
    async validate(request) {
      if (request.subresource === 'approval') return requireSigner(request, 'approve');
      if (request.subresource === 'status') return changesAnswer(request) ? requireSigner(request, 'sign') : undefined;
      await refuseMasters(request);
    },
  };
}

function changesAnswer({ object, oldObject }: AdmissionRequest): boolean {
  const [now, before] = [object, oldObject].map((one) => (one as CertificateSigningRequest | undefined)?.status);
  return now?.certificate !== before?.certificate || !jsonEqual(now?.conditions, before?.conditions);
}

async function refuseMasters(request: AdmissionRequest): Promise<void> {
  const { spec } = request.object as unknown as CertificateSigningRequest;
  if (spec?.signerName !== CLIENT_SIGNER) return;
  const asked = await readSigningRequest(Buffer.from(spec.request ?? '', 'base64').toString()).catch(
    (cause: unknown) => {
      const why = cause instanceof Error ? cause.message : String(cause);
      throw refusal(request, `failed to parse CSR: ${why}`);
    },
  );
  if (!asked.organizations.includes(MASTERS)) return;
  throw refusal(request, `use of ${CLIENT_SIGNER} signer with ${MASTERS} group is not allowed`);
}

function refusal({ name }: AdmissionRequest, why: string) {
  return forbidden({ group: GROUP, resource: RESOURCE }, name, why);
}
