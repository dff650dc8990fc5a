import type { Pod } from '#gen/kube/types.ts';
import type { Clock } from '#base/clock.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import { containerSpec } from '../container-state.ts';
import { type Environment, environment, hostnameOf } from './environment.ts';
import { type FileTree, fileTree } from './files.ts';
import { sources } from './sources.ts';

/** What the programs of a simulated container find around them. */
export interface Machine {
  readonly hostname: string;
  readonly env: Environment;
  readonly files: FileTree;
  readonly workingDir: string;
  readonly user: string;
  readonly clock: Clock;
}

export async function machineOf(client: KubeClient, clock: Clock, pod: Pod, name: string): Promise<Machine> {
  const container = containerSpec(pod, name);
  const found = sources(client, pod.metadata.namespace ?? '');
  const uid = container.securityContext?.runAsUser ?? pod.spec?.securityContext?.runAsUser ?? 0;
  return {
    hostname: hostnameOf(pod),
    env: await environment(pod, container, found),
    files: await fileTree(pod, container, found),
    workingDir: container.workingDir ?? '/',
    user: uid === 0 ? 'root' : String(uid),
    clock,
  };
}
