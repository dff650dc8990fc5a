/** What an autoscaler has to know of a pod, whichever member it runs in. */
import type { Pod } from '#gen/kube/types.ts';
import { parseQuantity, quantityMilliValue } from '#kube/meta/quantity.ts';

export interface PodView {
  /** `cluster/name`: pods of the same name in different members are different pods. */
  readonly id: string;
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly phase: string;
  readonly deleting: boolean;
  /** Milliseconds since the epoch. */
  readonly startedAt?: number;
  readonly ready?: { readonly status: string; readonly since: number };
  readonly containers: readonly { readonly name: string; readonly requests: Readonly<Record<string, number>> }[];
}

/** Requests are counted in thousandths, as all quantities here. */
export function podView(cluster: string, { metadata, spec, status }: Pod): PodView {
  const ready = status?.conditions?.find(({ type }) => type === 'Ready');
  return {
    id: `${cluster}/${metadata.name}`,
    name: metadata.name,
    labels: metadata.labels ?? {},
    phase: status?.phase ?? '',
    deleting: metadata.deletionTimestamp !== undefined,
    ...(status?.startTime === undefined ? {} : { startedAt: Date.parse(status.startTime) }),
    ...(ready ? { ready: { status: ready.status, since: Date.parse(ready.lastTransitionTime ?? '') || 0 } } : {}),
    containers: (spec?.containers ?? []).map(({ name, resources }) => ({
      name,
      requests: Object.fromEntries(
        Object.entries(resources?.requests ?? {}).map(([resource, amount]) => [resource, milli(amount)]),
      ),
    })),
  };
}

function milli(amount: string): number {
  return quantityMilliValue(parseQuantity(amount));
}
