/** What a kubelet knows of a container, and how it refuses to speak of one that does not run. */
import type { Container, ContainerStatus, Pod } from '#gen/kube/types.ts';
import { badRequest, StatusError } from '#base/status-error.ts';

export function containerSpec(pod: Pod, name: string): Container {
  const { initContainers = [], containers = [], ephemeralContainers = [] } = pod.spec ?? {};
  const found = [...containers, ...initContainers, ...ephemeralContainers].find((container) => container.name === name);
  if (!found) throw new StatusError('NotFound', `container "${name}" not found in pod "${pod.metadata.name}"`);
  return found;
}

export function containerStatus(pod: Pod, name: string): ContainerStatus | undefined {
  const { containerStatuses = [], initContainerStatuses = [], ephemeralContainerStatuses = [] } = pod.status ?? {};
  const all = [...containerStatuses, ...initContainerStatuses, ...ephemeralContainerStatuses];
  return all.find((status) => status.name === name);
}

/** Commands are only for containers that run. */
export function requireRunning(pod: Pod, name: string): void {
  if (containerStatus(pod, name)?.state?.running) return;
  throw new StatusError('InternalError', `container not found ("${name}")`);
}

/** From start to end of one run of a container; without an end it still runs. */
export interface Life {
  readonly startedAt: number;
  readonly readyAt?: number;
  readonly end?: { readonly at: number; readonly exitCode: number; readonly reason: string };
}

/** The run whose log is asked for; a container that has none yet is refused as a kubelet refuses it. */
export function loggedLife(pod: Pod, name: string, previous: boolean): Life {
  const status = containerStatus(pod, name);
  const of = `container "${name}" in pod "${pod.metadata.name}"`;
  if (previous) {
    const ended = endedLife(status?.lastState?.terminated);
    if (!ended) throw badRequest(`previous terminated ${of} not found`);
    return ended;
  }
  const life = currentLife(pod, status);
  if (life) return life;
  throw badRequest(`${of} is waiting to start: ${status?.state?.waiting?.reason ?? 'ContainerCreating'}`);
}

/** A container that waits to be started again still has its last run to tell of. */
function currentLife(pod: Pod, status: ContainerStatus | undefined): Life | undefined {
  const { running, terminated } = status?.state ?? {};
  if (terminated) return endedLife(terminated);
  const startedAt = Date.parse(running?.startedAt ?? '');
  if (Number.isNaN(startedAt)) return endedLife(status?.lastState?.terminated);
  const ready = pod.status?.conditions?.find(({ type }) => type === 'Ready');
  const readyAt = status?.ready && ready?.status === 'True' ? Date.parse(ready.lastTransitionTime ?? '') : Number.NaN;
  return { startedAt, ...(Number.isNaN(readyAt) ? {} : { readyAt: Math.max(readyAt, startedAt) }) };
}

type Terminated = NonNullable<NonNullable<ContainerStatus['state']>['terminated']>;

function endedLife(terminated: Terminated | undefined): Life | undefined {
  const at = Date.parse(terminated?.finishedAt ?? '');
  if (!terminated || Number.isNaN(at)) return undefined;
  const { exitCode, reason = exitCode === 0 ? 'Completed' : 'Error' } = terminated;
  return { startedAt: Date.parse(terminated.startedAt ?? '') || at, end: { at, exitCode, reason } };
}
