/** A Karmada control plane with its members, real or ours, as scenarios see it. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Cluster, CLUSTER } from '#karmada/apis/index.ts';
import { join as joinMember } from '#karmada/cluster/index.ts';
import { karmadaApiServer } from '#karmada/engine/index.ts';
import { MASTERS, staticTokens } from '#kube/apiserver/index.ts';
import type { ClusterConfig } from '#kube/client/cluster-config.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { serving } from '#kube/pki/index.ts';
import { memoryStore } from '#kube/store/index.ts';
import { memberCluster } from '#members/member.ts';
import { CONTROL_RESOURCES, MEMBER_RESOURCES, scenarioOf } from './kinds.ts';
import { type Mirror, mirror } from './mirror.ts';
import { until } from './processes.ts';
import { startRealKarmada } from './real-karmada.ts';

export interface Place {
  readonly client: KubeClient;
  readonly mirror: Mirror;
}

export interface Side {
  readonly name: 'real' | 'ours';
  readonly control: Place;
  readonly members: readonly string[];
  member(name: string): Place;
  /** When something of a scenario was last seen to change. */
  lastChange(scenario: string): number;
  stop(): Promise<void>;
}

/** The members of every side, with different room, regions and labels. */
export const MEMBERS = {
  m1: { nodes: 3, cpu: '8', region: 'r1', zone: 'z1', provider: 'p1', labels: { tier: 'gold', stage: 'prod' } },
  m2: { nodes: 2, cpu: '8', region: 'r1', zone: 'z2', provider: 'p2', labels: { tier: 'silver', stage: 'prod' } },
  m3: { nodes: 1, cpu: '4', region: 'r2', zone: 'z3', provider: 'p2', labels: { tier: 'gold', stage: 'test' } },
} as const;
/** Pods that start at once leave nothing to wait for. */
const PACE = { startMs: 20, initMs: 20, runMs: 100, stopMs: 20 };
type MemberName = keyof typeof MEMBERS;

interface Control {
  readonly client: KubeClient;
  stop(): Promise<void>;
}

export interface SideOptions {
  /** With everything switched on that evicts from clusters, and as quickly as it gets. */
  readonly failover?: boolean;
}

const FAILOVER_FLAGS = {
  managerFlags: [
    '--feature-gates=Failover=true',
    '--enable-no-execute-taint-eviction=true',
    '--resource-eviction-rate=100',
  ],
  webhookFlags: ['--allow-no-execute-taint-policy=true'],
};

export async function realSide(directory: string, { failover = false }: SideOptions = {}): Promise<Side> {
  const { managerFlags, webhookFlags } = failover ? FAILOVER_FLAGS : { managerFlags: [], webhookFlags: [] };
  const karmada = await startRealKarmada({
    directory: join(directory, 'real'),
    managerFlags: ['--cluster-status-update-frequency=2s', ...managerFlags],
    webhookFlags,
  });
  return side('real', karmada, directory);
}

export async function ourSide(directory: string, { failover = false }: SideOptions = {}): Promise<Side> {
  const karmada = await karmadaApiServer({
    store: memoryStore(),
    allowNoExecuteTaintPolicy: failover,
    engine: {
      clusterStatus: { everyMs: 2_000 },
      failover: { enabled: failover, noExecuteTaintEviction: failover, evictionRate: 100 },
    },
  });
  await karmada.ready;
  return side('ours', { client: karmada.server.client(undefined, 'kubectl'), stop: () => karmada.close() }, directory);
}

async function side(name: Side['name'], karmada: Control, directory: string): Promise<Side> {
  const { client } = karmada;
  const ending = new AbortController();
  const changes = new Map<string, number>();
  const changed = (object: KubeObject) => {
    const scenario = scenarioOf(object);
    if (scenario !== undefined) changes.set(scenario, Date.now());
  };
  const place = (of: KubeClient, resources: typeof CONTROL_RESOURCES): Place => ({
    client: of,
    mirror: mirror({ client: of, resources, signal: ending.signal, changed }),
  });
  const names = Object.keys(MEMBERS) as MemberName[];
  const clusters = await Promise.all(names.map((each) => simulatedMember(each, join(directory, name))));
  for (const [index, { config }] of clusters.entries()) await joined(client, names[index] ?? 'm1', config);
  const places = new Map(clusters.map(({ client: of }, index) => [names[index] ?? '', place(of, MEMBER_RESOURCES)]));
  const control = place(client, CONTROL_RESOURCES);
  await Promise.all([control, ...places.values()].map(({ mirror: { ready } }) => ready));
  return {
    name,
    control,
    members: names,
    member(of) {
      const found = places.get(of);
      if (!found) throw new Error(`no member ${of}`);
      return found;
    },
    lastChange: (scenario) => changes.get(scenario) ?? 0,
    async stop() {
      ending.abort();
      await karmada.stop();
      for (const { close } of clusters) await close();
    },
  };
}

/** One of our simulated clusters, over TLS, as any cluster is reached. */
export async function simulatedMember(name: MemberName, directory: string) {
  const { nodes: count, cpu, region, zone, provider } = MEMBERS[name];
  const path = join(directory, name);
  mkdirSync(path, { recursive: true });
  const tls = await serving({ directory: path });
  const authenticators = [staticTokens({ admin: { name: 'admin', groups: [MASTERS] } })];
  const nodes = { count, cpu, memory: '32Gi', region, zone, provider };
  const server = await memberCluster({
    name,
    nodes,
    store: memoryStore(),
    authenticators,
    pace: PACE,
    ca: () => tls.ca.cert,
  });
  const { url } = await server.listen({ port: 0, tls: { ...tls.current(), ca: tls.ca.cert } });
  const config: ClusterConfig = { server: url, ca: tls.ca.cert, token: 'admin' };
  return { config, client: server.client(undefined, 'kubectl'), close: () => server.close() };
}

async function joined(control: KubeClient, name: MemberName, member: ClusterConfig): Promise<void> {
  const { region, zone, provider, labels } = MEMBERS[name];
  await joinMember({ control, member, name, region, zone, provider, labels });
  await until(`${name} to be ready`, async () => {
    const { status } = await control.get<Cluster>(CLUSTER, { name });
    return status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True');
  });
}
