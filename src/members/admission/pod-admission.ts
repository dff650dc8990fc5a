/**
 * What a cluster adds to pods and claims when they are created, beyond the defaults of their kinds: the service account
 * and the default storage class. Priorities are given by every control plane.
 *
 * Refused are pods that name a service account that does not exist. The token of the service account is not mounted:
 * nothing in a simulated pod would use it.
 */
import type { PersistentVolumeClaim, Pod } from '#gen/kube/types.ts';
import type { Draft } from '#base/json.ts';
import { StatusError } from '#base/status-error.ts';
import type { AdmissionPlugin } from '#kube/apiserver/admission.ts';
import type { ClusterView } from '../cluster-view.ts';
import { defaultClass } from '../storage/binding.ts';
import { IN_USE } from '../storage/claim-controller.ts';

const DEFAULT_ACCOUNT = 'default';

export function podAdmission(view: () => ClusterView): AdmissionPlugin {
  return {
    name: 'members-pod',
    handles: ({ operation, gvr, subresource }) =>
      operation === 'CREATE' && gvr.group === '' && gvr.resource === 'pods' && subresource === undefined,
    mutate({ object }) {
      const pod = object as Draft<Pod> | undefined;
      if (!pod) return;
      const spec = (pod.spec ??= { containers: [] });
      spec.serviceAccountName ||= DEFAULT_ACCOUNT;
      spec.serviceAccount = spec.serviceAccountName;
    },
    validate({ object, namespace = DEFAULT_ACCOUNT, name }) {
      const { spec } = object as Draft<Pod>;
      const account = spec?.serviceAccountName ?? DEFAULT_ACCOUNT;
      // That of a new namespace is on its way.
      if (account === DEFAULT_ACCOUNT || view().serviceAccounts.get(`${namespace}/${account}`)) return;
      const why = `error looking up service account ${namespace}/${account}: serviceaccount "${account}" not found`;
      throw refused(name, why);
    },
  };
}

function refused(name: string, why: string): StatusError {
  return new StatusError('Forbidden', `pods "${name}" is forbidden: ${why}`, { details: { name, kind: 'pods' } });
}

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
