/**
 * What is measured of a large instance: a start with everything there already, and a hundred members.
 *
 * Ours alone: a real Karmada on two cores would need hours for the same.
 */
import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { type Cluster, CLUSTER } from '#karmada/apis/index.ts';
import { join as joinMember } from '#karmada/cluster/index.ts';
import { type OurProgram, startMember, startProgram } from '#e2e/real/our-program.ts';
import { until } from '#e2e/real/processes.ts';
import { type HttpClient, httpClient } from '#kube/client/http-client.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import { loadKubeconfig } from '#kube/client/load-config.ts';
import { memory } from '../kube/servers.ts';
import { arrivals } from './arrivals.ts';
import type { FarmNews } from './member-farm.ts';
import {
  CONFIG_MAP,
  configMap,
  cpuSeconds,
  type Figure,
  inParallel,
  NAMESPACE,
  namespace,
  POLICY,
} from './workload.ts';

type Tell = (figure: Figure) => void;

const KEPT = { templates: 5_000, members: ['m1', 'm2'], lostEvery: 100 };
const WIDE = { templates: 500, members: 100, farms: 4, joining: 8 };

/** 5,000 templates in 2 members; while the instance is down, every hundredth object is lost in both. */
export async function coldStart(directory: string, tell: Tell): Promise<void> {
  const running: { stop(): Promise<void> }[] = [];
  const place = join(directory, 'karmada');
  try {
    const first = await startProgram(place, 'karmada');
    const members: OurProgram[] = [];
    for (const name of KEPT.members) {
      const member = await startMember(directory, name, ['--store', 'memory']);
      members.push(member);
      running.push(member);
      await joinMember({ control: first.client, member: await loadKubeconfig(member.kubeconfig), name });
    }
    const clients = members.map(({ client }) => client);
    const names = Array.from({ length: KEPT.templates }, (_, i) => `kept-${i}`);
    await spread(first.client, clients, names);
    await settled(first.client, names.length);
    await first.stop();

    const lost = names.filter((_, i) => i % KEPT.lostEvery === KEPT.lostEvery - 1);
    for (const client of clients) {
      await inParallel(lost, (name) => client.delete(CONFIG_MAP, { namespace, name }));
    }
    const started = performance.now();
    const arriving = arrivals(clients, CONFIG_MAP);
    const again = await startProgram(place, 'karmada');
    running.unshift(again);
    const what = `start with ${shown(KEPT.templates)} templates in ${KEPT.members.length} members`;
    tell({ what: `${what}, until it serves`, value: again.startUpMs / 1000, unit: 's' });
    await arriving.all(lost);
    tell({ what: `${what}, until all is in sync again`, value: (performance.now() - started) / 1000, unit: 's' });
    arriving.close();
    tell({ what: `${what}, CPU`, value: cpuSeconds([again.pid]), unit: 's' });
    tell({ what: `${what}, memory`, value: memory([again.pid]).now, unit: 'MB' });
  } finally {
    for (const program of running) await program.stop();
  }
}

/** 100 members, several in each of a few processes; 500 templates for all of them. */
export async function manyMembers(directory: string, tell: Tell): Promise<void> {
  const karmada = await startProgram(join(directory, 'karmada'), 'karmada');
  const farms = Array.from({ length: WIDE.farms }, (_, i) => farm(join(directory, `farm-${i}`), farmNames(i)));
  const clients: HttpClient[] = [];
  try {
    const found = (await Promise.all(farms.map(({ members }) => members))).flatMap(({ members }) => members);
    const joined = performance.now();
    await inParallel(
      found,
      ({ name, config }) => joinMember({ control: karmada.client, member: config, name }),
      WIDE.joining,
    );
    await until('all members to be ready', () => allReady(karmada.client, found.length), 300_000);
    const size = `${WIDE.members} members`;
    tell({ what: `${size} joined and ready`, value: (performance.now() - joined) / 1000, unit: 's' });
    clients.push(...found.map(({ config }) => httpClient(config)));
    const cpu = cpuSeconds([karmada.pid]);
    const names = Array.from({ length: WIDE.templates }, (_, i) => `wide-${i}`);
    const started = performance.now();
    await spread(karmada.client, clients, names);
    const what = `${WIDE.templates} templates to ${size}`;
    tell({ what: `${what} (50,000 objects)`, value: (performance.now() - started) / 1000, unit: 's' });
    await settled(karmada.client, names.length);
    tell({ what: `${what}, until all is reported`, value: (performance.now() - started) / 1000, unit: 's' });
    tell({ what: `${what}, CPU of the control plane`, value: cpuSeconds([karmada.pid]) - cpu, unit: 's' });
    tell({ what: `${what}, memory of the control plane`, value: memory([karmada.pid]).now, unit: 'MB' });
  } finally {
    for (const client of clients) client.close();
    for (const { end } of farms) end();
    await karmada.stop();
  }
}

function farmNames(index: number): readonly string[] {
  const each = WIDE.members / WIDE.farms;
  return Array.from({ length: each }, (_, i) => `m${index * each + i + 1}`);
}

function farm(directory: string, names: readonly string[]) {
  const child = fork(join(import.meta.dirname, 'member-farm.ts'), [directory, ...names], {
    execArgv: ['--disable-warning=ExperimentalWarning'],
  });
  const members = once(child, 'message').then(([news]) => news as FarmNews);
  return { members, end: () => child.disconnect() };
}

/** Sends ConfigMaps to all members, and waits until they are there. */
async function spread(client: KubeClient, members: readonly KubeClient[], names: readonly string[]): Promise<void> {
  await client.create(NAMESPACE, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  await client.create(POLICY, {
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind: 'PropagationPolicy',
    metadata: { name: 'all', namespace },
    spec: { resourceSelectors: [{ apiVersion: 'v1', kind: 'ConfigMap' }], placement: {} },
  });
  const arriving = arrivals(members, CONFIG_MAP);
  await Promise.all([arriving.all(names), inParallel(names, (name) => client.create(CONFIG_MAP, configMap(name)))]);
  arriving.close();
}

const BINDING = { group: 'work.karmada.io', version: 'v1alpha2', resource: 'resourcebindings' };

/** Until every binding says that all its clusters have it. */
function settled(client: KubeClient, count: number): Promise<unknown> {
  return until(
    'all bindings to be applied',
    async () => {
      const { items } = await client.list(BINDING, { namespace });
      const applied = items.filter((item) => JSON.stringify(item['status'] ?? {}).includes('FullyAppliedSuccess'));
      return applied.length >= count;
    },
    300_000,
  );
}

async function allReady(client: KubeClient, count: number): Promise<boolean> {
  const { items } = await client.list<Cluster>(CLUSTER);
  const ready = items.filter(({ status }) =>
    status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True'),
  );
  return ready.length === count;
}

const shown = (count: number) => count.toLocaleString('en');
