/**
 * What one pod of a template needs, for estimating how many fit.
 *
 * As karmada v1.18 pkg/util/resource.go: the sum over containers or the greatest init container, whichever is more,
 * plus overhead; a limit stands in for a request that is not there.
 */
import type { NodeClaim, NodeSelector, ReplicaRequirements, ResourceList } from '#karmada/apis/index.ts';
import {
  formatQuantity,
  milliQuantityOf,
  quantityMilliValue,
  quantityOf,
  quantityValue,
  tryParseQuantity,
} from '#kube/meta/quantity.ts';
import { type Fields, fieldAt, fieldsAt, listAt } from './fields.ts';

/** Undefined when a pod of it may run anywhere and asks for nothing. */
export function requirementsOf(podSpec: Fields | undefined): ReplicaRequirements | undefined {
  const nodeClaim = nodeClaimOf(podSpec);
  const resourceRequest = resourceRequestOf(podSpec);
  if (!nodeClaim && !resourceRequest) return undefined;
  return { ...(nodeClaim ? { nodeClaim } : {}), ...(resourceRequest ? { resourceRequest } : {}) };
}

function nodeClaimOf(podSpec: Fields | undefined): NodeClaim | undefined {
  const required = 'requiredDuringSchedulingIgnoredDuringExecution';
  const hardNodeAffinity = fieldsAt(podSpec, 'affinity', 'nodeAffinity', required);
  const nodeSelector = fieldsAt(podSpec, 'nodeSelector');
  const tolerations = listAt(podSpec, 'tolerations');
  if (!hardNodeAffinity && !nodeSelector && tolerations.length === 0) return undefined;
  return {
    ...(hardNodeAffinity ? { hardNodeAffinity: hardNodeAffinity as unknown as NodeSelector } : {}),
    ...(nodeSelector ? { nodeSelector: nodeSelector as Readonly<Record<string, string>> } : {}),
    ...(tolerations.length > 0 ? { tolerations } : {}),
  };
}

/** Amounts by resource: thousandths of cpu, whole units of the rest. */
type Amounts = Map<string, number>;

function resourceRequestOf(podSpec: Fields | undefined): ResourceList | undefined {
  const sum: Amounts = new Map();
  for (const container of listAt(podSpec, 'containers')) {
    for (const [name, amount] of requestsOf(container)) sum.set(name, (sum.get(name) ?? 0) + amount);
  }
  for (const container of listAt(podSpec, 'initContainers')) {
    for (const [name, amount] of requestsOf(container)) sum.set(name, Math.max(sum.get(name) ?? 0, amount));
  }
  for (const [name, amount] of amountsOf(fieldAt(podSpec, 'overhead'))) sum.set(name, (sum.get(name) ?? 0) + amount);
  const needed = Array.from(sum).filter(([, amount]) => amount > 0);
  if (needed.length === 0) return undefined;
  return Object.fromEntries(needed.map(([name, amount]) => [name, quantityText(name, amount)]));
}

function requestsOf(container: Fields): Amounts {
  const limits = amountsOf(fieldAt(container, 'resources', 'limits'));
  return new Map([...limits, ...amountsOf(fieldAt(container, 'resources', 'requests'))]);
}

function amountsOf(list: unknown): Amounts {
  const amounts: Amounts = new Map();
  for (const [name, quantity] of Object.entries(list ?? {})) {
    const parsed =
      typeof quantity === 'string' || typeof quantity === 'number' ? tryParseQuantity(quantity) : undefined;
    if (parsed && isCounted(name)) {
      amounts.set(name, name === 'cpu' ? quantityMilliValue(parsed) : quantityValue(parsed));
    }
  }
  return amounts;
}

const COUNTED = new Set(['cpu', 'memory', 'ephemeral-storage', 'pods']);

/** What Kubernetes' scheduler counts: the native four, and scalars (devices, huge pages, attachable volumes). */
function isCounted(name: string): boolean {
  return COUNTED.has(name) || name.includes('/') || isHugePages(name) || name.startsWith('attachable-volumes-');
}

function isHugePages(name: string): boolean {
  return name.startsWith('hugepages-');
}

function quantityText(name: string, amount: number): string {
  if (name === 'cpu') return formatQuantity(milliQuantityOf(amount));
  const binary = name === 'memory' || name === 'ephemeral-storage' || isHugePages(name);
  return formatQuantity(quantityOf(amount, binary ? 'binary' : 'decimal'));
}
