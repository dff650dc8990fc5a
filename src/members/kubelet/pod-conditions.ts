/** What the states of its containers mean for the pod: its phase and its conditions. Pure. */
import type { ContainerStatus, Pod, PodCondition } from '#gen/kube/types.ts';
import { defined } from '../defined.ts';

export interface ContainerStatuses {
  readonly init: readonly ContainerStatus[];
  readonly main: readonly ContainerStatus[];
}

export function phaseOf(pod: Pod, { main }: ContainerStatuses): 'Pending' | 'Running' | 'Succeeded' | 'Failed' {
  const hasBegun = ({ state, lastState }: ContainerStatus) =>
    Boolean(state?.running ?? state?.terminated ?? lastState?.terminated);
  if (!main.every(hasBegun)) return 'Pending';
  const policy = pod.spec?.restartPolicy ?? 'Always';
  const isOver = ({ state }: ContainerStatus) =>
    policy !== 'Always' && state?.terminated !== undefined && (policy === 'Never' || state.terminated.exitCode === 0);
  if (!main.every(isOver)) return 'Running';
  return main.every(({ state }) => state?.terminated?.exitCode === 0) ? 'Succeeded' : 'Failed';
}

/** Whether the pod has an address and its containers a place to start in. */
export function hasSandbox({ init, main }: ContainerStatuses): boolean {
  const isWaiting = (reason: string) => reason === 'ContainerCreating' || reason === 'PodInitializing';
  return [...init, ...main].some(
    ({ containerID, state }) => containerID !== undefined || (state?.waiting && !isWaiting(state.waiting.reason ?? '')),
  );
}

/** The conditions a kubelet writes, with those of others kept; `nodeIsReady` is what the node controller adds. */
export function conditionsOf(
  pod: Pod,
  statuses: ContainerStatuses,
  { phase, nodeIsReady, at }: { readonly phase: string; readonly nodeIsReady: boolean; readonly at: string },
): readonly PodCondition[] {
  const before = pod.status?.conditions ?? [];
  const isOver = phase === 'Succeeded' || phase === 'Failed';
  const containers = containersReady(pod, statuses, phase);
  const ready = containers.status === 'True' ? readiness(pod, nodeIsReady) : containers;
  const own: Record<string, Verdict> = {
    PodReadyToStartContainers: hasSandbox(statuses) && !isOver ? YES : NO,
    Initialized: initialized(pod, statuses, phase),
    Ready: ready,
    ContainersReady: containers,
    PodScheduled: YES,
  };
  const written = Object.entries(own).map(([type, verdict]) =>
    stamped(type, verdict, before, at, pod.metadata.generation),
  );
  return [...before.filter(({ type }) => !(type in own)), ...written];
}

interface Verdict {
  readonly status: 'True' | 'False';
  readonly reason?: string;
  readonly message?: string;
}

const YES: Verdict = { status: 'True' };
const NO: Verdict = { status: 'False' };

function stamped(
  type: string,
  verdict: Verdict,
  before: readonly PodCondition[],
  at: string,
  observedGeneration: number | undefined,
): PodCondition {
  const old = before.find((condition) => condition.type === type);
  // As it is stored, where nothing is new: the server adds what conditions have and nobody says.
  if (old && isSame(old, verdict) && old.observedGeneration === observedGeneration) return old;
  const since = old?.status === verdict.status ? (old.lastTransitionTime ?? at) : at;
  return { type, ...verdict, lastTransitionTime: since, ...defined({ observedGeneration }) };
}

function isSame(old: PodCondition, { status, reason, message }: Verdict): boolean {
  return old.status === status && (old.reason ?? '') === (reason ?? '') && (old.message ?? '') === (message ?? '');
}

function containersReady({ spec }: Pod, { init, main }: ContainerStatuses, phase: string): Verdict {
  if (phase === 'Succeeded') return { status: 'False', reason: 'PodCompleted' };
  if (phase === 'Failed') return { status: 'False', reason: 'PodFailed' };
  const sidecars = new Set(
    (spec?.initContainers ?? []).filter(({ restartPolicy }) => restartPolicy === 'Always').map(({ name }) => name),
  );
  const unready = [...init.filter(({ name }) => sidecars.has(name)), ...main].filter(({ ready }) => !ready);
  return unready.length === 0 ? YES : notYet('ContainersNotReady', 'unready', unready);
}

function notYet(reason: string, word: string, statuses: readonly ContainerStatus[]): Verdict {
  const names = statuses.map(({ name }) => name).join(' ');
  return { status: 'False', reason, message: `containers with ${word} status: [${names}]` };
}

function initialized({ spec }: Pod, { init, main }: ContainerStatuses, phase: string): Verdict {
  if (phase === 'Succeeded') return { status: 'True', reason: 'PodCompleted' };
  if (main.some(({ state, lastState }) => state?.running ?? state?.terminated ?? lastState?.terminated)) return YES;
  const isSidecar = (name: string) =>
    spec?.initContainers?.some((container) => container.name === name && container.restartPolicy === 'Always');
  const open = init.filter((status) => (isSidecar(status.name) ? !status.started : !status.ready));
  return open.length === 0 ? YES : notYet('ContainersNotInitialized', 'incomplete', open);
}

function readiness({ spec, status }: Pod, nodeIsReady: boolean): Verdict {
  if (!nodeIsReady) return NO;
  const closed = (spec?.readinessGates ?? []).flatMap(({ conditionType }) => {
    const gate = status?.conditions?.find(({ type }) => type === conditionType);
    if (!gate) return [`corresponding condition of pod readiness gate "${conditionType}" does not exist.`];
    if (gate.status === 'True') return [];
    return [`the status of pod readiness gate "${conditionType}" is not "True", but ${gate.status}`];
  });
  if (closed.length === 0) return YES;
  return { status: 'False', reason: 'ReadinessGatesNotReady', message: closed.join(', ') };
}
