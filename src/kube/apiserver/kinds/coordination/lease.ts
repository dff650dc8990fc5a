import type { Lease } from '#gen/kube/types.ts';
import type { ResourceDefinition } from '#kube/apiserver/resource.ts';
import { forbidden, invalid } from '#kube/meta/field-error.ts';
import { ageColumn, column, nameColumn } from '../columns.ts';
import { nonNegative } from '../checks.ts';
import { type Errors, type Given, kind, type Making } from '../kind.ts';

export const leases: ResourceDefinition = kind<Lease>(
  { group: 'coordination.k8s.io', version: 'v1', kind: 'Lease' },
  {
    createOnUpdate: true,
    unconditionalUpdate: false,
    create: (lease) => dropDisabled(lease),
    update: dropDisabled,
    validate: leaseRules,
    columns: [
      nameColumn,
      column<Lease>('Holder', 'Who holds it.', ({ spec }) => spec?.holderIdentity ?? ''),
      ageColumn,
    ],
  },
);

/** Leases that several compete for by a strategy are off by default in Kubernetes: kept only where they are already. */
function dropDisabled({ spec }: Making<Lease>, old?: Given<Lease>): void {
  if (!spec || old?.spec?.strategy !== undefined || old?.spec?.preferredHolder !== undefined) return;
  delete spec.strategy;
  delete spec.preferredHolder;
}

function* leaseRules({ spec = {} }: Given<Lease>): Errors {
  const { leaseDurationSeconds: seconds, leaseTransitions, strategy, preferredHolder } = spec;
  if (seconds !== undefined && seconds <= 0)
    yield invalid('spec.leaseDurationSeconds', seconds, 'must be greater than 0');
  yield* nonNegative(leaseTransitions, 'spec.leaseTransitions');
  if (preferredHolder && !strategy) {
    yield forbidden('spec.preferredHolder', 'may only be specified if `strategy` is defined');
  }
}
