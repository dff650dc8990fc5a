/**
 * Gives policies what admission would have given them, on API servers that have no Karmada webhook: the permanent id
 * that claims refer to, the finalizer that lets go of what was claimed, and defaults. A policy that has its id is left
 * alone.
 */
import type { Ids } from '#base/ids.ts';
import { draftOf } from '#base/json.ts';
import { defaultOverrideSpec, defaultPropagationSpec, stampPolicy } from '#karmada/admission/policy-defaults.ts';
import {
  type AnyPropagationPolicy,
  CLUSTER_PROPAGATION_POLICY,
  OVERRIDE_POLICY,
  type OverridePolicy,
  PROPAGATION_POLICY,
} from '#karmada/apis/index.ts';
import { policyId } from '#karmada/detector/claim.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import { keyOf, type KubeObject } from '#kube/meta/object.ts';
import { type Controller, done, type Informers } from '#kube/runtime/index.ts';

const KINDS = [PROPAGATION_POLICY, CLUSTER_PROPAGATION_POLICY, OVERRIDE_POLICY];

export function policyStampController(deps: {
  readonly client: KubeClient;
  readonly informers: Informers;
  readonly ids: Ids;
}): Controller {
  const { client, informers, ids } = deps;
  return {
    name: 'policy-stamp',
    watches: KINDS.map((gvr) => ({
      gvr,
      wakes: (object: KubeObject) => (lacksStamp(object) ? [`${gvr.kind} ${keyOf(object)}`] : []),
    })),
    async reconcile({ key }) {
      const [kind, name = ''] = key.split(' ');
      const gvr = KINDS.find((each) => each.kind === kind);
      const object = gvr && informers(gvr).get(name);
      if (!gvr || !object || !lacksStamp(object)) return done;
      await client.update(gvr, stamped(object, ids));
      return done;
    },
  };
}

function lacksStamp(object: KubeObject): boolean {
  if (object.metadata.deletionTimestamp) return false;
  if (object.kind !== OVERRIDE_POLICY.kind) return policyId(object as AnyPropagationPolicy) === '';
  const { resourceSelectors = [] } = (object as OverridePolicy).spec;
  return resourceSelectors.some(({ namespace }) => !namespace);
}

function stamped(object: KubeObject, ids: Ids): KubeObject {
  const { namespace } = object.metadata;
  if (object.kind === OVERRIDE_POLICY.kind) {
    const policy = draftOf(object as OverridePolicy);
    defaultOverrideSpec(policy.spec, namespace);
    return policy;
  }
  const policy = draftOf(object as AnyPropagationPolicy);
  defaultPropagationSpec(policy.spec, namespace);
  stampPolicy(policy, ids);
  return policy;
}
