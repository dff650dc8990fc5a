/** The control planes that are measured, each with two simulated members in processes of their own. */
import { join } from 'node:path';
import { type Cluster, CLUSTER } from '#karmada/apis/index.ts';
import { join as joinMember } from '#karmada/cluster/index.ts';
import { type OurProgram, startMember, startProgram } from '#e2e/real/our-program.ts';
import { until } from '#e2e/real/processes.ts';
import { startRealKarmada } from '#e2e/real/real-karmada.ts';
import { karmadaApiServer } from '#karmada/engine/index.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import { loadKubeconfig } from '#kube/client/load-config.ts';
import { memoryStore } from '#kube/store/index.ts';

export interface Plane {
  readonly client: KubeClient;
  readonly members: readonly KubeClient[];
  /** Of the control plane alone. */
  readonly pids: () => readonly number[];
  readonly startUpMs: number;
  /** Ends a member without a word. */
  lose(member: number): void;
  stop(): Promise<void>;
}

export const MEMBERS = ['m1', 'm2'] as const;

export async function ourPlane(directory: string): Promise<Plane> {
  const karmada = await startProgram(join(directory, 'karmada'), 'karmada');
  const { client, pid, startUpMs } = karmada;
  return withMembers(directory, { client, pids: () => [pid], startUpMs, stop: () => karmada.stop() });
}

/** Ours, with every setting that makes failover faster at its fastest; in this process, as only tests set those. */
export async function ourFailoverPlane(directory: string): Promise<Plane> {
  const karmada = await karmadaApiServer({
    store: memoryStore(),
    allowNoExecuteTaintPolicy: true,
    engine: {
      failover: { enabled: true, noExecuteTaintEviction: true, evictionRate: 1_000 },
      clusterStatus: { everyMs: 200, thresholds: { successMs: 0, failureMs: 0 } },
    },
  });
  await karmada.ready;
  return withMembers(directory, { client: karmada.client, pids: () => [], startUpMs: 0, stop: () => karmada.close() });
}

const FASTEST_FAILOVER = [
  '--feature-gates=Failover=true',
  '--enable-no-execute-taint-eviction=true',
  '--resource-eviction-rate=1000',
  '--cluster-status-update-frequency=200ms',
  '--cluster-failure-threshold=1ms',
  '--cluster-success-threshold=1ms',
];

export async function realFailoverPlane(directory: string): Promise<Plane> {
  const karmada = await startRealKarmada({
    directory: join(directory, 'karmada'),
    managerFlags: FASTEST_FAILOVER,
    webhookFlags: ['--allow-no-execute-taint-policy=true'],
  });
  const { client, processes, startUpMs } = karmada;
  return withMembers(directory, { client, pids: processes.pids, startUpMs, stop: () => karmada.stop() });
}

export async function realPlane(directory: string, raiseLimits: boolean): Promise<Plane> {
  const karmada = await startRealKarmada({ directory: join(directory, 'karmada'), raiseLimits });
  const { client, processes, startUpMs } = karmada;
  return withMembers(directory, { client, pids: processes.pids, startUpMs, stop: () => karmada.stop() });
}

async function withMembers(directory: string, plane: Omit<Plane, 'members' | 'lose'>): Promise<Plane> {
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
    return { ...plane, members: started.map(({ client }) => client), lose: (member) => started[member]?.kill(), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function isReady(client: KubeClient, name: string): Promise<boolean> {
  const { status } = await client.get<Cluster>(CLUSTER, { name });
  return status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True') ?? false;
}
