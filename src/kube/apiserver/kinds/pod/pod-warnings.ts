/** What is allowed in pods but hardly meant: hints for whoever wrote it, not refusals. */
import type { Container, PodSpec, PodTemplateSpec } from '#gen/kube/types.ts';
import { tryParseQuantity } from '#kube/meta/quantity.ts';
import type { Given } from '../kind.ts';

export function templateWarnings(template: Given<PodTemplateSpec> | undefined, path: string): string[] {
  return podWarnings(template?.spec ?? {}, path === '' ? 'spec' : `${path}.spec`);
}

export function podWarnings(spec: Given<PodSpec>, path: string): string[] {
  return [
    ...(['initContainers', 'containers'] as const).flatMap((list) =>
      (spec[list] ?? []).flatMap((container, at) => containerWarnings(container, `${path}.${list}[${at}]`)),
    ),
    ...(spec.topologySpreadConstraints ?? []).flatMap(({ labelSelector }, at) =>
      labelSelector
        ? []
        : [`${path}.topologySpreadConstraints[${at}].labelSelector: a null labelSelector results in matching no pod`],
    ),
    ...(spec.imagePullSecrets ?? []).flatMap(({ name = '' }, at) =>
      name === '' ? [`${path}.imagePullSecrets[${at}].name: invalid empty name ""`] : [],
    ),
    ...((spec.terminationGracePeriodSeconds ?? 0) < 0
      ? [`${path}.terminationGracePeriodSeconds: must be >= 0; negative values are invalid and will be treated as 1`]
      : []),
  ];
}

function containerWarnings(container: Given<Container>, path: string): string[] {
  return [
    ...(['limits', 'requests'] as const).flatMap((list) => fractionalBytes(container, list, path)),
    ...hiddenVariables(container, path),
    ...repeatedPorts(container, path),
  ];
}

function fractionalBytes({ resources }: Given<Container>, list: 'limits' | 'requests', path: string): string[] {
  return ['memory', 'ephemeral-storage'].flatMap((name) => {
    const value = resources?.[list]?.[name];
    const whole = (tryParseQuantity(value ?? '0')?.nanos ?? 0n) % 1_000_000_000n === 0n;
    if (value === undefined || whole) return [];
    return [
      `${path}.resources.${list}[${name}]: fractional byte value ${JSON.stringify(value)} is invalid, must be an integer`,
    ];
  });
}

/** A later variable may build on an earlier one of its name; one that does not hides it. */
function hiddenVariables({ env = [] }: Given<Container>, path: string): string[] {
  const known = new Set<string>();
  return env.flatMap(({ name = '', value = '' }, at) => {
    const before = known.has(name);
    known.add(name);
    if (!before || value.includes(`$(${name})`)) return [];
    return [`${path}.env[${at}]: hides previous definition of "${name}", which may be dropped when using apply`];
  });
}

function repeatedPorts({ ports = [] }: Given<Container>, path: string): string[] {
  const known = new Map<string, number>();
  return ports.flatMap(({ containerPort, protocol, hostPort }, at) => {
    const id = `${containerPort}/${protocol}/${hostPort}`;
    const first = known.get(id) ?? at;
    known.set(id, first);
    return first < at ? [`${path}.ports[${at}]: duplicate port definition with ${path}.ports[${first}]`] : [];
  });
}
