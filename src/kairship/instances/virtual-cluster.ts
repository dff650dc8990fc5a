/**
 * The hidden cluster that stands for an instance in the cluster inventory, so that it is collected as any cluster is.
 * One for each instance, and no two share one.
 */
import { type Instance, KUBECONFIG_KEY } from './instance.ts';
import { KARMADA_CONFIG_KEY } from './karmada.ts';

export function virtualCluster(instance: string): string {
  return `k-${instance}`;
}

/** Where the kubeconfig of an instance is; undefined while it has none. */
export function kubeconfigRef({ spec, status }: Instance) {
  if (!status?.secretRef) return undefined;
  const { namespace, name } = status.secretRef;
  // Whoever runs a control plane writes its kubeconfig under a key of their own.
  return { namespace, name, key: spec.mode === 'external' ? KUBECONFIG_KEY : KARMADA_CONFIG_KEY };
}
