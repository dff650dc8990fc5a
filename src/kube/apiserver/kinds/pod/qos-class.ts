import type { Pod } from '#gen/kube/types.ts';
import { type Quantity, tryParseQuantity } from '#kube/meta/quantity.ts';
import type { Given } from '../kind.ts';

const COUNTED = ['cpu', 'memory'] as const;

/** How well a pod's resources are assured: Guaranteed when all limits equal their requests, BestEffort without any. */
export function qosClassOf(spec: Given<Pod>['spec']): 'Guaranteed' | 'Burstable' | 'BestEffort' {
  const resources = [...(spec?.containers ?? []), ...(spec?.initContainers ?? [])].map((one) => one.resources ?? {});
  const asked = resources.flatMap(({ requests, limits }) =>
    COUNTED.flatMap((name) => [amount(requests, name), amount(limits, name)]),
  );
  if (asked.every((quantity) => quantity === undefined)) return 'BestEffort';
  const guaranteed = resources.every(({ requests, limits }) =>
    COUNTED.every((name) => {
      const limit = amount(limits, name);
      return limit !== undefined && limit.nanos === (amount(requests, name) ?? limit).nanos;
    }),
  );
  return guaranteed ? 'Guaranteed' : 'Burstable';
}

function amount(
  resources: Readonly<Record<string, string | undefined>> | undefined,
  name: string,
): Quantity | undefined {
  const quantity = tryParseQuantity(resources?.[name] ?? '');
  return quantity && quantity.nanos > 0n ? quantity : undefined;
}
