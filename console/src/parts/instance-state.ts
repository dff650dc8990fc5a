/** How an instance is, in one of the five words. */
import { type Instance, InstanceStatus_State as S } from '#gen/proto/kairship/api/instance/v1alpha1/instance_pb.ts';
import type { State } from './status.tsx';

const STATES: Readonly<Record<number, State>> = {
  [S.INSTANCE_STATE_UNSPECIFIED]: 'unknown',
  [S.INSTANCE_STATE_INPROCESS]: 'progressing',
  [S.INSTANCE_STATE_RUNNING]: 'healthy',
  [S.INSTANCE_STATE_TERMINAL]: 'progressing',
  [S.INSTANCE_STATE_UNAVAILABLE]: 'blocked',
  [S.INSTANCE_STATE_UNKNOWN]: 'unknown',
};

export function instanceState({ status }: Instance): State {
  return STATES[status?.state ?? S.INSTANCE_STATE_UNKNOWN] ?? 'unknown';
}
