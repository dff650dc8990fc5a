import type { APIService } from '#gen/kube/types.ts';
import type { ResourceDefinition } from '#kube/apiserver/resource.ts';
import { pathSegmentProblems } from '#kube/meta/names.ts';
import { ageColumn, column, nameColumn } from '../columns.ts';
import { type Given, kind } from '../kind.ts';

const HTTPS_PORT = 443;

export const apiServices: ResourceDefinition = kind<APIService>(
  { group: 'apiregistration.k8s.io', version: 'v1', kind: 'APIService' },
  {
    categories: ['api-extensions'],
    name: pathSegmentProblems,
    unconditionalUpdate: false,
    defaults: ({ spec }) => {
      if (spec?.service) spec.service.port ??= HTTPS_PORT;
    },
    create: (service) => {
      // A group served by this very server is there as soon as it is named.
      if (!service.spec?.service)
        service.status = {
          conditions: [
            { type: 'Available', status: 'True', reason: 'Local', message: 'Local APIServices are always available' },
          ],
        };
    },
    columns: [
      nameColumn,
      column<APIService>('Service', 'Who serves the group.', ({ spec }) =>
        spec?.service ? `${spec.service.namespace ?? ''}/${spec.service.name ?? ''}` : 'Local',
      ),
      column<APIService>('Available', 'Whether it answers.', availableText),
      ageColumn,
    ],
  },
);

function availableText({ status }: Given<APIService>): string {
  const condition = (status?.conditions ?? []).find(({ type }) => type === 'Available');
  if (!condition) return 'Unknown';
  return condition.status === 'True' ? 'True' : `${condition.status ?? ''} (${condition.reason ?? ''})`;
}
