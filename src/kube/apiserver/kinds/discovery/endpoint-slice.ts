import type { Endpoint, EndpointSlice } from '#gen/kube/types.ts';
import { jsonEqual } from '#base/json.ts';
import type { ResourceDefinition } from '#kube/apiserver/resource.ts';
import { isIP } from 'node:net';
import { duplicate, invalid, invalidAll, required, tooMany } from '#kube/meta/field-error.ts';
import { dnsSubdomainProblems, labelValueProblems } from '#kube/meta/names.ts';
import { ageColumn, column, firstThree, nameColumn } from '../columns.ts';
import { dnsLabel, dnsSubdomain, immutable, ipAddress, requiredOneOf } from '../checks.ts';
import { endpointIp } from '../core/endpoint-ip.ts';
import { type Errors, type Given, kind } from '../kind.ts';

export const endpointSlices: ResourceDefinition = kind<EndpointSlice>(
  { group: 'discovery.k8s.io', version: 'v1', kind: 'EndpointSlice' },
  {
    generation: isNewGeneration,
    validate: sliceRules,
    validateUpdate: sliceUpdate,
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

const MAX_ENDPOINTS = 1_000;
const MAX_PORTS = 20_000;
const MAX_ADDRESSES = 100;
const MAX_HINTS = 8;

function* sliceRules({ addressType, ports = [], endpoints = [] }: Given<EndpointSlice>): Errors {
  yield* requiredOneOf(addressType, ['FQDN', 'IPv4', 'IPv6'], 'addressType');
  if (ports.length > MAX_PORTS) yield tooMany('ports', ports.length, MAX_PORTS);
  const names = ports.map(({ name = '' }) => name);
  for (const [at, { name = '', protocol }] of ports.entries()) {
    if (name !== '') yield* dnsLabel(name, `ports[${at}].name`);
    if (names.indexOf(name) < at) yield duplicate(`ports[${at}].name`, name);
    yield* requiredOneOf(protocol, ['SCTP', 'TCP', 'UDP'], `ports[${at}].protocol`);
  }
  if (endpoints.length > MAX_ENDPOINTS) return yield tooMany('endpoints', endpoints.length, MAX_ENDPOINTS);
  for (const [at, endpoint] of endpoints.entries()) yield* endpointRules(endpoint, addressType, `endpoints[${at}]`);
}

function* endpointRules(
  { addresses = [], nodeName, hostname, hints }: Given<Endpoint>,
  type: string | undefined,
  path: string,
): Errors {
  if (addresses.length === 0) yield required(`${path}.addresses`, 'must contain at least 1 address');
  if (addresses.length > MAX_ADDRESSES) yield tooMany(`${path}.addresses`, addresses.length, MAX_ADDRESSES);
  for (const [at, address] of addresses.entries()) {
    if (type === 'IPv4' || type === 'IPv6') yield* addressRules(address, type, `${path}.addresses`, at);
    else if (type === 'FQDN') yield* dnsSubdomain(address.replace(/\.$/, ''), `${path}.addresses[${at}]`);
  }
  if (nodeName !== undefined) yield* dnsSubdomain(nodeName, `${path}.nodeName`);
  if (hostname !== undefined) yield* dnsLabel(hostname, `${path}.hostname`);
  const problemsOf = { forZones: labelValueProblems, forNodes: dnsSubdomainProblems } as const;
  for (const list of ['forZones', 'forNodes'] as const) {
    const names = (hints?.[list] ?? []).map(({ name = '' }) => name);
    if (names.length > MAX_HINTS) return yield tooMany(`${path}.hints.${list}`, names.length, MAX_HINTS);
    yield* hintRules(names, problemsOf[list], `${path}.hints.${list}`);
  }
}

function* hintRules(names: readonly string[], problems: (name: string) => readonly string[], path: string): Errors {
  for (const [at, name] of names.entries()) {
    if (names.indexOf(name) < at) yield duplicate(`${path}[${at}].name`, name);
    yield* invalidAll(`${path}[${at}].name`, name, problems(name));
  }
}

function* addressRules(address: string, type: 'IPv4' | 'IPv6', path: string, at: number): Errors {
  const version = isIP(address);
  if (version === 0) return yield* ipAddress(address, `${path}[${at}]`);
  if (version !== (type === 'IPv4' ? 4 : 6)) yield invalid(path, address, `must be an ${type} address`);
  yield* endpointIp(address, `${path}[${at}]`);
}

function* sliceUpdate(slice: Given<EndpointSlice>, old: Given<EndpointSlice>): Errors {
  yield* sliceRules(slice);
  yield* immutable(slice.addressType, old.addressType, 'addressType');
}
