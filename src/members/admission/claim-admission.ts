/**
 * What a cluster adds to claims when they are created, beyond the defaults of their kind: the default storage class.
 * Priorities and service accounts of pods are given by every control plane.
 */
import type { PersistentVolumeClaim } from '#gen/kube/types.ts';
import type { Draft } from '#base/json.ts';
import type { AdmissionPlugin } from '#kube/apiserver/admission.ts';
import type { ClusterView } from '../cluster-view.ts';
import { defaultClass } from '../storage/binding.ts';
import { IN_USE } from '../storage/claim-controller.ts';

export function claimAdmission(view: () => ClusterView): AdmissionPlugin {
  return {
    name: 'members-claim',
    handles: ({ operation, gvr, subresource }) =>
      operation === 'CREATE' &&
      gvr.group === '' &&
      gvr.resource === 'persistentvolumeclaims' &&
      subresource === undefined,
    mutate({ object }) {
      const claim = object as Draft<PersistentVolumeClaim> | undefined;
      if (!claim) return;
      const { metadata } = claim;
      if (!metadata.finalizers?.includes(IN_USE)) metadata.finalizers = [...(metadata.finalizers ?? []), IN_USE];
      const spec = (claim.spec ??= {});
      const standard = defaultClass(view().storageClasses.list())?.metadata.name;
      // An empty name asks for no class at all.
      if (spec.storageClassName === undefined && standard !== undefined) spec.storageClassName = standard;
    },
  };
}
