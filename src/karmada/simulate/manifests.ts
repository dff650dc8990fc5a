/** What the objects in the members would be, rendered exactly as Works are, and how that differs. */
import { notFound } from '#base/status-error.ts';
import { type AnyBinding, CLUSTER, type TargetCluster } from '#karmada/apis/index.ts';
import { targetClusters } from '#karmada/binding/binding-clusters.ts';
import { type RenderDeps, renderWork } from '#karmada/binding/render-work.ts';
import type { ResourceInterpreter } from '#karmada/interpreter/index.ts';
import { applyOverrides } from '#karmada/override/index.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { pathChanges } from './path-changes.ts';
import type { ManifestEffect } from './simulation.ts';
import type { World } from './world.ts';

export interface Side {
  readonly world: World;
  readonly binding: AnyBinding | undefined;
  readonly template: KubeObject | undefined;
}

export interface ClusterManifest extends ManifestEffect {
  /** What would be applied, where that is new. */
  readonly manifest?: KubeObject;
}

export async function manifestEffects(
  interpreter: ResourceInterpreter,
  before: Side,
  after: Side,
): Promise<readonly ClusterManifest[]> {
  const [was, is] = [targetsOf(before), targetsOf(after)];
  const effects: ClusterManifest[] = [];
  for (const name of [...new Set([...was.keys(), ...is.keys()])].sort()) {
    const effect = await effectIn(name, interpreter, [before, was.get(name)], [after, is.get(name)]);
    if (effect) effects.push(effect);
  }
  return effects;
}

function targetsOf({ binding }: Side): ReadonlyMap<string, TargetCluster> {
  return new Map((binding ? targetClusters(binding.spec) : []).map((target) => [target.name, target]));
}

type SideIn = readonly [side: Side, target: TargetCluster | undefined];

async function effectIn(
  cluster: string,
  interpreter: ResourceInterpreter,
  [before, was]: SideIn,
  [after, is]: SideIn,
): Promise<ClusterManifest | undefined> {
  const old = await render(interpreter, before, was).catch(() => undefined);
  if (!is || !after.template) {
    const preserved = before.binding?.spec.preserveResourcesOnDeletion;
    return old && { cluster, change: preserved ? 'released' : 'deleted' };
  }
  try {
    const manifest = await render(interpreter, after, is);
    if (!manifest) return undefined;
    if (!old) return { cluster, change: 'created', manifest };
    const paths = pathChanges(old, manifest);
    return paths.length > 0 ? { cluster, change: 'modified', paths } : undefined;
  } catch (error) {
    return { cluster, change: 'failed', message: error instanceof Error ? error.message : String(error) };
  }
}

async function render(
  interpreter: ResourceInterpreter,
  { world, binding, template }: Side,
  target: TargetCluster | undefined,
): Promise<KubeObject | undefined> {
  if (!binding || !template || !target) return undefined;
  const deps: RenderDeps = { interpreter, overrides: (object, name) => overridden(world, object, name) };
  const { work } = await renderWork(deps, binding, template, target);
  return work.spec.workload?.manifests?.[0];
}

function overridden(world: World, object: KubeObject, name: string) {
  const cluster = world.clusters.find(({ metadata }) => metadata.name === name);
  if (!cluster) throw notFound(CLUSTER.resource, name, CLUSTER.group);
  const { overridePolicies, clusterOverridePolicies } = world;
  return applyOverrides({ object, cluster, overridePolicies, clusterOverridePolicies });
}
