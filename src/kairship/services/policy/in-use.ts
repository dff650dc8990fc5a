/** A propagation policy that places something is not deleted: what it placed would stay, placed by nobody. */
import { StatusError } from '#base/status-error.ts';
import {
  type AnyBinding,
  CLUSTER_RESOURCE_BINDING,
  LABELS,
  PROPAGATION_POLICY,
  RESOURCE_BINDING,
} from '#karmada/apis/index.ts';
import type { KindNames } from '#kube/crds/kind-names.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { EVERYWHERE, type Place, type Reads } from '../../read/reads.ts';

const NAMED = 3;

export async function refuseInUse(reads: Reads, place: Place, kind: KindNames, policy: KubeObject): Promise<void> {
  const label = kind === PROPAGATION_POLICY ? LABELS.propagationPolicyId : LABELS.clusterPropagationPolicyId;
  const id = policy.metadata.labels?.[label];
  if (!id) return;
  const placed = await Promise.all(
    [RESOURCE_BINDING, CLUSTER_RESOURCE_BINDING].map((resource) =>
      reads.all<AnyBinding>({ place, resource, reach: EVERYWHERE, labelSelector: `${label}=${id}` }),
    ),
  );
  const names = placed.flat().map(({ spec }) => `${spec.resource.kind} ${spec.resource.name}`);
  if (names.length === 0) return;
  const more = names.length > NAMED ? ` and ${names.length - NAMED} more` : '';
  const told = `${names.slice(0, NAMED).join(', ')}${more}`;
  throw new StatusError('Conflict', `${kind.kind} "${policy.metadata.name}" is in use by ${told}: delete those first`);
}
