/** Which nodes a pod may run on by their labels and names. Pure. */
import type { Node, NodeSelectorRequirement, NodeSelectorTerm, PodSpec } from '#gen/kube/types.ts';

export function matchesNode(spec: PodSpec | undefined, node: Node): boolean {
  const wanted = Object.entries(spec?.nodeSelector ?? {});
  if (wanted.some(([key, value]) => node.metadata.labels?.[key] !== value)) return false;
  const required = spec?.affinity?.nodeAffinity?.requiredDuringSchedulingIgnoredDuringExecution;
  return !required || (required.nodeSelectorTerms ?? []).some((term) => matchesTerm(term, node));
}

/** How much the pod would like the node, from 0 to 1. */
export function preferenceFor(spec: PodSpec | undefined, node: Node): number {
  const preferred = spec?.affinity?.nodeAffinity?.preferredDuringSchedulingIgnoredDuringExecution ?? [];
  const all = preferred.reduce((sum, { weight }) => sum + weight, 0);
  const met = preferred.filter(({ preference }) => matchesTerm(preference, node));
  return all === 0 ? 0 : met.reduce((sum, { weight }) => sum + weight, 0) / all;
}

/** An empty term matches nothing. */
function matchesTerm({ matchExpressions = [], matchFields = [] }: NodeSelectorTerm, { metadata }: Node): boolean {
  if (matchExpressions.length + matchFields.length === 0) return false;
  return (
    matchExpressions.every((one) => holds(one, metadata.labels?.[one.key])) &&
    matchFields.every((one) => holds(one, one.key === 'metadata.name' ? metadata.name : undefined))
  );
}

function holds({ operator, values = [] }: NodeSelectorRequirement, value: string | undefined): boolean {
  switch (operator) {
    case 'In':
      return value !== undefined && values.includes(value);
    case 'NotIn':
      return value === undefined || !values.includes(value);
    case 'Exists':
      return value !== undefined;
    case 'DoesNotExist':
      return value === undefined;
    case 'Gt':
      return value !== undefined && Number(value) > Number(values[0]);
    case 'Lt':
      return value !== undefined && Number(value) < Number(values[0]);
    default:
      return false;
  }
}
