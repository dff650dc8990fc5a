/** The containers of a pod: the ordinary ones, those that run before them, and those added for a look inside. */
import type { Container, EphemeralContainer, PodSpec } from '#gen/kube/types.ts';
import {
  duplicate,
  forbidden,
  invalid,
  invalidAll,
  notSupported,
  required,
  unknownReference,
} from '#kube/meta/field-error.ts';
import { portNameProblems } from '#kube/meta/names.ts';
import { dnsLabel, oneOf, portNumber, requiredField, requiredOneOf, unique } from '../checks.ts';
import type { Errors, Given } from '../kind.ts';
import { env, envFrom } from './env-rules.ts';
import { volumeDevices, volumeMounts } from './mount-rules.ts';
import { probesAndHooks } from './probe-rules.ts';
import { resourceRequirements } from './resource-rules.ts';
import { containerSecurity } from './security-rules.ts';
import type { KnownVolumes } from './volume-rules.ts';

/** What rules of containers need to know of the pod around them. */
export interface Surroundings {
  readonly spec: Given<PodSpec>;
  readonly volumes: KnownVolumes;
}

export function* containers(around: Surroundings, path: string): Errors {
  const given = around.spec.containers ?? [];
  if (given.length === 0) return yield required(path);
  const names = new Set<string | undefined>();
  for (const [at, container] of given.entries()) {
    const own = `${path}[${at}]`;
    yield* common(container, around, own);
    if (names.has(container.name)) yield duplicate(`${own}.name`, container.name);
    names.add(container.name);
    yield* probesAndHooks(container, around.spec.terminationGracePeriodSeconds, own);
    yield* restartPolicy(container, own);
  }
  yield* hostPorts(given, path);
}

const SIDECAR_ONLY = ['lifecycle', 'livenessProbe', 'readinessProbe', 'startupProbe'] as const;

export function* initContainers(around: Surroundings, path: string): Errors {
  const names = new Set((around.spec.containers ?? []).map(({ name }) => name));
  for (const [at, container] of (around.spec.initContainers ?? []).entries()) {
    const own = `${path}[${at}]`;
    yield* common(container, around, own);
    yield* restartPolicy(container, own);
    if (names.has(container.name)) yield duplicate(`${own}.name`, container.name);
    else if (container.name) names.add(container.name);
    yield* hostPorts([container], path);
    if (container.restartPolicy === 'Always') {
      yield* probesAndHooks(container, around.spec.terminationGracePeriodSeconds, own);
      continue;
    }
    for (const field of SIDECAR_ONLY) {
      const rule = 'may not be set for init containers without restartPolicy=Always';
      if (container[field] !== undefined) yield forbidden(`${own}.${field}`, rule);
    }
  }
}

const NOT_EPHEMERAL = [
  'ports',
  'livenessProbe',
  'readinessProbe',
  'startupProbe',
  'lifecycle',
  'resizePolicy',
] as const;

export function* ephemeralContainers(around: Surroundings, path: string): Errors {
  const { spec } = around;
  const others = [...(spec.containers ?? []), ...(spec.initContainers ?? [])].map(({ name }) => name);
  const names = new Set(others);
  for (const [at, container] of (spec.ephemeralContainers ?? []).entries()) {
    const own = `${path}[${at}]`;
    yield* common(container, around, own);
    yield* trimmedImage(container, own);
    if (names.has(container.name)) yield duplicate(`${own}.name`, container.name);
    names.add(container.name);
    const target = container.targetContainerName;
    if (target && !others.includes(target)) yield unknownReference(`${own}.targetContainerName`, target);
    yield* onlyEphemeralFields(container, own);
  }
}

function* onlyEphemeralFields(container: Given<EphemeralContainer>, path: string): Errors {
  const rule = 'cannot be set for an Ephemeral Container';
  for (const field of NOT_EPHEMERAL) if (container[field] !== undefined) yield forbidden(`${path}.${field}`, rule);
  if (Object.keys(container.resources ?? {}).length > 0) yield forbidden(`${path}.resources`, rule);
  for (const [at, mount] of (container.volumeMounts ?? []).entries()) {
    if (mount.subPath) yield forbidden(`${path}.volumeMounts[${at}].subPath`, rule);
    if (mount.subPathExpr) yield forbidden(`${path}.volumeMounts[${at}].subPathExpr`, rule);
  }
}

/** Pods refuse what templates have always let through. */
export function* trimmedImage({ image = '' }: Given<Container>, path: string): Errors {
  if (image !== image.trim()) yield invalid(`${path}.image`, image, 'must not have leading or trailing whitespace');
}

function* common(container: Given<Container>, { spec, volumes }: Surroundings, path: string): Errors {
  const { name = '' } = container;
  if (name === '') yield required(`${path}.name`);
  else yield* dnsLabel(name, `${path}.name`);
  yield* requiredField(container.image, `${path}.image`);
  const messages = ['File', 'FallbackToLogsOnError'];
  yield* requiredOneOf(container.terminationMessagePolicy, messages, `${path}.terminationMessagePolicy`);
  yield* containerPorts(container, `${path}.ports`);
  yield* env(container.env ?? [], `${path}.env`);
  yield* envFrom(container.envFrom ?? [], `${path}.envFrom`);
  yield* volumeMounts(container, volumes, `${path}.volumeMounts`);
  yield* volumeDevices(container, volumes, `${path}.volumeDevices`);
  yield* requiredOneOf(container.imagePullPolicy, ['Always', 'IfNotPresent', 'Never'], `${path}.imagePullPolicy`);
  const claims = (spec.resourceClaims ?? []).map((claim) => claim.name ?? '');
  yield* resourceRequirements(container.resources ?? {}, `${path}.resources`, claims);
  yield* resizePolicy(container, spec.restartPolicy, `${path}.resizePolicy`);
  if (container.securityContext) {
    yield* containerSecurity(container.securityContext, spec.hostUsers ?? true, `${path}.securityContext`);
  }
}

function* containerPorts({ ports = [] }: Given<Container>, path: string): Errors {
  const valid = ports.map(({ name = '' }) => (portNameProblems(name).length === 0 ? name : ''));
  for (const [at, { name = '', containerPort = 0, hostPort = 0, protocol }] of ports.entries()) {
    if (name !== '') yield* invalidAll(`${path}[${at}].name`, name, portNameProblems(name));
    if (containerPort === 0) yield required(`${path}[${at}].containerPort`);
    else yield* portNumber(containerPort, `${path}[${at}].containerPort`);
    if (hostPort !== 0) yield* portNumber(hostPort, `${path}[${at}].hostPort`);
    yield* requiredOneOf(protocol, ['SCTP', 'TCP', 'UDP'], `${path}[${at}].protocol`);
  }
  yield* unique(valid, (at) => `${path}[${at}].name`);
}

/** A port of the host can be given away once. */
function* hostPorts(given: readonly Given<Container>[], path: string): Errors {
  const taken = new Set<string>();
  for (const [at, { ports = [] }] of given.entries()) {
    for (const [index, { hostPort, hostIP = '', protocol }] of ports.entries()) {
      if (!hostPort) continue;
      const key = `${protocol}/${hostIP}/${hostPort}`;
      if (taken.has(key)) yield duplicate(`${path}[${at}].ports[${index}].hostPort`, key);
      taken.add(key);
    }
  }
}

function* resizePolicy(
  { resizePolicy: policies = [] }: Given<Container>,
  podPolicy: string | undefined,
  path: string,
): Errors {
  const seen = new Set<string | undefined>();
  for (const [at, { resourceName, restartPolicy: policy }] of policies.entries()) {
    if (seen.has(resourceName)) yield duplicate(`${path}[${at}]`, resourceName);
    seen.add(resourceName);
    yield* requiredOneOf(resourceName, ['cpu', 'memory'], path);
    yield* requiredOneOf(policy, ['NotRequired', 'RestartContainer'], path);
    if (podPolicy === 'Never' && policy !== 'NotRequired') {
      yield invalid(path, policy ?? '', "must be 'NotRequired' when `restartPolicy` is 'Never'");
    }
  }
}

function* restartPolicy(container: Given<Container>, path: string): Errors {
  const { restartPolicy: policy, restartPolicyRules: rules = [] } = container;
  if (policy === undefined && rules.length > 0) {
    yield required(`${path}.restartPolicy`, 'must specify restartPolicy when restart rules are used');
  }
  yield* oneOf(policy, ['Always', 'Never', 'OnFailure'], `${path}.restartPolicy`);
  for (const [at, { action = '', exitCodes }] of rules.entries()) {
    const own = `${path}.restartPolicyRules[${at}]`;
    if (action !== 'Restart') yield notSupported(`${own}.action`, action, ['Restart']);
    if (!exitCodes) yield required(`${own}.exitCodes`, 'must be specified');
    else yield* oneOf(exitCodes.operator ?? '', ['In', 'NotIn'], `${own}.exitCodes.operator`);
  }
}
