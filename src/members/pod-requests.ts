/** What a pod asks of a node. Pure. */
import type { Container, Pod } from '#gen/kube/types.ts';
import { parseQuantity, quantityMilliValue } from '#kube/meta/quantity.ts';

/** Amounts in thousandths, by resource. Thousandths of a byte of any machine's memory still fit a number. */
export type Amounts = Readonly<Record<string, number>>;

/** The larger of what its containers ask together and what it needs while it is being set up, and its overhead. */
export function requestsOf({ spec }: Pod): Amounts {
  const sum: Record<string, number> = {};
  let peak: Amounts = {};
  for (const container of spec?.initContainers ?? []) {
    // A sidecar stays; another init container comes on top of the sidecars before it, and goes again.
    if (container.restartPolicy === 'Always') add(sum, askedBy(container));
    else peak = larger(peak, plus(sum, askedBy(container)));
  }
  for (const container of spec?.containers ?? []) add(sum, askedBy(container));
  const containers = { ...larger(peak, sum), ...amountsOf(spec?.resources?.requests) };
  return plus(containers, amountsOf(spec?.overhead));
}

export function amountsOf(quantities: Readonly<Record<string, string>> | undefined): Amounts {
  return Object.fromEntries(Object.entries(quantities ?? {}).map(([name, value]) => [name, milli(value)]));
}

export function milli(quantity: string | number | undefined): number {
  return quantity === undefined ? 0 : quantityMilliValue(parseQuantity(quantity));
}

export function add(to: Record<string, number>, amounts: Amounts, sign: 1 | -1 = 1): void {
  for (const [name, amount] of Object.entries(amounts)) to[name] = (to[name] ?? 0) + sign * amount;
}

function askedBy({ resources }: Container): Amounts {
  return amountsOf(resources?.requests);
}

function plus(a: Amounts, b: Amounts): Amounts {
  const sum = { ...a };
  add(sum, b);
  return sum;
}

function larger(a: Amounts, b: Amounts): Amounts {
  const names = new Set([...Object.keys(a), ...Object.keys(b)]);
  return Object.fromEntries([...names].map((name) => [name, Math.max(a[name] ?? 0, b[name] ?? 0)]));
}
