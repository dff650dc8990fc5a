/** Two resources of old: bindings, which schedule a pod, and the health of components. */
import type { Binding, ComponentStatus } from '#gen/kube/types.ts';
import type { ResourceDefinition } from '#kube/apiserver/resource.ts';
import { column, nameColumn } from '../columns.ts';
import { type Given, kind } from '../kind.ts';

export const bindings: ResourceDefinition = kind<Binding>({ group: '', version: 'v1', kind: 'Binding' }, {});

export const componentStatuses: ResourceDefinition = kind<ComponentStatus>(
  { group: '', version: 'v1', kind: 'ComponentStatus' },
  {
    shortNames: ['cs'],
    columns: [
      nameColumn,
      column<ComponentStatus>('Status', 'Whether the component is healthy.', (status) => {
        const { status: healthy } = healthOf(status) ?? {};
        return healthy === undefined ? 'Unknown' : healthy === 'True' ? 'Healthy' : 'Unhealthy';
      }),
      column<ComponentStatus>('Message', 'What it says.', (status) => healthOf(status)?.message ?? ''),
      column<ComponentStatus>('Error', 'What went wrong.', (status) => healthOf(status)?.error ?? ''),
    ],
  },
);

function healthOf({ conditions }: Given<ComponentStatus>) {
  return (conditions ?? []).find(({ type }) => type === 'Healthy');
}
