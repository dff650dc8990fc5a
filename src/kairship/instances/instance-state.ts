/** What to say of an instance: a pure function of what its operator says and whether it answers. */
import { findCondition } from '#kube/meta/condition.ts';
import type { Condition } from '#kube/meta/object.ts';
import type { Instance, InstanceState } from './instance.ts';
import type { Karmada } from './karmada.ts';

/** What came of asking the instance itself. */
export type Answer =
  | { readonly reached: true; readonly kubernetesVersion: string }
  | { readonly reached: false; readonly why: string };

export const WAITING_FOR_OPERATOR = 'WaitingForOperator';

export interface Verdict {
  readonly state: InstanceState;
  readonly condition: Pick<Condition, 'type' | 'status' | 'reason' | 'message'>;
}

/**
 * `answer` is absent when there was nothing to ask: no credentials yet.
 *
 * An instance that answers runs, whatever its operator is still busy with; one that does not is on its way until its
 * operator has once said that it is ready, and unavailable from then on.
 */
export function stateOf(instance: Instance, karmada: Karmada | undefined, answer: Answer | undefined): Verdict {
  if (instance.metadata.deletionTimestamp !== undefined) return verdict('TERMINAL', 'Deleting', 'It is being deleted.');
  if (answer?.reached) return verdict('RUNNING', 'Answers', 'Its API server answers.');
  const ready = findCondition(karmada?.status?.conditions, 'Ready');
  if (ready?.reason === 'Failed') return verdict('UNAVAILABLE', 'Failed', ready.message ?? '');
  const begun = instance.status?.state === 'RUNNING' || instance.status?.state === 'UNAVAILABLE';
  if (answer && (begun || ready?.status === 'True' || instance.spec.mode === 'external'))
    return verdict('UNAVAILABLE', 'DoesNotAnswer', `Its API server does not answer: ${answer.why}`);
  if (instance.spec.mode === 'external')
    return verdict('UNKNOWN', 'NoCredentials', 'There is no kubeconfig to reach it with.');
  if (instance.spec.mode === 'operator' && karmada && !karmada.status?.conditions?.length) return waitingFor(karmada);
  return verdict('INPROCESS', ready?.reason ?? 'Progressing', ready?.message ?? 'It is being made.');
}

/** Nothing says whether an operator is there at all, but for what it does. */
function waitingFor({ metadata: { namespace, name } }: Karmada): Verdict {
  const message =
    `No operator has taken up Karmada ${namespace}/${name} yet: ` +
    'is the Karmada operator installed in the global cluster, and does it run?';
  return verdict('INPROCESS', WAITING_FOR_OPERATOR, message);
}

function verdict(state: InstanceState, reason: string, message: string): Verdict {
  return { state, condition: { type: 'Ready', status: state === 'RUNNING' ? 'True' : 'False', reason, message } };
}
