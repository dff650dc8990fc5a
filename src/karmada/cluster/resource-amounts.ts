/**
 * Sums of resources as Karmada keeps them: CPU in thousandths, everything else in whole units.
 *
 * Only what a scheduler can count is counted: CPU, memory, ephemeral storage, pods, and scalar resources (huge pages,
 * attachable volumes and whatever has a domain of its own).
 */
import type { ResourceList } from '#karmada/apis/index.ts';
import {
  formatQuantity,
  milliQuantityOf,
  parseQuantity,
  quantityMilliValue,
  quantityOf,
  quantityValue,
} from '#kube/meta/quantity.ts';

/** CPU in thousandths under `cpu`; changed in place by its owner. */
export type Amounts = Map<string, number>;

export function amountsOf(list: ResourceList | undefined): Amounts {
  const amounts: Amounts = new Map();
  for (const [name, text] of Object.entries(list ?? {})) {
    if (!isCounted(name)) continue;
    const quantity = parseQuantity(text);
    amounts.set(name, name === 'cpu' ? quantityMilliValue(quantity) : quantityValue(quantity));
  }
  return amounts;
}

export function addAmounts(to: Amounts, from: Amounts): void {
  for (const [name, amount] of from) to.set(name, (to.get(name) ?? 0) + amount);
}

export function raiseAmounts(to: Amounts, least: Amounts): void {
  for (const [name, amount] of least) to.set(name, Math.max(to.get(name) ?? 0, amount));
}

/** Undefined when there is nothing of anything. */
export function resourceListOf(amounts: Amounts): ResourceList | undefined {
  const counted = [...amounts].filter(([, amount]) => amount > 0);
  if (counted.length === 0) return undefined;
  return Object.fromEntries(counted.map(([name, amount]) => [name, formatQuantity(quantity(name, amount))]));
}

function quantity(name: string, amount: number) {
  if (name === 'cpu') return milliQuantityOf(amount);
  const binary = name === 'memory' || name === 'ephemeral-storage' || name.startsWith('hugepages-');
  return quantityOf(amount, binary ? 'binary' : 'decimal');
}

const NATIVE: ReadonlySet<string> = new Set(['cpu', 'memory', 'ephemeral-storage', 'pods']);

function isCounted(name: string): boolean {
  return (
    NATIVE.has(name) || name.includes('/') || name.startsWith('hugepages-') || name.startsWith('attachable-volumes-')
  );
}
