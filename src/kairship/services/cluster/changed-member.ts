/**
 * What a request to change a member changes: its labels and its taints, each as a whole when it is given. Pure.
 *
 * Labels, region and zone that the inventory gives are changed in the inventory. Taints that tell how a member is doing
 * are the instance's own and stay.
 */
import { badRequest } from '#base/status-error.ts';
import type { Cluster as ClusterMessage } from '#gen/proto/kairship/api/cluster/v1alpha1/cluster_pb.ts';
import { TaintEffect, TaintEffectSchema } from '#gen/proto/kairship/api/types/v1alpha1/types_pb.ts';
import { type Cluster, TAINTS } from '#karmada/apis/index.ts';
import type { Cluster as InventoryCluster } from '#kpanda/registry/index.ts';
import { inventoryLabels } from '../../write/join.ts';

const OF_THE_INSTANCE: readonly string[] = [TAINTS.notReady, TAINTS.unreachable];

/** A merge patch, guarded by what was read. */
export function changedMember(
  current: Cluster,
  known: InventoryCluster | undefined,
  wanted: ClusterMessage | undefined,
): object {
  if (!wanted) throw badRequest('cluster: say what the member shall be like');
  refuseOthersFacts(known, wanted);
  const { resourceVersion, labels: before } = current.metadata;
  return {
    metadata: {
      ...(resourceVersion === undefined ? {} : { resourceVersion }),
      ...(wanted.metadata ? { labels: labelsPatch(before, known, wanted.metadata.labels) } : {}),
    },
    ...(wanted.spec ? { spec: { taints: taintsOf(current, wanted.spec.taints) } } : {}),
  };
}

function refuseOthersFacts(known: InventoryCluster | undefined, { metadata, spec }: ClusterMessage): void {
  const given = inventoryLabels(known?.metadata.labels);
  for (const [key, value] of Object.entries(metadata?.labels ?? {}))
    if (Object.hasOwn(given, key) && given[key] !== value) throw elsewhere(`label "${key}"`, given[key] ?? '');
  for (const field of ['region', 'zone'] as const) {
    const [asked, fact] = [spec?.[field] ?? '', known?.spec[field]];
    if (asked !== '' && fact !== undefined && asked !== fact) throw elsewhere(field, fact);
  }
}

function elsewhere(what: string, value: string) {
  return badRequest(`the ${what} of this cluster comes from the inventory, where it is "${value}": change it there`);
}

function labelsPatch(
  before: Readonly<Record<string, string>> = {},
  known: InventoryCluster | undefined,
  wanted: Readonly<Record<string, string>>,
): Record<string, string | null> {
  const given = inventoryLabels(known?.metadata.labels);
  const dropped = Object.keys(before).filter((key) => !Object.hasOwn(wanted, key) && !Object.hasOwn(given, key));
  return { ...Object.fromEntries(dropped.map((key) => [key, null])), ...wanted };
}

type Taints = NonNullable<Cluster['spec']['taints']>;

function taintsOf(
  { spec }: Cluster,
  wanted: readonly { readonly key: string; readonly value: string; readonly effect: TaintEffect }[],
): Taints {
  const kept = (spec.taints ?? []).filter(({ key }) => OF_THE_INSTANCE.includes(key));
  const asked = wanted.filter(({ key }) => !OF_THE_INSTANCE.includes(key));
  return [...kept, ...asked.map(({ key, value, effect }) => taint(key, value, effect))];
}

function taint(key: string, value: string, effect: TaintEffect): Taints[number] {
  if (effect === TaintEffect.TAINT_EFFECT_UNSPECIFIED) throw badRequest(`taint "${key}" needs an effect`);
  const name = TaintEffectSchema.value[effect]?.name as Taints[number]['effect'];
  return { key, ...(value === '' ? {} : { value }), effect: name };
}
