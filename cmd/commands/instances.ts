/** `kairship instance …`: the control planes of the platform, from creation to deletion. */
import { setTimeout as sleep } from 'node:timers/promises';
import { toJson } from '@bufbuild/protobuf';
import pc from 'picocolors';
import { parse, stringify } from 'yaml';
import { hasReason } from '#base/status-error.ts';
import { type Instance, InstanceSchema } from '#gen/proto/kairship/api/instance/v1alpha1/instance_pb.ts';
import {
  InstanceComponent_TypeSchema,
  InstanceService,
} from '#gen/proto/kairship/api/instance/v1alpha1/instance_service_pb.ts';
import type { Cluster } from '#karmada/apis/index.ts';
import { CLUSTER } from '#karmada/apis/resources.ts';
import { allPages } from '../cli/all-pages.ts';
import { connected, type Connection, type ConnectionOptions } from '../cli/connection.ts';
import { enumName } from '../cli/enum-name.ts';
import { CommandFailure, EXIT, usageFailure } from '../cli/failure.ts';
import { follow } from '../cli/follow.ts';
import { type Format, type Listed, type ListOptions, printList, printOne, stateWord } from '../cli/output.ts';
import { ask } from '../cli/prompt.ts';
import { note, progress } from '../cli/screen.ts';
import { selfContainedKubeconfig } from '../cli/self-contained-kubeconfig.ts';
import { ago } from './access-words.ts';
import { stateOf } from './words.ts';

const ALIAS = 'kairship.io/alias-name';
const MODE = 'kairship.io/mode';
const annotation = ({ metadata }: Instance, key: string) => metadata?.annotations[key] ?? '';
const nameOf = ({ metadata }: Instance) => metadata?.name ?? '';

function clustersOf({ status }: Instance): string {
  const { readyNum = 0, totalNum = 0 } = status?.summary?.clusterSummary ?? {};
  return `${readyNum}/${totalNum}`;
}

const INSTANCES: Listed<Instance> = {
  kind: 'instance',
  name: nameOf,
  object: (instance) => toJson(InstanceSchema, instance),
  labels: ({ metadata }) => metadata?.labels ?? {},
  columns: [
    { head: 'NAME', of: nameOf },
    { head: 'STATE', of: (instance) => stateWord(stateOf(instance)) },
    { head: 'CLUSTERS', of: clustersOf },
    { head: 'KARMADA', of: ({ status }) => status?.karmadaVersion ?? '' },
    { head: 'KUBERNETES', of: ({ status }) => status?.kubernetesVersion ?? '', wide: true },
    { head: 'ALIAS', of: (instance) => annotation(instance, ALIAS), wide: true },
    { head: 'RUN BY', of: (instance) => annotation(instance, MODE), wide: true },
    { head: 'AGE', of: ({ metadata }) => ago(metadata?.creationTimestamp) },
  ],
};

export function listInstances(options: ConnectionOptions & ListOptions): Promise<void> {
  return connected(options, (on) =>
    follow(
      INSTANCES,
      () => allPages((page) => on.rpc(InstanceService).listInstances(page)),
      options,
      'There are no instances. Create one: kairship instance create NAME',
    ),
  );
}

export function getInstance(name: string, options: ConnectionOptions & { readonly output?: Format }): Promise<void> {
  return connected(options, async (on) => {
    const instance = await on.rpc(InstanceService).getInstance({ name });
    const { resourceSummary, workloadSummary = {} } = instance.status?.summary ?? {};
    const parts = Object.entries(workloadSummary).map(
      ([kind, { readyNum, totalNum }]) => `${kind} ${readyNum}/${totalNum}`,
    );
    const facts: readonly (readonly [string, string])[] = [
      ['State', stateWord(stateOf(instance))],
      ['Alias', annotation(instance, ALIAS)],
      ['Run by', annotation(instance, MODE)],
      ['Karmada', instance.status?.karmadaVersion ?? ''],
      ['Kubernetes', instance.status?.kubernetesVersion ?? ''],
      ['Clusters', `${clustersOf(instance)} ready`],
      ['Workloads', parts.join(', ')],
      ['CPU', given(resourceSummary, 'cpu')],
      ['Memory', given(resourceSummary, 'memory')],
      ['Age', ago(instance.metadata?.creationTimestamp)],
    ];
    const told = facts.filter(([, value]) => value !== '').map(([what, value]) => `  ${what.padEnd(12)}${value}`);
    printOne(INSTANCES, instance, options.output, () => [pc.bold(name), ...told].join('\n'));
  });
}

function given(
  summary: { allocatable: Record<string, string>; allocated: Record<string, string> } | undefined,
  of: string,
) {
  const all = summary?.allocatable[of];
  return all === undefined ? '' : `${summary?.allocated[of] ?? '0'} of ${all} given away`;
}

export interface CreateInstanceOptions extends ConnectionOptions {
  readonly alias?: string;
  readonly karmadaVersion?: string;
  /** A file that leads to a Karmada of somebody else's. */
  readonly kubeconfig?: string;
  readonly wait: boolean;
  readonly timeout: number;
}

export function createInstance(name: string, options: CreateInstanceOptions): Promise<void> {
  return connected(options, async (on) => {
    const annotations = options.alias === undefined ? {} : { [ALIAS]: options.alias };
    const kubeconfig = options.kubeconfig === undefined ? '' : await selfContainedKubeconfig(name, options);
    await on.rpc(InstanceService).createInstance({ data: { metadata: { name, annotations } }, kubeconfig });
    if (options.karmadaVersion !== undefined) await setVersion(on, name, options.karmadaVersion);
    if (!options.wait) return note(`instance/${name} is being created`);
    await untilRunning(on, name, options.timeout);
    note(`instance/${pc.bold(name)} runs.`);
    note(pc.dim(`  Next: kairship cluster join CLUSTER --kubeconfig FILE -i ${name}`));
  });
}

export async function untilRunning(on: Connection, name: string, withinMs: number): Promise<void> {
  const lines = progress();
  const until = Date.now() + withinMs;
  for (;;) {
    const instance = await on.rpc(InstanceService).getInstance({ name });
    const state = stateOf(instance);
    lines.set(name, `${name}  ▸ ${stateWord(state)}`);
    if (state === 'running') return lines.end();
    if (Date.now() > until) {
      lines.end();
      throw new CommandFailure(`instance "${name}" does not run yet`, {
        why: `pending: it is ${state}`,
        next: `kairship instance get ${name}; kairship instance components ${name}`,
        code: EXIT.timedOut,
      });
    }
    await sleep(300);
  }
}

export interface DeleteInstanceOptions extends ConnectionOptions {
  readonly yes?: boolean;
  readonly wait: boolean;
  readonly timeout: number;
}

export function deleteInstance(name: string, options: DeleteInstanceOptions): Promise<void> {
  return connected(options, async (on) => {
    await on.rpc(InstanceService).getInstance({ name });
    await requireEmpty(on, name);
    if (options.yes !== true && (await ask(`Type the name of the instance to delete it: `, '--yes')) !== name)
      throw usageFailure(`instance "${name}" stays`, 'another name was typed', `kairship instance delete ${name}`);
    await on.rpc(InstanceService).deleteInstance({ name });
    if (options.wait) await untilGone(on, name, options.timeout);
    note(`instance/${name} deleted`);
  });
}

/** What is still inside is told before anybody is asked. */
async function requireEmpty(on: Connection, name: string): Promise<void> {
  const { items } = await on
    .kube(name)
    .list<Cluster>(CLUSTER)
    .catch(() => ({ items: [] }));
  const names = items.map(({ metadata }) => metadata.name);
  if (names.length === 0) return;
  throw new CommandFailure(`instance "${name}" cannot be deleted`, {
    why: `it still has ${names.length} clusters: ${names.join(', ')}`,
    next: `kairship cluster remove ${names.join(' ')} -i ${name}`,
  });
}

async function untilGone(on: Connection, name: string, withinMs: number): Promise<void> {
  const until = Date.now() + withinMs;
  const lines = progress();
  lines.set(name, `${name}  ▸ ${stateWord('deleting')}`);
  try {
    while (Date.now() < until) {
      await on.rpc(InstanceService).getInstance({ name });
      await sleep(300);
    }
  } catch (error) {
    if (hasReason(error, 'NotFound')) return;
    throw error;
  } finally {
    lines.end(false);
  }
  throw new CommandFailure(`instance "${name}" is not gone yet`, {
    why: 'its deletion has begun and takes longer',
    next: `kairship instance get ${name}`,
    code: EXIT.timedOut,
  });
}

export interface UpgradeOptions extends ConnectionOptions {
  readonly to?: string;
  readonly timeout: number;
}

export function upgradeInstance(name: string, options: UpgradeOptions): Promise<void> {
  return connected(options, async (on) => {
    const { from, to, unchanged } = await on.rpc(InstanceService).upgradeInstance({ name, version: options.to ?? '' });
    if (unchanged) return note(`instance/${name} runs Karmada ${to} already`);
    await untilRunning(on, name, options.timeout);
    note(`instance/${name}: Karmada ${from} → ${to}`);
  });
}

async function setVersion(on: Connection, name: string, version: string): Promise<void> {
  const { data } = await on.rpc(InstanceService).getInstanceJSON({ name });
  const manifest = parse(data) as { spec?: object };
  manifest.spec = { ...manifest.spec, karmadaVersion: version };
  await on.rpc(InstanceService).updateInstance({ name, data: stringify(manifest) });
}

interface Component {
  readonly name: string;
  readonly type: string;
  readonly ok: boolean;
  readonly message: string;
  /** Empty where nobody knows. */
  readonly since: string;
}

const COMPONENTS: Listed<Component> = {
  kind: 'component',
  name: ({ name }) => name,
  object: (component) => component,
  columns: [
    { head: 'COMPONENT', of: ({ name }) => name },
    { head: 'TYPE', of: ({ type }) => type },
    { head: 'STATE', of: ({ ok, message }) => (ok ? pc.green('ok') : pc.red(message)) },
    { head: 'SINCE', of: ({ since }) => since, wide: true },
  ],
};

export function components(
  name: string | undefined,
  options: ConnectionOptions & { readonly output?: Format },
): Promise<void> {
  return connected({ ...options, ...(name === undefined ? {} : { instance: name }) }, async (on) => {
    const instance = await on.theInstance();
    const { items } = await on.rpc(InstanceService).listInstanceComponents({ instance });
    const parts = items.map(({ name: part, type, ready, message, since }) => ({
      name: part,
      type: enumName(InstanceComponent_TypeSchema, type).toLowerCase(),
      ok: ready,
      message,
      since: since === 0n ? '' : new Date(Number(since)).toISOString(),
    }));
    printList(COMPONENTS, parts, options, 'Nothing is known of its parts.');
  });
}
