/** Taints of nodes and the tolerations of pods. Pure. */
import type { Taint, Toleration } from '#gen/kube/types.ts';

export function tolerates(tolerations: readonly Toleration[] | undefined, taint: Taint): boolean {
  return (tolerations ?? []).some((toleration) => isTolerated(toleration, taint));
}

export function isTolerated({ key, operator, value, effect }: Toleration, taint: Taint): boolean {
  if (effect && effect !== taint.effect) return false;
  if (key && key !== taint.key) return false;
  if (operator === 'Exists') return true;
  if (operator === 'Lt' || operator === 'Gt') return compares(operator, taint.value, value);
  return Boolean(key) && (value ?? '') === (taint.value ?? '');
}

function compares(operator: 'Lt' | 'Gt', has: string | undefined, bound: string | undefined): boolean {
  const [mine, limit] = [Number(has), Number(bound)];
  return operator === 'Lt' ? mine < limit : mine > limit;
}

/** The first taint with one of the effects that the pod does not tolerate. */
export function untolerated(
  taints: readonly Taint[] | undefined,
  tolerations: readonly Toleration[] | undefined,
  effects: readonly string[],
): Taint | undefined {
  return taints?.find((taint) => effects.includes(taint.effect) && !tolerates(tolerations, taint));
}
