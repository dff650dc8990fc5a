/** Whether a federated autoscaler can do its work: a pure function of its conditions. */
import { FederatedHPAStatus_Phase as Phase } from '#gen/proto/kairship/api/autoscaling/v1alpha1/federated_hpa_pb.ts';
import type { Condition, KubeObject } from '#kube/meta/object.ts';

const NEEDED = ['AbleToScale', 'ScalingActive'];

/** Nothing is known of one that nobody has looked at yet. */
export function scalerPhase(object: KubeObject): Phase {
  const { conditions = [] } = (object['status'] ?? {}) as { readonly conditions?: readonly Condition[] };
  if (conditions.length === 0) return Phase.PHASE_UNSPECIFIED;
  const holds = (type: string) => conditions.some((one) => one.type === type && one.status === 'True');
  return NEEDED.every(holds) ? Phase.Ready : Phase.NotReady;
}
