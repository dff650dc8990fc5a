/** `kairship cluster …`: the members of an instance, how they come, change and leave. */
import pc from 'picocolors';
import { setTimeout as sleep } from 'node:timers/promises';
import { hasReason } from '#base/status-error.ts';
import type { Cluster as ClusterMessage } from '#gen/proto/kairship/api/cluster/v1alpha1/cluster_pb.ts';
import { ClusterService } from '#gen/proto/kairship/api/cluster/v1alpha1/cluster_service_pb.ts';
import { TaintEffect } from '#gen/proto/kairship/api/types/v1alpha1/types_pb.ts';
import { ClusterService as InventoryService } from '#gen/proto/kpanda/api/cluster/v1alpha1/cluster_service_pb.ts';
import type { Cluster } from '#karmada/apis/index.ts';
import { CLUSTER } from '#karmada/apis/resources.ts';
import { ageOf } from '#kube/meta/age.ts';
import { connected, type Connection, type ConnectionOptions } from '../cli/connection.ts';
import { CommandFailure, EXIT, usageFailure } from '../cli/failure.ts';
import { follow } from '../cli/follow.ts';
import { labelChanges } from '../cli/options.ts';
import type { Listed, ListOptions } from '../cli/output.ts';
import { confirm } from '../cli/prompt.ts';
import { note, progress } from '../cli/screen.ts';
import { selfContainedKubeconfig } from '../cli/self-contained-kubeconfig.ts';
import { newAgentToken, until } from './agent-token.ts';
import { conditionOf, isCordoned, isReady, nodesText, readyText, share, taintText } from './words.ts';

const CLUSTERS: Listed<Cluster> = {
  kind: 'cluster',
  name: ({ metadata }) => metadata.name,
  object: (cluster) => cluster,
  labels: ({ metadata }) => metadata.labels ?? {},
  columns: [
    { head: 'NAME', of: ({ metadata }) => metadata.name },
    { head: 'READY', of: (cluster) => (isCordoned(cluster) ? `${readyText(cluster)}, cordoned` : readyText(cluster)) },
    { head: 'VERSION', of: ({ status }) => status?.kubernetesVersion ?? '' },
    { head: 'MODE', of: ({ spec }) => spec.syncMode },
    { head: 'PROVIDER', of: ({ spec }) => spec.provider ?? '' },
    { head: 'REGION', of: ({ spec }) => spec.region ?? '' },
    { head: 'ZONE', of: ({ spec }) => spec.zones?.join(',') ?? spec.zone ?? '', wide: true },
    { head: 'CPU', of: (cluster) => share(cluster, 'cpu') },
    { head: 'MEMORY', of: (cluster) => share(cluster, 'memory') },
    { head: 'NODES', of: nodesText },
    { head: 'TAINTS', of: ({ spec }) => (spec.taints ?? []).map(taintText).join(','), wide: true },
    { head: 'ENDPOINT', of: ({ spec }) => spec.apiEndpoint ?? '', wide: true },
    { head: 'AGE', of: ({ metadata }) => ageOf(metadata.creationTimestamp, Date.now()) },
  ],
};

export function listClusters(options: ConnectionOptions & ListOptions): Promise<void> {
  return connected(options, async (on) => {
    const client = on.kube(await on.theInstance());
    const ask = async () => (await client.list<Cluster>(CLUSTER)).items;
    await follow(
      CLUSTERS,
      ask,
      options,
      'There are no clusters. Add one: kairship cluster join NAME --kubeconfig FILE',
    );
  });
}

export interface JoinOptions extends ConnectionOptions {
  readonly kubeconfig?: string;
  readonly kubeContext?: string;
  readonly provider?: string;
  readonly region?: string;
  readonly zone?: string;
  readonly label: readonly string[];
  readonly pull?: boolean;
  readonly wait: boolean;
  readonly timeout: number;
}

export function joinCluster(name: string, options: JoinOptions): Promise<void> {
  if (options.pull) return joinByAgent(name, options);
  return connected(options, async (on) => {
    const instance = await on.theInstance();
    const lines = progress();
    if (options.kubeconfig !== undefined) {
      lines.set(name, `${name}  ▸ looking at the cluster`);
      await importCluster(on, name, options);
      lines.set(name, `${name}  ▸ imported ▸ joining ${instance}`);
    }
    await on
      .rpc(ClusterService)
      .joinCluster({ instance, name })
      .catch((error: unknown) => {
        throw hasReason(error, 'NotFound') && error.message.startsWith('clusters.kpanda.io') ? unknown(name) : error;
      });
    lines.set(name, `${name}  ▸ joined ${instance}${options.wait ? ' ▸ waiting until it is ready' : ''}`);
    if (options.wait) await untilReady(on, instance, name, options.timeout);
    lines.end(false);
    note(`cluster/${pc.bold(name)} joined ${instance}${options.wait ? ', and is ready' : ''}.`);
    note(pc.dim(`  Next: kairship get nodes -C ${name}`));
  });
}

/** Its agent does the rest: what starts it is the one thing on stdout, so that it can be sent there. */
function joinByAgent(name: string, options: JoinOptions): Promise<void> {
  return connected(options, async (on) => {
    const instance = await on.theInstance();
    const { command, expiresAt } = await newAgentToken(on, instance, name);
    note(`cluster/${pc.bold(name)} waits for its agent. Where the cluster can be reached, run ${until(expiresAt)}:\n`);
    process.stdout.write(`${agentCommand(command, options)}\n`);
    if (!options.wait) return;
    const lines = progress();
    lines.set(name, `${name}  ▸ waiting for its agent`);
    await untilReady(on, instance, name, options.timeout);
    lines.end(false);
    note(`\ncluster/${pc.bold(name)} joined ${instance} by its agent, and is ready.`);
    note(pc.dim(`  Next: kairship get nodes -C ${name}`));
  });
}

/** With what was said of the cluster here, so that it need not be said again there. */
export function agentCommand(
  command: string,
  { kubeconfig, kubeContext, provider, region, zone, label }: Omit<JoinOptions, 'wait' | 'timeout'>,
): string {
  const flags = [
    ...(kubeContext === undefined ? [] : ['--kube-context', kubeContext]),
    ...(provider === undefined ? [] : ['--provider', provider]),
    ...(region === undefined ? [] : ['--region', region]),
    ...(zone === undefined ? [] : ['--zone', zone]),
    ...label.flatMap((each) => ['--label', each]),
  ];
  return [command.replace('FILE', shellWord(kubeconfig ?? 'FILE')), ...flags.map(shellWord)].join(' ');
}

const shellWord = (text: string) => (/^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`);

function unknown(name: string): CommandFailure {
  return new CommandFailure(`there is no cluster "${name}" in the inventory`, {
    why: 'the platform must know how to reach it',
    next: `kairship cluster join ${name} --kubeconfig FILE`,
    code: EXIT.notFound,
  });
}

async function importCluster(on: Connection, name: string, options: JoinOptions): Promise<void> {
  const { provider = '', region = '', zone = '' } = options;
  const kubeconfig = await selfContainedKubeconfig(name, options);
  try {
    const labels = labelChanges(options.label).set;
    await on.rpc(InventoryService).createCluster({ name, kubeconfig, provider, region, zone, labels });
  } catch (error) {
    if (!hasReason(error, 'AlreadyExists')) throw outOfReach(name, error);
    note(`cluster ${name} is in the inventory already; its credential there is used`);
  }
}

/** Where the platform has no way to it, its agent may have one to the platform. */
function outOfReach(name: string, error: unknown): unknown {
  if (!(error instanceof Error) || !/cannot be reached|did not answer|ECONN|ENOTFOUND|EHOSTUNREACH/.test(error.message))
    return error;
  return new CommandFailure(`the platform does not reach cluster "${name}"`, {
    why: error.message,
    next: `kairship cluster join ${name} --pull, if the cluster can reach the platform`,
    cause: error,
  });
}

async function untilReady(on: Connection, instance: string, name: string, withinMs: number): Promise<void> {
  const client = on.kube(instance);
  const until = Date.now() + withinMs;
  for (;;) {
    const cluster = await client.get<Cluster>(CLUSTER, { name });
    if (isReady(cluster)) return;
    if (Date.now() > until)
      throw new CommandFailure(`cluster "${name}" is not ready yet`, {
        why: `pending: ${conditionOf(cluster, 'Ready')?.message ?? 'the instance has not heard of it'}`,
        next: `kairship cluster list -i ${instance}; kairship doctor`,
        code: EXIT.timedOut,
      });
    await sleep(300);
  }
}

/** Reads a member, and changes it as `edit` says; tried again when somebody else was quicker. */
async function change(
  on: Connection,
  name: string,
  edit: (cluster: Cluster) => Pick<Partial<ClusterChange>, 'labels' | 'taints'>,
): Promise<void> {
  const instance = await on.theInstance();
  for (let attempt = 1; ; attempt++) {
    const current = await on.kube(instance).get<Cluster>(CLUSTER, { name });
    const { labels, taints } = edit(current);
    try {
      await on.rpc(ClusterService).updateJoinedCluster({
        instance,
        name,
        cluster: {
          ...(labels ? { metadata: { name, labels: { ...labels } } } : {}),
          ...(taints ? { spec: { taints: taints.map(taintMessage) } } : {}),
        } as ClusterMessage,
      });
      return;
    } catch (error) {
      if (!hasReason(error, 'Conflict') || attempt === 5) throw error;
    }
  }
}

interface ClusterChange {
  readonly labels: Readonly<Record<string, string>>;
  readonly taints: readonly Taint[];
}

type Taint = NonNullable<Cluster['spec']['taints']>[number];

const EFFECTS = ['NoSchedule', 'PreferNoSchedule', 'NoExecute'] as const;

const taintMessage = ({ key, value = '', effect }: Taint) => ({
  key,
  value,
  effect: TaintEffect[effect as (typeof EFFECTS)[number]],
});

const CORDON: Taint = { key: 'cluster.karmada.io/unschedulable', effect: 'NoSchedule' };

export function cordon(names: readonly string[], options: ConnectionOptions): Promise<void> {
  return connected(options, async (on) => {
    for (const name of names) {
      await change(on, name, ({ spec }) => ({ taints: [...withoutTaint(spec.taints, CORDON), CORDON] }));
      note(`cluster/${name} cordoned: nothing new is placed there`);
    }
  });
}

export function uncordon(names: readonly string[], options: ConnectionOptions): Promise<void> {
  return connected(options, async (on) => {
    for (const name of names) {
      await change(on, name, ({ spec }) => ({ taints: withoutTaint(spec.taints, CORDON) }));
      note(`cluster/${name} takes something again`);
    }
  });
}

export function taint(name: string, words: readonly string[], options: ConnectionOptions): Promise<void> {
  return connected(options, async (on) => {
    const changes = words.map(taintFrom);
    await change(on, name, ({ spec }) => ({
      taints: changes.reduce<readonly Taint[]>(
        (taints, { remove, ...wanted }) =>
          remove ? withoutTaint(taints, wanted) : [...withoutTaint(taints, wanted), wanted as Taint],
        spec.taints ?? [],
      ),
    }));
    note(`cluster/${name} tainted: ${words.join(' ')}`);
  });
}

/** `key=value:NoSchedule`, `key:NoExecute`; with a `-` behind it, or a bare `key-`, one to take away. */
export function taintFrom(word: string): {
  readonly key: string;
  readonly value?: string;
  readonly effect?: Taint['effect'];
  readonly remove: boolean;
} {
  const [, key = '', value, effect, minus] = /^([^=:]+?)(?:=([^:]*?))?(?::(\w+))?(-)?$/.exec(word) ?? [];
  const known = EFFECTS.find((each) => each === effect);
  if (key === '' || (effect !== undefined && !known) || (!known && minus === undefined))
    throw usageFailure(
      `"${word}" is no taint`,
      `say KEY=VALUE:EFFECT, or KEY- to remove it; effects are ${EFFECTS.join(', ')}`,
      'kairship cluster taint NAME maintenance=true:NoSchedule',
    );
  return { key, ...(value ? { value } : {}), ...(known ? { effect: known } : {}), remove: minus !== undefined };
}

const withoutTaint = (
  taints: readonly Taint[] | undefined,
  { key, effect }: { key: string; effect?: string | undefined },
) => (taints ?? []).filter((each) => each.key !== key || (effect !== undefined && each.effect !== effect));

export function label(name: string, words: readonly string[], options: ConnectionOptions): Promise<void> {
  return connected(options, async (on) => {
    const { set, remove } = labelChanges(words);
    await change(on, name, ({ metadata }) => {
      const kept = Object.entries(metadata.labels ?? {}).filter(([key]) => !remove.includes(key));
      return { labels: { ...Object.fromEntries(kept), ...set } };
    });
    note(`cluster/${name} labelled: ${words.join(' ')}`);
  });
}

export interface RemoveOptions extends ConnectionOptions {
  readonly yes?: boolean;
  readonly force: boolean;
  readonly forget: boolean;
  readonly wait: boolean;
  readonly timeout: number;
}

export function removeClusters(names: readonly string[], options: RemoveOptions): Promise<void> {
  return connected(options, async (on) => {
    const instance = await on.theInstance();
    for (const name of names) {
      await on.kube(instance).get<Cluster>(CLUSTER, { name });
      if (
        !(await confirm(`Take ${name} out of ${instance}? What runs there for ${instance} moves or ends.`, options.yes))
      )
        throw usageFailure(`cluster "${name}" stays`, 'the answer was no', `kairship rehearse --lose ${name}`);
      await on.rpc(ClusterService).removeJoinedCluster({ instance, name, force: options.force });
      if (options.wait) await untilGone(on, instance, name, options.timeout);
      if (options.forget) await on.rpc(InventoryService).deleteCluster({ name });
      note(`cluster/${name} left ${instance}${options.forget ? ', and the inventory' : ''}`);
    }
  });
}

async function untilGone(on: Connection, instance: string, name: string, withinMs: number): Promise<void> {
  const client = on.kube(instance);
  const until = Date.now() + withinMs;
  const lines = progress();
  lines.set(name, `${name}  ▸ leaving ${instance}`);
  try {
    while (Date.now() < until) {
      await client.get<Cluster>(CLUSTER, { name });
      await sleep(300);
    }
  } catch (error) {
    if (hasReason(error, 'NotFound')) return;
    throw error;
  } finally {
    lines.end(false);
  }
  throw new CommandFailure(`cluster "${name}" has not left yet`, {
    why: 'what runs there has not been taken out: the cluster may not answer',
    next: `kairship cluster remove ${name} --force`,
    code: EXIT.timedOut,
  });
}
