/** What is measured on a control plane; the same for ours and for the real one. */
import { readFileSync } from 'node:fs';
import type { KubeClient } from '#kube/client/kube-client.ts';
import type { Gvr } from '#kube/meta/gvk.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { memory } from '../kube/servers.ts';
import { arrivals } from './arrivals.ts';
import { MEMBERS, type Plane } from './planes.ts';

export interface Figure {
  readonly what: string;
  readonly value: number;
  readonly unit: 'ms' | 's' | 'MB';
}

export const CONFIG_MAP: Gvr = { group: '', version: 'v1', resource: 'configmaps' };
export const NAMESPACE: Gvr = { group: '', version: 'v1', resource: 'namespaces' };
const DEPLOYMENT: Gvr = { group: 'apps', version: 'v1', resource: 'deployments' };
const SERVICE: Gvr = { group: '', version: 'v1', resource: 'services' };
export const POLICY: Gvr = { group: 'policy.karmada.io', version: 'v1alpha1', resource: 'propagationpolicies' };
const OVERRIDE: Gvr = { group: 'policy.karmada.io', version: 'v1alpha1', resource: 'overridepolicies' };
export const namespace = 'bench';
const SAMPLES = 30;
const CLIENTS = 32;

export interface WorkloadOptions {
  /** How many ConfigMaps are sent at once, one run for each number. */
  readonly counts: readonly number[];
  readonly overridden: number;
  readonly tell: (figure: Figure) => void;
}

export async function workload(plane: Plane, { counts, overridden, tell }: WorkloadOptions): Promise<void> {
  tell({ what: 'instance from nothing to ready', value: plane.startUpMs, unit: 'ms' });
  tell({ what: 'memory when idle, two members joined', value: memory(plane.pids()).now, unit: 'MB' });
  await prepare(plane.client);
  await single(plane, tell);
  await status(plane, tell);
  for (const count of counts) await many(plane, count, tell);
  await overrides(plane, overridden, tell);
  tell({ what: 'memory after the run', value: memory(plane.pids()).now, unit: 'MB' });
}

async function prepare(client: KubeClient): Promise<void> {
  await client.create(NAMESPACE, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  const selected = [
    ['v1', 'ConfigMap'],
    ['apps/v1', 'Deployment'],
    ['v1', 'Service'],
  ];
  await client.create(POLICY, {
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind: 'PropagationPolicy',
    metadata: { name: 'all', namespace },
    spec: {
      resourceSelectors: selected.map(([apiVersion, kind]) => ({ apiVersion, kind })),
      placement: { clusterAffinity: { clusterNames: [...MEMBERS] } },
    },
  });
}

export const configMap = (name: string): KubeObject => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace },
  data: { key: 'value' },
});

/** One template at a time, from the request that makes it until both members have it. */
async function single({ client, members }: Plane, tell: (figure: Figure) => void): Promise<void> {
  const arriving = arrivals(members, CONFIG_MAP);
  const took: number[] = [];
  for (let i = 0; i < SAMPLES + 3; i++) {
    const started = performance.now();
    await Promise.all([arriving.all([`single-${i}`]), client.create(CONFIG_MAP, configMap(`single-${i}`))]);
    // The first few find everything cold.
    if (i >= 3) took.push(performance.now() - started);
  }
  arriving.close();
  quantiles('template → object in 2 members', took, tell);
}

/** From a status written in a member until the template shows it. */
async function status({ client, members }: Plane, tell: (figure: Figure) => void): Promise<void> {
  const name = 'status';
  // Of a class that no controller of the members serves, so that its status is only ours to write.
  const spec = {
    type: 'LoadBalancer',
    loadBalancerClass: 'bench/none',
    ports: [{ port: 80 }],
    selector: { app: name },
  };
  await client.create(SERVICE, { apiVersion: 'v1', kind: 'Service', metadata: { name, namespace }, spec });
  const placed = arrivals(members, SERVICE);
  await placed.all([name]);
  placed.close();
  const shown = arrivals([client], SERVICE);
  const took: number[] = [];
  for (let i = 0; i < SAMPLES; i++) {
    const ip = `192.0.2.${i + 1}`;
    const body = { status: { loadBalancer: { ingress: [{ ip }] } } };
    const started = performance.now();
    const seen = shown.all([name], (object) => JSON.stringify(object['status'] ?? {}).includes(`"${ip}"`));
    await members[0]?.patch(SERVICE, { namespace, name }, { type: 'merge', body }, { subresource: 'status' });
    await seen;
    took.push(performance.now() - started);
  }
  shown.close();
  quantiles('member status → template status', took, tell);
}

async function many({ client, members, pids }: Plane, count: number, tell: (figure: Figure) => void): Promise<void> {
  const names = Array.from({ length: count }, (_, i) => `many-${count}-${i}`);
  const arriving = arrivals(members, CONFIG_MAP);
  const [cpu, started] = [cpuSeconds(pids()), performance.now()];
  await Promise.all([arriving.all(names), inParallel(names, (name) => client.create(CONFIG_MAP, configMap(name)))]);
  const value = (performance.now() - started) / 1000;
  arriving.close();
  tell({ what: `${count.toLocaleString('en')} ConfigMaps, one policy, 2 members`, value, unit: 's' });
  const used = cpuSeconds(pids()) - cpu;
  tell({ what: `${count.toLocaleString('en')} ConfigMaps, CPU of the control plane`, value: used, unit: 's' });
}

/** What the processes have used so far; steadier than the clock on a machine that has other work. */
export function cpuSeconds(pids: readonly number[]): number {
  const ticks = pids.map((pid) => {
    const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return Number(fields[11]) + Number(fields[12]);
  });
  return ticks.reduce((sum, each) => sum + each, 0) / 100;
}

/** One OverridePolicy for many Deployments changes; until every copy is as it says now. */
async function overrides({ client, members }: Plane, count: number, tell: (figure: Figure) => void): Promise<void> {
  const names = Array.from({ length: count }, (_, i) => `web-${i}`);
  const arriving = arrivals(members, DEPLOYMENT);
  const labelled = (mark: string) => (object: KubeObject) => object.metadata.labels?.['mark'] === mark;
  await client.create(OVERRIDE, override('before'));
  await Promise.all([
    arriving.all(names, labelled('before')),
    inParallel(names, (name) => client.create(DEPLOYMENT, deployment(name))),
  ]);
  const { spec } = override('after');
  const started = performance.now();
  const changed = arriving.all(names, labelled('after'));
  await client.patch(OVERRIDE, { namespace, name: 'mark' }, { type: 'merge', body: { spec } });
  await changed;
  const value = (performance.now() - started) / 1000;
  arriving.close();
  tell({ what: `${count} Deployments, one OverridePolicy changed`, value, unit: 's' });
}

const override = (mark: string) => ({
  apiVersion: 'policy.karmada.io/v1alpha1',
  kind: 'OverridePolicy',
  metadata: { name: 'mark', namespace },
  spec: {
    resourceSelectors: [{ apiVersion: 'apps/v1', kind: 'Deployment' }],
    overrideRules: [
      { overriders: { plaintext: [{ path: '/metadata/labels/mark', operator: 'replace', value: mark }] } },
    ],
  },
});

/** Without pods: how fast members start those is not what is measured. */
function deployment(name: string): KubeObject {
  const labels = { app: name };
  const template = { metadata: { labels }, spec: { containers: [{ name: 'main', image: 'nginx' }] } };
  const metadata = { name, namespace, labels: { mark: 'none' } };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata,
    spec: { replicas: 0, selector: { matchLabels: labels }, template },
  };
}

export async function inParallel<T>(
  items: readonly T[],
  act: (item: T) => Promise<unknown>,
  clients = CLIENTS,
): Promise<void> {
  const rest = items.values();
  const worker = async () => {
    for (const item of rest) await act(item);
  };
  await Promise.all(Array.from({ length: clients }, worker));
}

function quantiles(what: string, took: readonly number[], tell: (figure: Figure) => void): void {
  const sorted = took.toSorted((a, b) => a - b);
  for (const q of [0.5, 0.95]) {
    const value = sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * q))] ?? 0;
    tell({ what: `${what}, p${q * 100}`, value, unit: 'ms' });
  }
}
