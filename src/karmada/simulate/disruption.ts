/** What a change does to the replicas that run. Pure. */
import { isObject } from '#base/json.ts';
import type { AnyBinding, TargetCluster } from '#karmada/apis/index.ts';
import { schedulingType } from '#karmada/scheduler/index.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import type { Disruption, ManifestEffect } from './simulation.ts';

export interface DisruptionInput {
  readonly template: KubeObject;
  readonly before: AnyBinding | undefined;
  readonly after: AnyBinding | undefined;
  readonly manifests: readonly ManifestEffect[];
  readonly lost: ReadonlySet<string>;
}

/** Undefined for what has no replicas. */
export function disruptionOf({ template, before, after, manifests, lost }: DisruptionInput): Disruption | undefined {
  const [was, is] = [before?.spec.clusters ?? [], after?.spec.clusters ?? []];
  const asked = { before: askedBy(before), after: askedBy(after) };
  if (asked.before === 0 && asked.after === 0) return undefined;
  const remade = new Set(manifests.filter(remakesPods).map(({ cluster }) => cluster));
  const kept = keptUntilHealthy(after);
  const sums = { started: 0, stopped: 0, restarted: 0, minimumAvailable: 0 };
  for (const name of new Set([...was, ...is].map((target) => target.name))) {
    const [had, has] = [countOf(was, name), countOf(is, name)];
    const stay = Math.min(had, has);
    sums.started += Math.max(0, has - had);
    sums.stopped += Math.max(0, had - has);
    if (remade.has(name)) sums.restarted += stay;
    if (lost.has(name)) continue;
    const running = kept.has(name) ? had : stay;
    sums.minimumAvailable += remade.has(name) ? running - unavailable(template, running) : running;
  }
  return { replicas: asked, ...sums };
}

/** In all clusters together: a duplicated workload asks for all its replicas in each. */
function askedBy(binding: AnyBinding | undefined): number {
  const { replicas = 0, placement, clusters = [] } = binding?.spec ?? {};
  const divided = schedulingType(placement ?? {}) === 'Divided';
  return divided || clusters.length === 0 ? replicas : replicas * clusters.length;
}

function countOf(targets: readonly TargetCluster[], name: string): number {
  return targets.find((target) => target.name === name)?.replicas ?? 0;
}

/** Copies that a graceful eviction leaves until those elsewhere are healthy. */
function keptUntilHealthy(binding: AnyBinding | undefined): ReadonlySet<string> {
  const tasks = (binding?.spec.gracefulEvictionTasks ?? []).filter(({ purgeMode }) => purgeMode !== 'Directly');
  return new Set(tasks.map(({ fromCluster }) => fromCluster));
}

function remakesPods({ change, paths = [] }: ManifestEffect): boolean {
  return change === 'modified' && paths.some(({ path }) => path.startsWith('/spec/template/'));
}

/** As many as a rolling update takes away at once: a quarter, rounded down, unless the template says otherwise. */
function unavailable(template: KubeObject, replicas: number): number {
  const spec = isObject(template['spec']) ? template['spec'] : {};
  const strategy = isObject(spec['strategy']) ? spec['strategy'] : {};
  if (strategy['type'] === 'Recreate') return replicas;
  const rolling = isObject(strategy['rollingUpdate']) ? strategy['rollingUpdate'] : {};
  const limit = rolling['maxUnavailable'];
  const most = typeof limit === 'number' ? limit : Math.floor((percent(limit) / 100) * replicas);
  return Math.min(replicas, most);
}

function percent(limit: unknown): number {
  return typeof limit === 'string' ? Number.parseInt(limit, 10) : 25;
}
