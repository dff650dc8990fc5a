/** The environment variables of a container, from wherever its spec takes them. */
import type { Container, EnvVar, Pod } from '#gen/kube/types.ts';
import { fieldValue, resourceValue } from './downward.ts';
import type { Data, Sources } from './sources.ts';

export type Environment = Readonly<Record<string, string>>;

export function hostnameOf(pod: Pod): string {
  return pod.spec?.hostname ?? pod.metadata.name;
}

export async function environment(pod: Pod, container: Container, sources: Sources): Promise<Environment> {
  const all: Record<string, string> = {
    PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
    HOSTNAME: hostnameOf(pod),
    HOME: '/root',
  };
  for (const { prefix = '', configMapRef, secretRef } of container.envFrom ?? []) {
    const data: Data = { ...(await sources.configMap(configMapRef?.name)), ...(await sources.secret(secretRef?.name)) };
    for (const [key, value] of Object.entries(data)) all[`${prefix}${key}`] = value;
  }
  for (const variable of container.env ?? []) {
    const value = await valueOf(variable, pod, container, sources);
    if (value !== undefined) all[variable.name] = variable.valueFrom ? value : expand(value, all);
  }
  return all;
}

async function valueOf(variable: EnvVar, pod: Pod, container: Container, sources: Sources) {
  const { fieldRef, resourceFieldRef, configMapKeyRef, secretKeyRef } = variable.valueFrom ?? {};
  if (fieldRef) return fieldValue(pod, fieldRef.fieldPath);
  if (resourceFieldRef) return resourceValue(pod, container, resourceFieldRef);
  if (configMapKeyRef) return (await sources.configMap(configMapKeyRef.name))[configMapKeyRef.key];
  if (secretKeyRef) return (await sources.secret(secretKeyRef.name))[secretKeyRef.key];
  return variable.value ?? '';
}

/** `$(NAME)` stands for a variable named before; `$$(NAME)` for itself. */
function expand(text: string, known: Environment): string {
  return text.replace(/\$(\$?)\(([A-Za-z_][\w.-]*)\)/g, (found, escaped: string, name: string) =>
    escaped ? found.slice(1) : (known[name] ?? found),
  );
}
