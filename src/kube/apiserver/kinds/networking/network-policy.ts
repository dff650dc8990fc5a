import type { NetworkPolicy } from '#gen/kube/types.ts';
import type { ResourceDefinition } from '#kube/apiserver/resource.ts';
import { formatLabelSelector } from '#kube/meta/label-selector.ts';
import { selectorGiven } from '../apps/workload.ts';
import { ageColumn, column, nameColumn } from '../columns.ts';
import { kind, type Making } from '../kind.ts';
import { networkPolicyRules } from './network-policy-rules.ts';

export const networkPolicies: ResourceDefinition = kind<NetworkPolicy>(
  { group: 'networking.k8s.io', version: 'v1', kind: 'NetworkPolicy' },
  {
    shortNames: ['netpol'],
    generation: 'spec',
    defaults: defaultNetworkPolicy,
    validate: networkPolicyRules,
    columns: [
      nameColumn,
      column<NetworkPolicy>('Pod-Selector', 'The pods it protects.', ({ spec }) =>
        formatLabelSelector(selectorGiven(spec?.podSelector)),
      ),
      ageColumn,
    ],
  },
);

/** A policy that does not say which traffic it rules, rules what comes in, and what goes out if it speaks of that. */
function defaultNetworkPolicy(policy: Making<NetworkPolicy>): void {
  const spec = (policy.spec ??= {});
  for (const { ports } of [...(spec.ingress ?? []), ...(spec.egress ?? [])]) {
    for (const port of ports ?? []) port.protocol ??= 'TCP';
  }
  if ((spec.policyTypes ?? []).length > 0) return;
  spec.policyTypes = ['Ingress', ...((spec.egress ?? []).length > 0 ? ['Egress'] : [])];
}
