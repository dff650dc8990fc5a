/**
 * What an instance would write into a cluster that joins it, and what stands in the way there. Nothing is written.
 *
 * The instance itself says what it would place: it imagines the cluster with what the inventory knows of it. What the
 * cluster holds is read from the index, all names of a kind at once. What the platform keeps in every cluster for its
 * own sake is left out.
 */
import { kindNames } from '#kube/crds/kind-names.ts';
import { parseApiVersion } from '#kube/meta/gvk.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { ArrivingObject_Outcome as Outcome } from '#gen/proto/kairship/api/cluster/v1alpha1/cluster_service_pb.ts';
import {
  ANNOTATIONS,
  type AnyBinding,
  CLUSTER_RESOURCE_BINDING,
  CONFLICT,
  LABELS,
  RESOURCE_BINDING,
} from '#karmada/apis/index.ts';
import type { Cluster as InventoryCluster } from '#kpanda/registry/index.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import { EVERYWHERE, type Reads } from '../../read/reads.ts';

const SIMULATION = kindNames('placement.kairship.io', 'v1alpha1', 'Simulation', 'simulations');

/** An object by its kind and name, in an instance or in a member. */
export interface Named {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
}

export interface Arriving {
  readonly resource: Named;
  readonly outcome: Outcome;
  readonly policy: string;
  readonly replicas: number;
}

/** As much of what the instance imagines as is needed here. */
interface Effect {
  readonly binding: string;
  readonly template?: Named;
  readonly policy?: { readonly after?: string };
  readonly after?: readonly { readonly name: string; readonly replicas?: number }[];
}

export async function checkJoin(
  deps: { readonly control: KubeClient; readonly reads: Reads },
  instance: string,
  cluster: InventoryCluster,
): Promise<{ readonly items: readonly Arriving[]; readonly fresh: boolean }> {
  const { control, reads } = deps;
  const { name } = cluster.metadata;
  const { status } = await control.create(SIMULATION, {
    apiVersion: SIMULATION.apiVersion,
    kind: SIMULATION.kind,
    metadata: { name: 'simulation' },
    spec: { join: [imagined(cluster)] },
  });
  const { bindings = [] } = status as { readonly bindings?: readonly Effect[] };
  const coming = bindings.filter((effect) => goesTo(effect, name) && !isOwn(effect.template));
  const there = await objectsOf(reads, { instance, cluster: name }, coming);
  const clashing = coming.filter((effect) => there.has(idOf(effect.template)));
  const [templates, placed, { freshness }] = await Promise.all([
    objectsOf(reads, { instance }, clashing),
    bindingsOf(reads, instance, clashing),
    reads.list({ place: { instance, cluster: name }, resource: NAMESPACES, reach: EVERYWHERE, pageSize: 1 }),
  ]);
  const items = coming.map(
    (effect): Arriving => ({
      resource: effect.template ?? NOTHING,
      outcome: outcomeOf(
        there.get(idOf(effect.template)),
        templates.get(idOf(effect.template)),
        placed.get(effect.binding),
      ),
      policy: effect.policy?.after ?? '',
      replicas: effect.after?.find((target) => target.name === name)?.replicas ?? 0,
    }),
  );
  return { items: items.toSorted(inTheWayFirst), fresh: freshness.fresh };
}

const NAMESPACES = { group: '', resource: 'namespaces' };
const NOTHING: Named = { apiVersion: '', kind: '', name: '' };

/** What becomes of a template in a cluster that holds `there` under its name; as the engine decides when it writes. */
export function outcomeOf(
  there: KubeObject | undefined,
  template: KubeObject | undefined,
  binding: AnyBinding | undefined,
): Outcome {
  if (!there) return Outcome.created;
  if (there.metadata.labels?.[LABELS.managed] === 'true') return Outcome.managed;
  const own = template?.metadata.annotations?.[ANNOTATIONS.conflictResolution];
  const takes = own === undefined ? binding?.spec.conflictResolution === 'Overwrite' : own === CONFLICT.overwrite;
  return takes ? Outcome.takenOver : Outcome.conflict;
}

/** The roles that the platform keeps in every cluster are its own affair. */
export function isOwn(of: Pick<Named, 'kind' | 'name'> | undefined): boolean {
  return of !== undefined && /Role(Binding)?$/.test(of.kind) && of.name.startsWith('kairship:');
}

function imagined({ metadata, spec, status }: InventoryCluster): object {
  const amounts = Object.entries(status?.resourceSummary?.allocatable ?? {});
  return {
    name: metadata.name,
    labels: { ...metadata.labels },
    ...(spec.provider ? { provider: spec.provider } : {}),
    ...(spec.region ? { region: spec.region } : {}),
    ...(spec.zone ? { zones: [spec.zone] } : {}),
    ...(amounts.length > 0 ? { capacity: Object.fromEntries(amounts) } : {}),
  };
}

function goesTo({ after = [] }: Effect, cluster: string): boolean {
  return after.some(({ name }) => name === cluster);
}

function idOf({ apiVersion, kind, namespace = '', name }: Named = NOTHING): string {
  return `${parseApiVersion(apiVersion).group}/${kind}/${namespace}/${name}`;
}

/** What a place holds under the names of templates, kind by kind. */
async function objectsOf(
  reads: Reads,
  place: { readonly instance: string; readonly cluster?: string },
  effects: readonly Effect[],
): Promise<ReadonlyMap<string, KubeObject>> {
  const byKind = Map.groupBy(
    effects.flatMap(({ template }) => template ?? []),
    ({ apiVersion, kind }) => `${parseApiVersion(apiVersion).group}/${kind}`,
  );
  const found = await Promise.all(
    [...byKind].map(async ([id, templates]) => {
      const [group = '', kind = ''] = id.split('/');
      const resource = await reads.resourceOf({ group, kind });
      if (!resource) return [];
      const names = [...new Set(templates.map(({ name }) => name))];
      const objects = await reads.all({ place, resource, reach: EVERYWHERE, names });
      return objects.map(
        (object) => [`${id}/${object.metadata.namespace ?? ''}/${object.metadata.name}`, object] as const,
      );
    }),
  );
  return new Map(found.flat());
}

async function bindingsOf(
  reads: Reads,
  instance: string,
  effects: readonly Effect[],
): Promise<ReadonlyMap<string, AnyBinding>> {
  const names = effects.map(({ binding }) => binding.slice(binding.indexOf('/') + 1));
  if (names.length === 0) return new Map();
  const found = await Promise.all(
    [RESOURCE_BINDING, CLUSTER_RESOURCE_BINDING].map((resource) =>
      reads.all<AnyBinding>({ place: { instance }, resource, reach: EVERYWHERE, names }),
    ),
  );
  return new Map(
    found.flat().map((binding) => {
      const { namespace, name } = binding.metadata;
      return [namespace === undefined ? name : `${namespace}/${name}`, binding] as const;
    }),
  );
}

const RANK: Readonly<Record<number, number>> = { [Outcome.conflict]: 0, [Outcome.takenOver]: 1, [Outcome.managed]: 2 };

function inTheWayFirst(a: Arriving, b: Arriving): number {
  const difference = (RANK[a.outcome] ?? 3) - (RANK[b.outcome] ?? 3);
  if (difference !== 0) return difference;
  return idOf(a.resource) < idOf(b.resource) ? -1 : 1;
}
