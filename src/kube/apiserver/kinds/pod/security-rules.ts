/** Security contexts of pods and containers. */
import type { PodSecurityContext, PodSpec, SeccompProfile, SecurityContext } from '#gen/kube/types.ts';
import { duplicate, invalid, notSupported, required } from '#kube/meta/field-error.ts';
import { rangeProblem } from '#kube/meta/names.ts';
import { oneOf, relativePath } from '../checks.ts';
import type { Errors, Given } from '../kind.ts';

const MAX_ID = 2 ** 31 - 1;
const PROFILE_TYPES = ['Localhost', 'RuntimeDefault', 'Unconfined'];
const SYSCTL = '^([a-z0-9]([-_a-z0-9]*[a-z0-9])?[\\./])*[a-z0-9]([-_a-z0-9]*[a-z0-9])?$';

function* id(value: number | undefined, path: string): Errors {
  if (value !== undefined && (value < 0 || value > MAX_ID)) yield invalid(path, value, rangeProblem(0, MAX_ID));
}

export function* podSecurity(context: Given<PodSecurityContext>, spec: Given<PodSpec>, path: string): Errors {
  yield* id(context.fsGroup, `${path}.fsGroup`);
  yield* id(context.runAsUser, `${path}.runAsUser`);
  yield* id(context.runAsGroup, `${path}.runAsGroup`);
  for (const [at, group] of (context.supplementalGroups ?? []).entries()) {
    yield* id(group, `${path}.supplementalGroups[${at}]`);
  }
  if (spec.shareProcessNamespace && spec.hostPID) {
    yield invalid(`${path}.shareProcessNamespace`, true, 'ShareProcessNamespace and HostPID cannot both be enabled');
  }
  yield* sysctls(context, `${path}.sysctls`);
  yield* oneOf(context.fsGroupChangePolicy, ['Always', 'OnRootMismatch'], `${path}.fsGroupChangePolicy`);
  yield* seccomp(context.seccompProfile, `${path}.seccompProfile`);
  yield* appArmor(context.appArmorProfile, `${path}.appArmorProfile`);
  yield* oneOf(context.supplementalGroupsPolicy, ['Merge', 'Strict'], `${path}.supplementalGroupsPolicy`);
  yield* oneOf(context.seLinuxChangePolicy, ['Recursive'], `${path}.seLinuxChangePolicy`);
}

function* sysctls({ sysctls: given = [] }: Given<PodSecurityContext>, path: string): Errors {
  const seen = new Set<string>();
  for (const [at, { name = '' }] of given.entries()) {
    if (name === '') yield required(`${path}[${at}].name`);
    else if (name.length > 253 || !new RegExp(SYSCTL).test(name)) {
      yield invalid(`${path}[${at}].name`, name, `must have at most 253 characters and match regex ${SYSCTL}`);
    } else if (seen.has(name)) yield duplicate(`${path}[${at}].name`, name);
    seen.add(name);
  }
}

export function* containerSecurity(context: Given<SecurityContext>, hostUsers: boolean, path: string): Errors {
  yield* id(context.runAsUser, `${path}.runAsUser`);
  yield* id(context.runAsGroup, `${path}.runAsGroup`);
  yield* oneOf(context.procMount, ['Default', 'Unmasked'], `${path}.procMount`);
  if (hostUsers && context.procMount === 'Unmasked') {
    yield invalid(`${path}.procMount`, context.procMount, '`hostUsers` must be false to use `Unmasked`');
  }
  yield* seccomp(context.seccompProfile, `${path}.seccompProfile`);
  if (context.allowPrivilegeEscalation === false) {
    if (context.privileged) {
      yield invalid(path, context, 'cannot set `allowPrivilegeEscalation` to false and `privileged` to true');
    }
    if (context.capabilities?.add?.includes('CAP_SYS_ADMIN')) {
      yield invalid(
        path,
        context,
        'cannot set `allowPrivilegeEscalation` to false and `capabilities.Add` CAP_SYS_ADMIN',
      );
    }
  }
  yield* appArmor(context.appArmorProfile, `${path}.appArmorProfile`);
}

function* seccomp(profile: Given<SeccompProfile> | undefined, path: string): Errors {
  if (!profile) return;
  if (!profile.type) yield required(`${path}.type`, 'type is required when seccompProfile is set');
  else if (!PROFILE_TYPES.includes(profile.type)) yield notSupported(`${path}.type`, profile.type, PROFILE_TYPES);
  const file = profile.localhostProfile;
  if (profile.type === 'Localhost') {
    if (file === undefined) yield required(`${path}.localhostProfile`, 'must be set when seccomp type is Localhost');
    else yield* relativePath(file, `${path}.localhostProfile`);
  } else if (file !== undefined) {
    yield invalid(`${path}.localhostProfile`, profile, 'can only be set when seccomp type is Localhost');
  }
}

function* appArmor(profile: Given<SeccompProfile> | undefined, path: string): Errors {
  if (!profile) return;
  const file = profile.localhostProfile;
  if (!profile.type) yield required(`${path}.type`, 'type is required when appArmorProfile is set');
  else if (!PROFILE_TYPES.includes(profile.type)) yield notSupported(`${path}.type`, profile.type, PROFILE_TYPES);
  else if (profile.type !== 'Localhost') {
    if (file !== undefined)
      yield invalid(`${path}.localhostProfile`, file, 'can only be set when AppArmor type is Localhost');
  } else if (!file?.trim()) yield required(`${path}.localhostProfile`, 'must be set when AppArmor type is Localhost');
  else if (file !== file.trim()) yield invalid(`${path}.localhostProfile`, file, 'must not be padded with whitespace');
}

/** Processes of a Windows host: all containers are, or none, and all in the host's network. */
export function* hostProcesses(spec: Given<PodSpec>, path: string): Errors {
  const whole = spec.securityContext?.windowsOptions?.hostProcess;
  const all = CONTAINER_LISTS.flatMap((list) =>
    [...(spec[list] ?? []).entries()].map(([at, one]) => ({ list, at, one })),
  );
  let count = 0;
  for (const { list, at, one } of all) {
    const own = one.securityContext?.windowsOptions?.hostProcess;
    if (own ?? whole) count++;
    if (whole === undefined || own === undefined || own === whole) continue;
    const rule = `pod hostProcess value must be identical if both are specified, was ${whole}`;
    yield invalid(`${path}.${list}[${at}].securityContext.windowsOptions.hostProcess`, own, rule);
  }
  if (count === 0) return;
  if (count !== all.length) {
    const rule = 'If pod contains any hostProcess containers then all containers must be HostProcess containers';
    yield invalid(path, '', rule);
  }
  if (!spec.hostNetwork) {
    yield invalid(`${path}.hostNetwork`, false, 'hostNetwork must be true if pod contains any hostProcess containers');
  }
}

/** In the order in which they are looked at. */
const CONTAINER_LISTS = ['initContainers', 'containers', 'ephemeralContainers'] as const;
