/** The rules of a pod's spec, in a pod and in every template; told in the order in which Kubernetes tells them. */
import type { PodDNSConfig, PodSpec, PodTemplateSpec } from '#gen/kube/types.ts';
import { forbidden, invalid, invalidAll, required } from '#kube/meta/field-error.ts';
import { dnsLabelProblems, dnsSubdomainProblems, qualifiedNameProblems, rangeProblem } from '#kube/meta/names.ts';
import { annotationErrors } from '#kube/meta/object-meta.ts';
import { dnsLabel, dnsSubdomain, ipAddress, labels, oneOf, requiredOneOf, unique } from '../checks.ts';
import type { Errors, Given } from '../kind.ts';
import { containers, ephemeralContainers, initContainers } from './container-rules.ts';
import { resourceRequirements } from './resource-rules.ts';
import { affinity, spreadConstraints, tolerations } from './scheduling-rules.ts';
import { hostProcesses, podSecurity } from './security-rules.ts';
import { checkVolumes } from './volume-rules.ts';

const MAX_INT32 = 2 ** 31 - 1;

/** A template's metadata and spec; a template has no ephemeral containers. */
export function* podTemplate(template: Given<PodTemplateSpec> | undefined, path: string): Errors {
  yield* labels(template?.metadata?.labels, `${path}.labels`);
  yield* annotationErrors(template?.metadata?.annotations as Record<string, string> | undefined, `${path}.annotations`);
  yield* podSpec(template?.spec ?? {}, `${path}.spec`);
  if ((template?.spec?.ephemeralContainers ?? []).length > 0) {
    yield forbidden(`${path}.spec.ephemeralContainers`, 'ephemeral containers not allowed in pod template');
  }
}

export function* podSpec(spec: Given<PodSpec>, path: string, isPod = false): Errors {
  if (spec.terminationGracePeriodSeconds === undefined) yield required(`${path}.terminationGracePeriodSeconds`);
  const { known, errors } = checkVolumes(spec.volumes ?? [], `${path}.volumes`);
  yield* errors;
  yield* resourceClaims(spec, `${path}.resourceClaims`);
  const around = { spec, volumes: known };
  yield* containers(around, `${path}.containers`);
  yield* initContainers(around, `${path}.initContainers`);
  yield* ephemeralContainers(around, `${path}.ephemeralContainers`);
  yield* hostNetworkPorts(spec, `${path}.containers`, isPod);
  yield* requiredOneOf(spec.restartPolicy, ['Always', 'OnFailure', 'Never'], `${path}.restartPolicy`);
  const dnsPolicies = ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None'];
  yield* requiredOneOf(spec.dnsPolicy, dnsPolicies, `${path}.dnsPolicy`);
  yield* labels(spec.nodeSelector, `${path}.nodeSelector`);
  if (spec.securityContext) yield* podSecurity(spec.securityContext, spec, `${path}.securityContext`);
  if (spec.affinity) yield* affinity(spec.affinity, `${path}.affinity`);
  yield* dnsConfig(spec, `${path}.dnsConfig`);
  yield* gates(spec, path);
  yield* spreadConstraints(spec.topologySpreadConstraints ?? [], `${path}.topologySpreadConstraints`);
  yield* hostProcesses(spec, path);
  yield* hostUsersRules(spec, path);
  yield* names(spec, path);
  yield* tolerations(spec.tolerations ?? [], `${path}.tolerations`);
  yield* hostAliases(spec, `${path}.hostAliases`);
  yield* oneOf(spec.preemptionPolicy, ['PreemptLowerPriority', 'Never'], `${path}.preemptionPolicy`);
  if (spec.overhead) yield* resourceRequirements({ limits: spec.overhead }, `${path}.overhead`);
  if (spec.os)
    yield* requiredOneOf(spec.os.name, ['linux', 'windows'], spec.os.name ? `${path}.os` : `${path}.os.name`);
}

/** Users of its own do not go with processes of the host. */
function* hostUsersRules({ hostUsers, hostPID, hostIPC, hostNetwork }: Given<PodSpec>, path: string): Errors {
  if (hostUsers !== false) return;
  for (const [field, shared] of Object.entries({ hostNetwork, HostPID: hostPID, HostIPC: hostIPC })) {
    if (shared) yield forbidden(`${path}.${field}`, 'when `hostUsers` is false');
  }
}

function* resourceClaims({ resourceClaims: claims = [] }: Given<PodSpec>, path: string): Errors {
  yield* unique(
    claims.map(({ name }) => name),
    (at) => `${path}[${at}].name`,
  );
  for (const [at, claim] of claims.entries()) {
    const { name, resourceClaimName, resourceClaimTemplateName } = claim;
    if (!name) yield required(`${path}[${at}].name`);
    else yield* dnsLabel(name, `${path}[${at}].name`);
    if (resourceClaimName !== undefined && resourceClaimTemplateName !== undefined) {
      yield invalid(
        `${path}[${at}]`,
        claim,
        'at most one of `resourceClaimName` or `resourceClaimTemplateName` may be specified',
      );
    }
    if (resourceClaimName !== undefined) yield* dnsSubdomain(resourceClaimName, `${path}[${at}].resourceClaimName`);
    if (resourceClaimTemplateName !== undefined) {
      yield* dnsSubdomain(resourceClaimTemplateName, `${path}[${at}].resourceClaimTemplateName`);
    }
    if (resourceClaimName === undefined && resourceClaimTemplateName === undefined) {
      yield invalid(`${path}[${at}]`, claim, 'must specify one of: `resourceClaimName`, `resourceClaimTemplateName`');
    }
  }
}

/** On the host's network a container cannot be reached by another port than its own. */
function* hostNetworkPorts(
  { hostNetwork, containers: given = [] }: Given<PodSpec>,
  path: string,
  isPod: boolean,
): Errors {
  if (!hostNetwork) return;
  for (const [at, { ports = [] }] of given.entries()) {
    for (const [index, { hostPort = 0, containerPort }] of ports.entries()) {
      if ((!isPod && hostPort === 0) || hostPort === containerPort) continue;
      const own = `${path}[${at}].ports[${index}].hostPort`;
      yield invalid(own, hostPort, 'must match `containerPort` when `hostNetwork` is true');
    }
  }
}

function* dnsConfig({ dnsPolicy, dnsConfig: config }: Given<PodSpec>, path: string): Errors {
  if (dnsPolicy === 'None') {
    if (!config) return yield required(path, 'must provide `dnsConfig` when `dnsPolicy` is None');
    if ((config.nameservers ?? []).length === 0) {
      return yield required(`${path}.nameservers`, 'must provide at least one DNS nameserver when `dnsPolicy` is None');
    }
  }
  if (config) yield* dnsConfigLists(config, path);
}

function* dnsConfigLists({ nameservers = [], searches = [], options = [] }: Given<PodDNSConfig>, path: string): Errors {
  if (nameservers.length > 3)
    yield invalid(`${path}.nameservers`, nameservers, 'must not have more than 3 nameservers');
  for (const [at, server] of nameservers.entries()) yield* ipAddress(server, `${path}.nameservers[${at}]`);
  if (searches.length > 32) yield invalid(`${path}.searches`, searches, 'must not have more than 32 search paths');
  for (const [at, search] of searches.entries()) {
    // An underscore is fine here, other than in the names of objects.
    if (search !== '.') yield* dnsSubdomain(search.replace(/\.$/, '').replaceAll('_', 'u'), `${path}.searches[${at}]`);
  }
  for (const [at, { name }] of options.entries())
    if (!name) yield required(`${path}.options[${at}]`, 'must not be empty');
}

function* gates({ readinessGates = [], schedulingGates = [] }: Given<PodSpec>, path: string): Errors {
  for (const [at, { conditionType = '' }] of readinessGates.entries()) {
    yield* invalidAll(
      `${path}.readinessGates[${at}].conditionType`,
      conditionType,
      qualifiedNameProblems(conditionType),
    );
  }
  for (const [at, { name = '' }] of schedulingGates.entries()) {
    yield* invalidAll(`${path}.schedulingGates[${at}]`, name, qualifiedNameProblems(name));
  }
  yield* unique(
    schedulingGates.map(({ name }) => name),
    (at) => `${path}.schedulingGates[${at}]`,
  );
}

const NAMES = {
  serviceAccountName: dnsSubdomainProblems,
  nodeName: dnsSubdomainProblems,
  hostname: dnsLabelProblems,
  subdomain: dnsLabelProblems,
  priorityClassName: dnsSubdomainProblems,
  runtimeClassName: dnsSubdomainProblems,
} as const satisfies Partial<Record<keyof PodSpec, (name: string) => readonly string[]>>;

function* names(spec: Given<PodSpec>, path: string): Errors {
  for (const [field, problems] of Object.entries(NAMES)) {
    const value = spec[field as keyof typeof NAMES];
    if (value) yield* invalidAll(`${path}.${field}`, value, problems(value));
    if (field === 'nodeName') yield* deadline(spec, path);
  }
}

function* deadline({ activeDeadlineSeconds: seconds }: Given<PodSpec>, path: string): Errors {
  if (seconds !== undefined && (seconds < 1 || seconds > MAX_INT32)) {
    yield invalid(`${path}.activeDeadlineSeconds`, seconds, rangeProblem(1, MAX_INT32));
  }
}

function* hostAliases({ hostAliases: aliases = [] }: Given<PodSpec>, path: string): Errors {
  for (const [at, { ip, hostnames = [] }] of aliases.entries()) {
    yield* ipAddress(ip, `${path}[${at}].ip`);
    for (const [index, name] of hostnames.entries()) yield* dnsSubdomain(name, `${path}[${at}].hostnames[${index}]`);
  }
}
