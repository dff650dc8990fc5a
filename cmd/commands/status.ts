/** `kairship status`: the whole platform on one screen, and what to look at next. */
import pc from 'picocolors';
import { AccountService } from '#gen/proto/ghippo/api/account/v1alpha1/account_service_pb.ts';
import type { Instance } from '#gen/proto/kairship/api/instance/v1alpha1/instance_pb.ts';
import { InstanceService } from '#gen/proto/kairship/api/instance/v1alpha1/instance_service_pb.ts';
import type { AnyBinding, Cluster } from '#karmada/apis/index.ts';
import { CLUSTER, CLUSTER_RESOURCE_BINDING, RESOURCE_BINDING } from '#karmada/apis/resources.ts';
import { allPages } from '../cli/all-pages.ts';
import { connected, type Connection, type ConnectionOptions } from '../cli/connection.ts';
import { failureOf } from '../cli/failure.ts';
import { type Format, printValue, stateWord, write } from '../cli/output.ts';
import { waiting, warn } from '../cli/screen.ts';
import { table } from '../cli/table.ts';
import { type WorkloadHealth, workloadHealth } from '../cli/workload-health.ts';
import { clusterRow, isReady, stateOf } from './words.ts';

interface InstanceReport {
  readonly instance: Instance;
  readonly clusters: readonly Cluster[];
  readonly workloads: readonly Workload[];
}

interface Workload extends WorkloadHealth {
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
}

export function status(options: ConnectionOptions & { readonly output?: Format }): Promise<void> {
  return connected(options, async (on) => {
    const [user, reports] = await waiting(
      `asking ${on.server}`,
      Promise.all([on.rpc(AccountService).getUser({}), reportAll(on, options.instance)]),
    );
    const { output } = options;
    if (output && output.type !== 'table') return printValue(asValue(on, user.name, reports), output);
    write([headline(on, user.name), '', ...reports.flatMap(paragraph), ...next(reports)].join('\n'));
  });
}

async function reportAll(on: Connection, only: string | undefined): Promise<readonly InstanceReport[]> {
  const items = await allPages((page) => on.rpc(InstanceService).listInstances(page));
  const wanted = items.filter(({ metadata }) => only === undefined || metadata?.name === only);
  const byName = wanted.toSorted((a, b) => ((a.metadata?.name ?? '') < (b.metadata?.name ?? '') ? -1 : 1));
  return Promise.all(byName.map((instance) => report(on, instance)));
}

async function report(on: Connection, instance: Instance): Promise<InstanceReport> {
  const name = instance.metadata?.name ?? '';
  const client = on.kube(name);
  try {
    const [clusters, bindings, wide] = await Promise.all([
      client.list<Cluster>(CLUSTER),
      client.list<AnyBinding>(RESOURCE_BINDING),
      client.list<AnyBinding>(CLUSTER_RESOURCE_BINDING),
    ]);
    return {
      instance,
      clusters: clusters.items,
      workloads: [...bindings.items, ...wide.items].map(workload).filter(isOfPeople),
    };
  } catch (error) {
    warn(`instance ${name} does not answer: ${failureOf(error).lines[0]?.replace('Error: ', '') ?? ''}`);
    return { instance, clusters: [], workloads: [] };
  }
}

function workload(binding: AnyBinding): Workload {
  const { kind, name, namespace } = binding.spec.resource;
  return { kind, name, ...(namespace ? { namespace } : {}), ...workloadHealth(binding) };
}

/** What the platform itself distributes is not for people to look after. */
const isOfPeople = ({ name }: Workload) => !name.startsWith('kairship:');

const headline = (on: Connection, user: string) =>
  `${pc.bold('Kairship')} at ${on.server} ${pc.dim(`(${on.because})`)}, signed in as ${pc.bold(user)}`;

function paragraph({ instance, clusters, workloads }: InstanceReport): readonly string[] {
  const ill = workloads.filter(({ word }) => word !== 'Healthy');
  const ready = clusters.filter(isReady).length;
  const facts = [
    stateWord(stateOf(instance)),
    `Karmada ${instance.status?.karmadaVersion || 'unknown'}`,
    `${ready}/${clusters.length} clusters ready`,
    `${workloads.length - ill.length}/${workloads.length} applications healthy`,
  ];
  const columns = ['CLUSTER', 'READY', 'VERSION', 'PROVIDER', 'REGION', 'CPU', 'MEMORY', 'NODES'];
  return [
    `${pc.bold(instance.metadata?.name ?? '')}  ${facts.join('  ')}`,
    ...(clusters.length > 0 ? [indented(table(columns, clusters.map(clusterRow)))] : []),
    ...(ill.length > 0 ? ['', indented(table(['APPLICATION', 'STATE', 'BECAUSE'], ill.map(illRow)))] : []),
    '',
  ];
}

const illRow = ({ kind, namespace, name, word, sentence }: Workload) => [
  `${kind.toLowerCase()}/${name}${namespace ? ` (${namespace})` : ''}`,
  word === 'Progressing' ? pc.yellow(word) : pc.red(word),
  sentence,
];

const indented = (text: string) => text.replaceAll(/^(?=.)/gm, '  ');

/** One or two commands that go on from here. */
function next(reports: readonly InstanceReport[]): readonly string[] {
  const [first] = reports;
  if (!first) return [`Next: ${pc.cyan('kairship instance create NAME')}`];
  if (reports.every(({ clusters }) => clusters.length === 0))
    return [`Next: ${pc.cyan('kairship cluster join NAME --kubeconfig FILE')}`];
  const ill = reports.flatMap(({ workloads }) => workloads).find(({ word }) => word !== 'Healthy');
  if (ill) {
    const where = ill.namespace && ill.namespace !== 'default' ? ` -n ${ill.namespace}` : '';
    const about = `${ill.kind.toLowerCase()}/${ill.name}${where}`;
    return [`Next: ${pc.cyan(`kairship why ${about}`)}, ${pc.cyan(`kairship trace ${about}`)}`];
  }
  return [`Next: ${pc.cyan('kairship get pods -A')}, ${pc.cyan('kairship open')}`];
}

function asValue(on: Connection, user: string, reports: readonly InstanceReport[]): unknown {
  return {
    server: on.server,
    user,
    instances: reports.map(({ instance, clusters, workloads }) => ({
      name: instance.metadata?.name,
      state: stateOf(instance),
      karmadaVersion: instance.status?.karmadaVersion,
      clusters: clusters.map((cluster) => ({ name: cluster.metadata.name, ready: isReady(cluster) })),
      workloads,
    })),
  };
}
