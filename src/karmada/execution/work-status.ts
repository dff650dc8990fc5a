/** The status a Work gets from what became of its manifests. Pure. */
import { APPLIED, DISPATCHING, type ManifestStatus, type WorkStatus } from '#karmada/apis/index.ts';
import { setCondition } from '#kube/meta/condition.ts';

/** What became of the manifests of a Work. */
export type Dispatch =
  | { readonly type: 'suspended' }
  | { readonly type: 'applied'; readonly recreated: boolean; readonly statuses: readonly ManifestStatus[] }
  | { readonly type: 'failed'; readonly message: string };

/** `now` is RFC 3339. The very same status when nothing is new. */
export function workStatus(before: WorkStatus | undefined, dispatch: Dispatch, now: string): WorkStatus {
  const suspended = dispatch.type === 'suspended';
  const dispatching = {
    type: DISPATCHING.type,
    status: suspended ? 'False' : 'True',
    reason: suspended ? DISPATCHING.suspended : DISPATCHING.dispatching,
    message: suspended ? DISPATCHING.suspendedMessage : DISPATCHING.dispatchingMessage,
  } as const;
  const conditions = setCondition(before?.conditions, dispatching, now);
  if (dispatch.type === 'suspended') return { ...before, conditions };
  const applied = setCondition(conditions, appliedCondition(dispatch, before), now);
  if (dispatch.type === 'failed') return { ...before, conditions: applied };
  return { ...before, conditions: applied, manifestStatuses: dispatch.statuses };
}

function appliedCondition(dispatch: Exclude<Dispatch, { type: 'suspended' }>, before: WorkStatus | undefined) {
  const { type } = APPLIED;
  if (dispatch.type === 'failed') {
    return { type, status: 'False', reason: APPLIED.failed, message: dispatch.message } as const;
  }
  // That an object was made anew is remembered until something else is worth saying.
  const old = before?.conditions?.find((condition) => condition.type === type);
  const stays = old?.status === 'True' && old.reason === RECREATED;
  const reason = dispatch.recreated || stays ? RECREATED : APPLIED.success;
  return { type, status: 'True', reason, message: APPLIED.successMessage } as const;
}

const RECREATED = 'ReCreateSuccessful';
