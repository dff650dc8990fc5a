import type { CertificateSigningRequest } from '#gen/kube/types.ts';
import { type Clock, rfc3339 } from '#base/clock.ts';
import type { Draft } from '#base/json.ts';
import type { AdmissionPlugin } from '#kube/apiserver/admission.ts';

type Request = Draft<CertificateSigningRequest> | undefined;

/** Writes into decisions about requests for certificates when they were made, where whoever made them did not say. */
export function conditionTimes(clock: Clock): AdmissionPlugin {
  return {
    name: 'CertificateConditionTimes',
    handles: ({ operation, gvr, subresource }) =>
      operation === 'UPDATE' && gvr.resource === 'certificatesigningrequests' && subresource !== undefined,
    mutate({ object, oldObject }) {
      const now = rfc3339(clock.now());
      const before = (oldObject as Request)?.status?.conditions ?? [];
      for (const condition of (object as Request)?.status?.conditions ?? []) {
        condition.lastUpdateTime ||= now;
        const same = before.find(({ type, status }) => type === condition.type && status === condition.status);
        condition.lastTransitionTime ||= same?.lastTransitionTime || now;
      }
    },
  };
}
