/** Which traffic a NetworkPolicy may speak of. */
import { BlockList, isIP } from 'node:net';
import type { IPBlock, NetworkPolicy, NetworkPolicyPeer, NetworkPolicyPort } from '#gen/kube/types.ts';
import { forbidden, invalid, invalidAll, required } from '#kube/meta/field-error.ts';
import { portNameProblems, portNumberProblems } from '#kube/meta/names.ts';
import { cidr, isCidr, labelSelector, oneOf } from '../checks.ts';
import type { Errors, Given } from '../kind.ts';

export function* networkPolicyRules({ spec = {} }: Given<NetworkPolicy>): Errors {
  yield* labelSelector(spec.podSelector, 'spec.podSelector');
  for (const [at, { ports = [], from = [] }] of (spec.ingress ?? []).entries()) {
    yield* traffic(ports, from, `spec.ingress[${at}]`, 'from');
  }
  for (const [at, { ports = [], to = [] }] of (spec.egress ?? []).entries()) {
    yield* traffic(ports, to, `spec.egress[${at}]`, 'to');
  }
  const types = spec.policyTypes ?? [];
  if (types.length > 2) return yield invalid('spec.policyTypes', types, 'may not specify more than two policyTypes');
  for (const [at, type] of types.entries()) yield* oneOf(type, ['Ingress', 'Egress'], `spec.policyTypes[${at}]`);
}

function* traffic(
  ports: readonly Given<NetworkPolicyPort>[],
  peers: readonly Given<NetworkPolicyPeer>[],
  path: string,
  direction: 'from' | 'to',
): Errors {
  for (const [at, port] of ports.entries()) yield* policyPort(port, `${path}.ports[${at}]`);
  for (const [at, peer] of peers.entries()) yield* policyPeer(peer, `${path}.${direction}[${at}]`);
}

function* policyPort({ protocol, port, endPort }: Given<NetworkPolicyPort>, path: string): Errors {
  yield* oneOf(protocol, ['TCP', 'UDP', 'SCTP'], `${path}.protocol`);
  if (port === undefined) {
    if (endPort !== undefined)
      yield invalid(`${path}.endPort`, endPort, 'may not be specified when `port` is not specified');
  } else if (typeof port === 'string') {
    if (endPort !== undefined)
      yield invalid(`${path}.endPort`, endPort, 'may not be specified when `port` is non-numeric');
    yield* invalidAll(`${path}.port`, port, portNameProblems(port));
  } else {
    yield* invalidAll(`${path}.port`, port, portNumberProblems(port));
    if (endPort === undefined) return;
    if (endPort < port) yield invalid(`${path}.endPort`, port, 'must be greater than or equal to `port`');
    yield* invalidAll(`${path}.endPort`, endPort, portNumberProblems(endPort));
  }
}

function* policyPeer({ podSelector, namespaceSelector, ipBlock }: Given<NetworkPolicyPeer>, path: string): Errors {
  yield* labelSelector(podSelector, `${path}.podSelector`);
  yield* labelSelector(namespaceSelector, `${path}.namespaceSelector`);
  if (ipBlock) yield* block(ipBlock, `${path}.ipBlock`);
  if (!podSelector && !namespaceSelector && !ipBlock) yield required(path, 'must specify a peer');
  else if (ipBlock && (podSelector || namespaceSelector)) {
    yield forbidden(path, 'may not specify both ipBlock and another peer');
  }
}

function* block({ cidr: whole = '', except = [] }: Given<IPBlock>, path: string): Errors {
  if (whole === '') return yield required(`${path}.cidr`);
  yield* cidr(whole, `${path}.cidr`);
  if (!isCidr(whole)) return;
  for (const [at, part] of except.entries()) {
    yield* cidr(part, `${path}.except[${at}]`);
    if (isCidr(part) && !isWithin(part, whole)) {
      yield invalid(`${path}.except[${at}]`, part, 'must be a strict subset of `cidr`');
    }
  }
}

function isWithin(part: string, whole: string): boolean {
  const [address = '', bits] = whole.split('/');
  const [inner = '', innerBits] = part.split('/');
  const family = isIP(address) === 4 ? 'ipv4' : 'ipv6';
  const range = new BlockList();
  range.addSubnet(address, Number(bits), family);
  return isIP(inner) === isIP(address) && range.check(inner, family) && Number(innerBits) > Number(bits);
}
