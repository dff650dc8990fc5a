/** Services: a stable address before pods. Creation gives them theirs, unless they want none. */
import type { Service, ServiceSpec } from '#gen/kube/types.ts';
import { jsonEqual } from '#base/json.ts';
import type { ResourceDefinition } from '#kube/apiserver/resource.ts';
import { formatLabels } from '#kube/meta/label-selector.ts';
import { dns1035LabelProblems } from '#kube/meta/names.ts';
import { ageColumn, column, nameColumn, wideColumn } from '../columns.ts';
import { type Given, kind, type Making } from '../kind.ts';
import { loadBalancerText } from './load-balancer.ts';
import type { ServiceAddresses } from './service-addresses.ts';
import { serviceRules, serviceUpdate } from './service-rules.ts';

const AFFINITY_SECONDS = 10_800;

export function services(addresses: ServiceAddresses): ResourceDefinition {
  return kind<Service>(
    { group: '', version: 'v1', kind: 'Service' },
    {
      shortNames: ['svc'],
      categories: ['all'],
      name: dns1035LabelProblems,
      createOnUpdate: true,
      deleteReturnsObject: true,
      defaults: defaultService,
      validate: serviceRules,
      validateUpdate: serviceUpdate,
      create: (service) => allocate((service.spec ??= {}), addresses),
      update: (service, old) => reallocate((service.spec ??= {}), old.spec ?? {}, addresses),
      fields: {
        'spec.clusterIP': ({ spec }) => spec?.clusterIP ?? '',
        'spec.type': ({ spec }) => spec?.type ?? '',
      },
      columns: [
        nameColumn,
        column<Service>('Type', 'How the service is reached.', ({ spec }) => spec?.type ?? ''),
        column<Service>(
          'Cluster-IP',
          'The address inside the cluster.',
          ({ spec }) => spec?.clusterIPs?.[0] ?? '<none>',
        ),
        column<Service>('External-IP', 'Addresses from outside the cluster.', externalIp),
        column<Service>('Port(s)', 'The ports it listens on, with their node ports.', portsText),
        ageColumn,
        wideColumn<Service>('Selector', 'The labels of the pods behind it.', ({ spec }) =>
          formatLabels(spec?.selector as Record<string, string> | undefined),
        ),
      ],
    },
  );
}

function defaultService(service: Making<Service>): void {
  const spec = (service.spec ??= {});
  spec.sessionAffinity ||= 'None';
  spec.type ||= 'ClusterIP';
  defaultAffinity(spec);
  for (const port of spec.ports ?? []) {
    port.protocol ||= 'TCP';
    if ((port.targetPort === undefined || port.targetPort === 0 || port.targetPort === '') && port.port !== undefined) {
      port.targetPort = port.port;
    }
  }
  if (isReachedFromOutside(spec)) spec.externalTrafficPolicy ||= 'Cluster';
  if (spec.type !== 'ExternalName') spec.internalTrafficPolicy ??= 'Cluster';
  if (spec.type === 'LoadBalancer') {
    spec.allocateLoadBalancerNodePorts ??= true;
    for (const ingress of service.status?.loadBalancer?.ingress ?? []) if (ingress.ip) ingress.ipMode ??= 'VIP';
  }
}

function defaultAffinity(spec: Making<ServiceSpec>): void {
  if (spec.sessionAffinity === 'None') delete spec.sessionAffinityConfig;
  if (spec.sessionAffinity === 'ClientIP' && spec.sessionAffinityConfig?.clientIP?.timeoutSeconds === undefined) {
    spec.sessionAffinityConfig = { clientIP: { timeoutSeconds: AFFINITY_SECONDS } };
  }
}

function isReachedFromOutside({ type, externalIPs }: Given<ServiceSpec>): boolean {
  return type === 'NodePort' || type === 'LoadBalancer' || (externalIPs ?? []).length > 0;
}

function allocate(spec: Making<ServiceSpec>, addresses: ServiceAddresses): void {
  if (spec.type === 'ExternalName') return;
  if (!spec.clusterIP && !spec.clusterIPs?.length) spec.clusterIP = addresses.clusterIp();
  spec.clusterIPs ??= [spec.clusterIP ?? ''];
  // Without address and without selector, whoever writes the endpoints may write them of both families.
  const open = spec.clusterIP === 'None' && !spec.selector;
  spec.ipFamilies ??= open ? ['IPv4', 'IPv6'] : [familyOf(spec.clusterIPs[0] ?? '')];
  spec.ipFamilyPolicy ??= open ? 'RequireDualStack' : 'SingleStack';
  allocateNodePorts(spec, addresses);
}

function familyOf(ip: string): 'IPv4' | 'IPv6' {
  return ip.includes(':') ? 'IPv6' : 'IPv4';
}

function allocateNodePorts(spec: Making<ServiceSpec>, addresses: ServiceAddresses): void {
  if (!wantsNodePorts(spec)) return;
  for (const port of spec.ports ?? []) port.nodePort ||= addresses.nodePort();
  if (spec.type === 'LoadBalancer' && spec.externalTrafficPolicy === 'Local') {
    spec.healthCheckNodePort ||= addresses.nodePort();
  }
}

function wantsNodePorts({ type, allocateLoadBalancerNodePorts }: Given<ServiceSpec>): boolean {
  return type === 'NodePort' || (type === 'LoadBalancer' && allocateLoadBalancerNodePorts !== false);
}

/** A writer who leaves out what was allocated keeps it; one who changes the type loses what the new type has not. */
function reallocate(spec: Making<ServiceSpec>, old: Given<ServiceSpec>, addresses: ServiceAddresses): void {
  dropOfOldType(spec, old);
  if (spec.type === 'ExternalName') return dropAllocations(spec, old);
  if (old.type !== 'ExternalName') {
    if (!spec.clusterIP && !spec.clusterIPs?.length && old.clusterIP) spec.clusterIP = old.clusterIP;
    if (spec.clusterIP === old.clusterIP && old.clusterIPs) spec.clusterIPs ??= [...old.clusterIPs];
    if (old.ipFamilies) spec.ipFamilies ??= [...old.ipFamilies];
    if (old.ipFamilyPolicy) spec.ipFamilyPolicy ??= old.ipFamilyPolicy;
  }
  if (wantsNodePorts(spec)) keepNodePorts(spec, old);
  else if (wantsNodePorts(old)) for (const port of spec.ports ?? []) dropSame(port, old);
  if (spec.type === 'LoadBalancer' && old.healthCheckNodePort) spec.healthCheckNodePort ||= old.healthCheckNodePort;
  allocate(spec, addresses);
}

/**
 * What a patch of the type alone leaves behind. A field that was changed together with the type is meant, and refused
 * where it does not belong.
 */
function dropOfOldType(spec: Making<ServiceSpec>, old: Given<ServiceSpec>): void {
  if (spec.type === old.type) return;
  const drop = (field: keyof ServiceSpec, belongs: boolean) => {
    if (!belongs && jsonEqual(spec[field], old[field])) delete spec[field];
  };
  const balanced = spec.type === 'LoadBalancer';
  drop('externalName', spec.type === 'ExternalName');
  drop('externalTrafficPolicy', isReachedFromOutside(spec));
  drop('internalTrafficPolicy', spec.type !== 'ExternalName');
  drop('healthCheckNodePort', balanced && spec.externalTrafficPolicy === 'Local');
  drop('allocateLoadBalancerNodePorts', balanced);
  drop('loadBalancerClass', balanced);
}

function keepNodePorts(spec: Making<ServiceSpec>, old: Given<ServiceSpec>): void {
  for (const port of spec.ports ?? []) {
    const before = (old.ports ?? []).find((one) => one.port === port.port && one.protocol === port.protocol);
    if (before?.nodePort) port.nodePort ||= before.nodePort;
  }
}

function dropSame(port: { nodePort?: number | undefined }, old: Given<ServiceSpec>): void {
  if ((old.ports ?? []).some(({ nodePort }) => nodePort === port.nodePort)) delete port.nodePort;
}

function dropAllocations(spec: Making<ServiceSpec>, old: Given<ServiceSpec>): void {
  if (spec.clusterIP === old.clusterIP) delete spec.clusterIP;
  delete spec.clusterIPs;
  delete spec.ipFamilies;
  delete spec.ipFamilyPolicy;
  for (const port of spec.ports ?? []) dropSame(port, old);
}

function externalIp({ spec, status }: Given<Service>): string {
  const own = spec?.externalIPs ?? [];
  switch (spec?.type) {
    case 'ClusterIP':
    case 'NodePort':
      return own.join(',') || '<none>';
    case 'LoadBalancer': {
      const balanced = loadBalancerText(status?.loadBalancer?.ingress ?? []);
      return [balanced, ...own].filter((ip) => ip !== '').join(',') || '<pending>';
    }
    case 'ExternalName':
      return spec.externalName ?? '';
    default:
      return '<unknown>';
  }
}

function portsText({ spec }: Given<Service>): string {
  const ports = (spec?.ports ?? []).map(({ port, nodePort, protocol }) =>
    nodePort ? `${port}:${nodePort}/${protocol}` : `${port}/${protocol}`,
  );
  return ports.join(',') || '<none>';
}
