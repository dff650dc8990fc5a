/** What a ClusterTaintPolicy may say: its schema says the rest. */
import type { ClusterTaintPolicy } from '#karmada/apis/index.ts';
import { duplicate, type FieldError, forbidden } from '#kube/meta/field-error.ts';

/** `allowNoExecute`: `--allow-no-execute-taint-policy`, for such a taint drives workloads out of their cluster. */
export function taintPolicyErrors({ taints }: ClusterTaintPolicy['spec'], allowNoExecute: boolean): FieldError[] {
  const errors: FieldError[] = [];
  for (const [index, { key, effect }] of taints.entries()) {
    const path = `spec.taints[${index}]`;
    if (effect === 'NoExecute' && !allowNoExecute) errors.push(forbidden(path, NO_EXECUTE));
    if (taints.slice(index + 1).some((other) => other.key === key && other.effect === effect)) {
      errors.push(duplicate(path, `Duplicate taint with the same key(${key}) and effect(${effect}) is not allowed`));
    }
  }
  return errors;
}

const NO_EXECUTE =
  'Configuring taint with NoExecute effect is not allowed, this capability must be explicitly enabled by ' +
  'administrators through command-line flags';
