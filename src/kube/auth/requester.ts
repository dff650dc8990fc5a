import { isObject } from '#base/json.ts';
import type { AdmissionPlugin } from '#kube/apiserver/admission.ts';

/**
 * Writes into a request for a certificate who made it, whatever the request itself says: whoever approves or signs
 * decides by that.
 */
export const requester: AdmissionPlugin = {
  name: 'CertificateRequester',
  handles: ({ operation, gvr, subresource }) =>
    operation === 'CREATE' && gvr.resource === 'certificatesigningrequests' && subresource === undefined,
  mutate({ object, user: { name, uid, groups, extra } }) {
    if (!object) return;
    const { username: _, uid: __, groups: ___, extra: ____, ...asked } = isObject(object['spec']) ? object['spec'] : {};
    object['spec'] = {
      ...asked,
      username: name,
      ...(uid === undefined ? {} : { uid }),
      groups: [...groups],
      ...(extra === undefined ? {} : { extra: structuredClone(extra) }),
    };
  },
};
