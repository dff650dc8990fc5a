/**
 * How something does in each of its clusters: one line each, and a sentence for all of them.
 *
 * What a cluster said before it fell silent is no news: its replicas count as neither ready nor lost, but as unknown.
 * What has had its time to start and has not is no longer starting.
 */
import type { Problem } from './problem.ts';
import type { Binding, ClusterStatus, Condition } from './objects.ts';
import type { State } from '../parts/status.tsx';

export interface Placed {
  readonly cluster: string;
  readonly wanted: number;
  readonly ready: number;
  /** How many are where nobody answers. */
  readonly unheard: number;
  readonly state: State;
  readonly note: string;
}

/** How long nothing may be ready before that is called a trouble. */
const PATIENCE = 60_000;

export function placedOf(
  { spec, status }: Pick<Binding, 'spec' | 'status'>,
  lost: ReadonlySet<string>,
  now = Date.now(),
): readonly Placed[] {
  const late = now - sentAt(status?.conditions) > PATIENCE;
  const told = new Map((status?.aggregatedStatus ?? []).map((one) => [one.clusterName, one]));
  return (spec.clusters ?? []).map(({ name, replicas = 0 }) => {
    const one = told.get(name);
    const at = { cluster: name, wanted: replicas, note: one?.appliedMessage ?? '' };
    if (lost.has(name)) return { ...at, ready: 0, unheard: replicas, state: 'unknown' };
    const ready = readyIn(one);
    return { ...at, ready, unheard: 0, state: stateIn(one, ready, replicas, late) };
  });
}

/** `2/3`, `?/3` where nobody answers, nothing where nothing is counted. */
export function countIn({ wanted, ready, unheard }: Placed): string {
  if (wanted === 0) return '';
  return `${unheard > 0 ? '?' : ready}/${wanted}`;
}

function readyIn(one: ClusterStatus | undefined): number {
  const ready = one?.status?.['readyReplicas'] ?? one?.status?.['numberReady'] ?? one?.status?.['succeeded'];
  return typeof ready === 'number' ? ready : 0;
}

/** When every cluster had it; never, as far as is known, while one has not. */
function sentAt(conditions: readonly Condition[] = []): number {
  const sent = conditions.find(({ type, status }) => type === 'FullyApplied' && status === 'True');
  return Date.parse(sent?.lastTransitionTime ?? '') || Number.POSITIVE_INFINITY;
}

function stateIn(one: ClusterStatus | undefined, ready: number, wanted: number, late: boolean): State {
  if (!one) return 'progressing';
  if (one.applied === false) return 'blocked';
  if (one.health === 'Healthy' && ready >= wanted) return 'healthy';
  // All are ready, and yet not well: they are being replaced.
  if (one.health === 'Unhealthy') return ready < wanted && (ready > 0 || late) ? 'degraded' : 'progressing';
  return ready >= wanted ? 'healthy' : 'progressing';
}

export interface Verdict {
  readonly state: State;
  /** The key of its sentence. */
  readonly sentence:
    | 'noPolicy'
    | 'unscheduled'
    | 'notApplied'
    | 'running'
    | 'partly'
    | 'starting'
    | 'stuck'
    | 'deleting'
    | 'spread'
    | 'unheard';
  readonly message: string;
}

interface Asked {
  readonly binding: Binding | undefined;
  readonly missing: Problem | undefined;
  readonly deleting: boolean;
  readonly lost: ReadonlySet<string>;
}

/** What to say of the whole. A part that fails is never hidden by those that do not, nor is one that is silent. */
export function verdictOf({ binding, missing, deleting, lost }: Asked): Verdict {
  if (deleting) return { state: 'progressing', sentence: 'deleting', message: '' };
  if (!binding) return { state: missing ? 'blocked' : 'unknown', sentence: 'noPolicy', message: '' };
  const placed = placedOf(binding, lost);
  const scheduled = conditionOf(binding, 'Scheduled');
  if (scheduled?.status === 'False' || placed.length === 0)
    return { state: 'blocked', sentence: 'unscheduled', message: scheduled?.message ?? '' };
  const refused = placed.filter(({ state }) => state === 'blocked');
  if (refused.length > 0) return { state: 'degraded', sentence: 'notApplied', message: refused[0]?.note ?? '' };
  const silent = placed.filter(({ cluster }) => lost.has(cluster)).length;
  if (silent > 0) return { state: silent === placed.length ? 'unknown' : 'degraded', sentence: 'unheard', message: '' };
  if (placed.every(({ state }) => state === 'healthy'))
    return { state: 'healthy', sentence: binding.spec.replicas ? 'running' : 'spread', message: '' };
  if (placed.every(({ ready, wanted }) => wanted > 0 && ready >= wanted))
    return { state: 'progressing', sentence: 'running', message: '' };
  const some = placed.some(({ ready }) => ready > 0);
  if (!some && placed.some(({ state }) => state === 'degraded'))
    return { state: 'degraded', sentence: 'stuck', message: '' };
  return { state: some ? 'degraded' : 'progressing', sentence: some ? 'partly' : 'starting', message: '' };
}

function conditionOf({ status }: Binding, type: string): Condition | undefined {
  return status?.conditions?.find((condition) => condition.type === type);
}
