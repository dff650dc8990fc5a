/** What if: a changed world and the difference it makes, asked while the change is still being typed. */
import type { MessageInitShape } from '@bufbuild/protobuf';
import { useQuery } from '@connectrpc/connect-query';
import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData } from '@tanstack/react-query';
import { PlacementService } from '#gen/proto/kairship/api/placement/v1alpha1/placement_service_pb.ts';

import {
  type BindingEffect,
  BindingEffect_Verdict,
  type SimulationSpecSchema,
  type SimulationStatus,
  type SimulationSummary,
} from '#gen/proto/kairship/api/placement/v1alpha1/simulation_pb.ts';

export type Imagined = MessageInitShape<typeof SimulationSpecSchema>;

const PAUSE_MS = 300;

/** Nothing is asked while `spec` is undefined. */
export function useSimulation(instance: string, spec: Imagined | undefined) {
  const [settled] = useDebouncedValue(spec === undefined ? '' : JSON.stringify(spec), PAUSE_MS);
  const asked = settled === '' ? undefined : (JSON.parse(settled) as Imagined);
  return useQuery(
    PlacementService.method.simulate,
    { instance, spec: asked ?? {} },
    {
      enabled: asked !== undefined,
      placeholderData: keepPreviousData,
      retry: false,
      staleTime: 5_000,
      select: withoutOwn,
    },
  );
}

/** The roles that the platform keeps in every cluster are its own affair: that they have no place is no obstacle. */
export function withoutOwn(status: SimulationStatus): SimulationStatus {
  const own = new Set(status.bindings.filter(isOwn).map(({ binding }) => binding));
  if (own.size === 0) return status;
  return {
    ...status,
    ...(status.summary && { summary: lessOwn(status.summary, status.bindings.filter(isOwn)) }),
    bindings: status.bindings.filter(({ binding }) => !own.has(binding)),
    unschedulable: status.unschedulable.filter(({ binding }) => !own.has(binding)),
  };
}

function lessOwn(summary: SimulationSummary, own: readonly BindingEffect[]): SimulationSummary {
  const changed = own.filter(({ verdict }) => verdict !== BindingEffect_Verdict.unchanged).length;
  return { ...summary, bindings: summary.bindings - own.length, changed: summary.changed - changed };
}

function isOwn({ template }: BindingEffect): boolean {
  return /Role(Binding)?$/.test(template?.kind ?? '') && (template?.name ?? '').startsWith('kairship:');
}

/** Whether it has replicas at all; roles and config maps are placed, too, but nobody counts their copies. */
export function hasReplicas({ before, after, verdict }: BindingEffect): boolean {
  const some = [...before, ...after].some(({ replicas }) => replicas > 0);
  return some || verdict === BindingEffect_Verdict.nowhere || verdict === BindingEffect_Verdict.stuck;
}

export type EffectKey = 'unschedulable' | 'moves' | 'stops' | 'starts' | 'restarts' | 'changes' | 'nothing';

/** The key of the words for an effect, and its count: what a button that brings it about is labelled with. */
export function effectWord(status: SimulationStatus | undefined): { readonly key: EffectKey; readonly count: number } {
  const counted = (status?.bindings ?? []).filter(hasReplicas);
  const sum = (of: (binding: BindingEffect) => number) => counted.reduce((total, binding) => total + of(binding), 0);
  const counts = {
    unschedulable: status?.unschedulable.length ?? 0,
    moves: sum(({ moves }) => moves.reduce((total, move) => total + (move.from && move.to ? move.replicas : 0), 0)),
    stops: sum(({ disruption }) => disruption?.stopped ?? 0),
    starts: sum(({ disruption }) => disruption?.started ?? 0),
    restarts: sum(({ disruption }) => disruption?.restarted ?? 0),
    changes: status?.summary?.changed ?? 0,
  };
  const key = (Object.keys(counts) as (keyof typeof counts)[]).find((one) => counts[one] > 0);
  return key ? { key, count: counts[key] } : { key: 'nothing', count: 0 };
}
