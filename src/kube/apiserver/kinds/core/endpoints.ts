import type { Endpoints } from '#gen/kube/types.ts';
import type { ResourceDefinition } from '#kube/apiserver/resource.ts';
import { invalidAll, required } from '#kube/meta/field-error.ts';
import { qualifiedNameProblems } from '#kube/meta/names.ts';
import { ageColumn, column, firstThree, nameColumn } from '../columns.ts';
import { dnsLabel, dnsSubdomain, ipAddress, portNumber, requiredOneOf } from '../checks.ts';
import { type Errors, type Given, kind } from '../kind.ts';
import { endpointIp } from './endpoint-ip.ts';

export const endpoints: ResourceDefinition = kind<Endpoints>(
  { group: '', version: 'v1', kind: 'Endpoints' },
  {
    shortNames: ['ep'],
    createOnUpdate: true,
    validate: endpointRules,
    defaults: ({ subsets }) => {
      for (const { ports } of subsets ?? []) for (const port of ports ?? []) port.protocol ||= 'TCP';
    },
    columns: [nameColumn, column<Endpoints>('Endpoints', 'Addresses and ports.', endpointsText), ageColumn],
  },
);

function endpointsText({ subsets = [] }: Given<Endpoints>): string {
  const all = subsets.flatMap(({ addresses = [], ports = [] }) =>
    ports.length === 0
      ? addresses.map(({ ip = '' }) => ip)
      : ports.flatMap(({ port }) => addresses.map(({ ip = '' }) => `${ip.includes(':') ? `[${ip}]` : ip}:${port}`)),
  );
  return firstThree(all, subsets.length === 0 ? '<none>' : '');
}

function* endpointRules({ subsets = [] }: Given<Endpoints>): Errors {
  for (const [index, { addresses = [], notReadyAddresses = [], ports = [] }] of subsets.entries()) {
    const at = `subsets[${index}]`;
    if (addresses.length + notReadyAddresses.length === 0) {
      yield required(at, 'must specify `addresses` or `notReadyAddresses`');
    }
    for (const [list, entries] of Object.entries({ addresses, notReadyAddresses })) {
      for (const [own, { ip = '', hostname, nodeName }] of entries.entries()) {
        yield* ipAddress(ip, `${at}.${list}[${own}].ip`);
        if (hostname) yield* dnsLabel(hostname, `${at}.${list}[${own}].hostname`);
        if (nodeName !== undefined) yield* dnsSubdomain(nodeName, `${at}.${list}[${own}].nodeName`);
        yield* endpointIp(ip, `${at}.${list}[${own}].ip`);
      }
    }
    for (const [own, { name = '', port, protocol, appProtocol }] of ports.entries()) {
      if (name !== '') yield* dnsLabel(name, `${at}.ports[${own}].name`);
      else if (ports.length > 1) yield required(`${at}.ports[${own}].name`);
      yield* portNumber(port, `${at}.ports[${own}].port`);
      yield* requiredOneOf(protocol, ['SCTP', 'TCP', 'UDP'], `${at}.ports[${own}].protocol`);
      if (appProtocol === undefined) continue;
      yield* invalidAll(`${at}.ports[${own}].appProtocol`, appProtocol, qualifiedNameProblems(appProtocol));
    }
  }
}
