/** What a Service must be, and which of its addresses stay once given. */
import type { Service, ServicePort, ServiceSpec } from '#gen/kube/types.ts';
import { duplicate, forbidden, invalid, invalidAll, required } from '#kube/meta/field-error.ts';
import { portNumberProblems, qualifiedNameProblems } from '#kube/meta/names.ts';
import {
  cidr,
  dnsLabel,
  dnsSubdomain,
  ipAddress,
  labels,
  oneOf,
  portNumber,
  portNumberOrName,
  requiredOneOf,
} from '../checks.ts';
import type { Errors, Given } from '../kind.ts';
import { endpointIp } from './endpoint-ip.ts';

const BALANCER_ONLY = "may only be used when `type` is 'LoadBalancer'";

function isHeadless({ clusterIPs = [] }: Given<ServiceSpec>): boolean {
  return clusterIPs.length === 1 && clusterIPs[0] === 'None';
}

export function* serviceRules({ spec = {} }: Given<Service>): Errors {
  const { ports = [], type = '' } = spec;
  if (ports.length === 0 && !isHeadless(spec) && type !== 'ExternalName') yield required('spec.ports');
  yield* typeRules(spec);
  yield* portRules(ports);
  yield* labels(spec.selector, 'spec.selector');
  yield* affinityRules(spec);
  if (type !== 'ExternalName') yield* clusterIpRules(spec);
  for (const [at, ip] of (spec.externalIPs ?? []).entries()) {
    const problems = [...ipAddress(ip, `spec.externalIPs[${at}]`)];
    yield* problems.length > 0 ? problems : endpointIp(ip, `spec.externalIPs[${at}]`);
  }
  yield* requiredOneOf(type, ['ClusterIP', 'ExternalName', 'LoadBalancer', 'NodePort'], 'spec.type');
  yield* uniquePorts(spec);
  yield* balancerRules(spec);
  yield* trafficRules(spec);
}

function* typeRules(spec: Given<ServiceSpec>): Errors {
  const { type, clusterIPs = [], externalName = '' } = spec;
  if ((type === 'LoadBalancer' || type === 'NodePort') && isHeadless(spec)) {
    yield invalid('spec.clusterIPs[0]', clusterIPs[0], `may not be set to 'None' for ${type} services`);
  }
  if (type !== 'ExternalName') return;
  const rule = 'may not be set for ExternalName services';
  if (clusterIPs.length > 0) yield forbidden('spec.clusterIPs', rule);
  if ((spec.ipFamilies ?? []).length > 0) yield forbidden('spec.ipFamilies', rule);
  if (spec.ipFamilyPolicy !== undefined) yield forbidden('spec.ipFamilyPolicy', rule);
  const host = externalName.replace(/\.$/, '');
  if (host === '') yield required('spec.externalName');
  else yield* dnsSubdomain(host, 'spec.externalName');
}

function* portRules(ports: readonly Given<ServicePort>[]): Errors {
  const names = new Set<string>();
  for (const [at, { name = '', port, protocol, targetPort, appProtocol }] of ports.entries()) {
    const path = `spec.ports[${at}]`;
    if (name === '') {
      if (ports.length > 1) yield required(`${path}.name`);
    } else {
      yield* dnsLabel(name, `${path}.name`);
      if (names.has(name)) yield duplicate(`${path}.name`, name);
      names.add(name);
    }
    yield* portNumber(port, `${path}.port`);
    yield* requiredOneOf(protocol, ['SCTP', 'TCP', 'UDP'], `${path}.protocol`);
    yield* portNumberOrName(targetPort, `${path}.targetPort`);
    if (appProtocol !== undefined)
      yield* invalidAll(`${path}.appProtocol`, appProtocol, qualifiedNameProblems(appProtocol));
  }
}

/** No two ports alike, and node ports only where a node listens. */
function* uniquePorts({ type, ports = [] }: Given<ServiceSpec>): Errors {
  const [nodePorts, seen] = [new Set<string>(), new Set<string>()];
  for (const [at, { nodePort }] of ports.entries()) {
    if (type === 'ClusterIP' && nodePort) {
      yield forbidden(`spec.ports[${at}].nodePort`, "may not be used when `type` is 'ClusterIP'");
    }
  }
  for (const [at, { protocol, nodePort }] of ports.entries()) {
    if (!nodePort) continue;
    if (nodePorts.has(`${protocol}/${nodePort}`)) yield duplicate(`spec.ports[${at}].nodePort`, nodePort);
    nodePorts.add(`${protocol}/${nodePort}`);
  }
  for (const [at, { protocol, port }] of ports.entries()) {
    const key = { Name: '', Protocol: protocol, AppProtocol: null, Port: port, TargetPort: 0, NodePort: 0 };
    if (seen.has(`${protocol}/${port}`)) yield duplicate(`spec.ports[${at}]`, key);
    seen.add(`${protocol}/${port}`);
  }
}

const DAY = 86_400;

function* affinityRules({ sessionAffinity, sessionAffinityConfig: config }: Given<ServiceSpec>): Errors {
  yield* requiredOneOf(sessionAffinity, ['ClientIP', 'None'], 'spec.sessionAffinity');
  const path = 'spec.sessionAffinityConfig';
  if (sessionAffinity === 'None' && config) yield forbidden(path, 'must not be set when session affinity is None');
  if (sessionAffinity !== 'ClientIP') return;
  const seconds = config?.clientIP?.timeoutSeconds;
  if (seconds === undefined)
    yield required(`${path}.clientIP.timeoutSeconds`, 'when session affinity type is ClientIP');
  else if (seconds <= 0 || seconds > DAY) {
    yield invalid(`${path}.clientIP.timeoutSeconds`, seconds, `must be greater than 0 and less than ${DAY}`);
  }
}

function* clusterIpRules({
  clusterIP = '',
  clusterIPs = [],
  ipFamilies = [],
  ipFamilyPolicy,
}: Given<ServiceSpec>): Errors {
  if (clusterIP !== '' && clusterIPs.length === 0) yield required('spec.clusterIPs');
  else if (clusterIP !== '' && clusterIPs[0] !== clusterIP) {
    yield invalid('spec.clusterIPs', clusterIPs, 'first value must match `clusterIP`');
  } else if (clusterIP === '' && clusterIPs.length > 0) {
    yield invalid('spec.clusterIPs', clusterIPs, 'must be empty when `clusterIP` is not specified');
  }
  for (const [at, family] of ipFamilies.entries()) {
    yield* oneOf(family, ['IPv4', 'IPv6'], `spec.ipFamilies[${at}]`);
    if (ipFamilies.indexOf(family) < at) yield duplicate(`spec.ipFamilies[${at}]`, family);
  }
  yield* oneOf(ipFamilyPolicy, ['PreferDualStack', 'RequireDualStack', 'SingleStack'], 'spec.ipFamilyPolicy');
  for (const [at, ip] of clusterIPs.entries()) {
    if (ip !== 'None' || at > 0) yield* ipAddress(ip, `spec.clusterIPs[${at}]`);
    else if (clusterIPs.length > 1)
      yield invalid('spec.clusterIPs', clusterIPs, "'None' must be the first and only value");
  }
  if (clusterIPs.length > 2) yield invalid('spec.clusterIPs', clusterIPs, 'may only hold up to 2 values');
}

function* balancerRules(spec: Given<ServiceSpec>): Errors {
  const { type, loadBalancerSourceRanges: ranges = [], loadBalancerClass } = spec;
  const balanced = type === 'LoadBalancer';
  if (ranges.length > 0 && !balanced) yield forbidden('spec.LoadBalancerSourceRanges', BALANCER_ONLY);
  for (const [at, range] of ranges.entries()) yield* cidr(range.trim(), `spec.LoadBalancerSourceRanges[${at}]`);
  if (spec.allocateLoadBalancerNodePorts !== undefined && !balanced) {
    yield forbidden('spec.allocateLoadBalancerNodePorts', BALANCER_ONLY);
  }
  if (loadBalancerClass === undefined) return;
  if (!balanced) yield forbidden('spec.loadBalancerClass', BALANCER_ONLY);
  else yield* invalidAll('spec.loadBalancerClass', loadBalancerClass, qualifiedNameProblems(loadBalancerClass));
}

function* trafficRules(spec: Given<ServiceSpec>): Errors {
  const { type, externalTrafficPolicy: external, healthCheckNodePort: health } = spec;
  const open = type === 'NodePort' || type === 'LoadBalancer' || (spec.externalIPs ?? []).length > 0;
  if (open) yield* requiredOneOf(external, ['Cluster', 'Local'], 'spec.externalTrafficPolicy');
  else if (external) {
    yield invalid('spec.externalTrafficPolicy', external, 'may only be set for externally-accessible services');
  }
  const checked = type === 'LoadBalancer' && external === 'Local';
  if (checked && !health) yield required('spec.healthCheckNodePort');
  else if (checked) yield* invalidAll('spec.healthCheckNodePort', health, portNumberProblems(health ?? 0));
  else if (health) {
    const rule = "may only be set when `type` is 'LoadBalancer' and `externalTrafficPolicy` is 'Local'";
    yield invalid('spec.healthCheckNodePort', health, rule);
  }
  yield* oneOf(spec.internalTrafficPolicy, ['Cluster', 'Local'], 'spec.internalTrafficPolicy');
  const near = ['PreferClose', 'PreferSameZone', 'PreferSameNode'];
  yield* oneOf(spec.trafficDistribution, near, 'spec.trafficDistribution');
}

export function* serviceUpdate(service: Given<Service>, old: Given<Service>): Errors {
  yield* keptAddresses(service.spec ?? {}, old.spec ?? {});
  if (service.spec?.type === 'LoadBalancer' && old.spec?.type === 'LoadBalancer') {
    const { loadBalancerClass } = service.spec;
    if (loadBalancerClass !== old.spec.loadBalancerClass) {
      yield invalid('spec.loadBalancerClass', loadBalancerClass ?? null, 'may not change once set');
    }
  }
  yield* serviceRules(service);
}

function* keptAddresses(spec: Given<ServiceSpec>, old: Given<ServiceSpec>): Errors {
  if (spec.type === 'ExternalName' || old.type === 'ExternalName') return;
  const [ips, before] = [spec.clusterIPs ?? [], old.clusterIPs ?? []];
  if (before.length > 0 && ips.length === 0) {
    yield invalid('spec.clusterIPs[0]', ips, 'primary clusterIP can not be unset');
  } else if (before.length > 0 && ips[0] !== before[0]) {
    yield invalid('spec.clusterIPs[0]', ips, 'may not change once set');
  }
}
