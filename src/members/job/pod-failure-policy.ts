/** What a Job's policy says about a pod that failed. Pure. */
import type { ContainerStatus, Job, Pod, PodFailurePolicyRule } from '#gen/kube/types.ts';

export interface FailureAction {
  readonly action: string;
  /** For a failure that ends the Job. */
  readonly message: string;
}

export function failureAction({ spec }: Job, pod: Pod): FailureAction | undefined {
  for (const [index, rule] of (spec?.podFailurePolicy?.rules ?? []).entries()) {
    const what = matched(rule, pod);
    if (what !== undefined)
      return { action: rule.action, message: `${what} matching ${rule.action} rule at index ${index}` };
  }
  return undefined;
}

function matched(
  { onExitCodes, onPodConditions }: PodFailurePolicyRule,
  { metadata, status }: Pod,
): string | undefined {
  const name = `${metadata.namespace ?? 'default'}/${metadata.name}`;
  if (onExitCodes) {
    const { containerName, operator, values } = onExitCodes;
    const isMeant = (container: ContainerStatus) => containerName === undefined || container.name === containerName;
    const all = [...(status?.containerStatuses ?? []), ...(status?.initContainerStatuses ?? [])].filter(isMeant);
    const found = all.find(({ state }) => {
      const code = state?.terminated?.exitCode ?? 0;
      return code !== 0 && values.includes(code) === (operator === 'In');
    });
    if (!found) return undefined;
    return `Container ${found.name} for pod ${name} failed with exit code ${found.state?.terminated?.exitCode ?? 0}`;
  }
  const isNamed = (type: string, state: string) =>
    onPodConditions?.some((pattern) => pattern.type === type && (pattern.status ?? 'True') === state);
  const condition = status?.conditions?.find((one) => isNamed(one.type, one.status));
  return condition ? `Pod ${name} has condition ${condition.type}` : undefined;
}
