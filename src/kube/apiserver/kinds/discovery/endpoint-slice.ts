import type { EndpointSlice } from '#gen/kube/types.ts';
import { jsonEqual } from '#base/json.ts';
import type { ResourceDefinition } from '#kube/apiserver/resource.ts';
import { ageColumn, column, firstThree, nameColumn } from '../columns.ts';
import { type Given, kind } from '../kind.ts';

export const endpointSlices: ResourceDefinition = kind<EndpointSlice>(
  { group: 'discovery.k8s.io', version: 'v1', kind: 'EndpointSlice' },
  {
    generation: isNewGeneration,
    defaults: ({ ports }) => {
      for (const port of ports ?? []) {
        port.name ??= '';
        port.protocol ??= 'TCP';
      }
    },
    columns: [
      nameColumn,
      column<EndpointSlice>('AddressType', 'What its addresses are.', ({ addressType }) => addressType ?? ''),
      column<EndpointSlice>('Ports', 'The ports of every endpoint.', ({ ports }) =>
        firstThree(
          (ports ?? []).map(({ port, name }) => String(port ?? name ?? '*')),
          '<unset>',
        ),
      ),
      column<EndpointSlice>('Endpoints', 'Their addresses.', ({ endpoints }) =>
        firstThree(
          (endpoints ?? []).flatMap(({ addresses }) => addresses ?? []),
          '<unset>',
        ),
      ),
      ageColumn,
    ],
  },
);

/** Anything but managedFields and the like: labels decide which Service a slice belongs to. */
function isNewGeneration(object: Given<EndpointSlice>, old: Given<EndpointSlice>): boolean {
  return (
    !(['addressType', 'endpoints', 'ports'] as const).every((field) => jsonEqual(object[field], old[field])) ||
    !jsonEqual(object.metadata?.labels ?? {}, old.metadata?.labels ?? {})
  );
}
