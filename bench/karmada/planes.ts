/** The control planes that are measured, each with two simulated members in processes of their own. */
import { join } from 'node:path';
import { type Cluster, CLUSTER } from '#karmada/apis/index.ts';
import { join as joinMember } from '#karmada/cluster/index.ts';
import { type OurProgram, startMember, startProgram } from '#e2e/real/our-program.ts';
import { until } from '#e2e/real/processes.ts';
import { startRealKarmada } from '#e2e/real/real-karmada.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import { loadKubeconfig } from '#kube/client/load-config.ts';

export interface Plane {
  readonly client: KubeClient;
  readonly members: readonly KubeClient[];
  /** Of the control plane alone. */
  readonly pids: () => readonly number[];
  readonly startUpMs: number;
  stop(): Promise<void>;
}

export const MEMBERS = ['m1', 'm2'] as const;

export async function ourPlane(directory: string): Promise<Plane> {
  const karmada = await startProgram(join(directory, 'karmada'), 'karmada');
  const { client, pid, startUpMs } = karmada;
  return withMembers(directory, { client, pids: () => [pid], startUpMs, stop: () => karmada.stop() });
}

export async function realPlane(directory: string, raiseLimits: boolean): Promise<Plane> {
  const karmada = await startRealKarmada({ directory: join(directory, 'karmada'), raiseLimits });
  const { client, processes, startUpMs } = karmada;
  return withMembers(directory, { client, pids: processes.pids, startUpMs, stop: () => karmada.stop() });
}

async function withMembers(directory: string, plane: Omit<Plane, 'members'>): Promise<Plane> {
  const started: OurProgram[] = [];
  const stop = async () => {
    await plane.stop();
    for (const member of started) await member.stop();
  };
  try {
    for (const name of MEMBERS) {
      const member = await startMember(directory, name, ['--store', 'memory']);
      started.push(member);
      await joinMember({ control: plane.client, member: await loadKubeconfig(member.kubeconfig), name });
    }
    for (const name of MEMBERS) await until(`${name} to be ready`, () => isReady(plane.client, name));
    return { ...plane, members: started.map(({ client }) => client), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function isReady(client: KubeClient, name: string): Promise<boolean> {
  const { status } = await client.get<Cluster>(CLUSTER, { name });
  return status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') ?? false;
}
