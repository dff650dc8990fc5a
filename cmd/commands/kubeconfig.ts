/**
 * `kairship kubeconfig` and `kairship use`: kubectl, on instances and their members.
 *
 * All contexts go through the platform's entrance, so that rights and records are kept. Their user is a program that
 * kubectl calls (`kairship token`), so that nothing in the file ends or has to be kept secret; `--static` embeds a token
 * that ends instead, for machines without this command.
 */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import pc from 'picocolors';
import { parse } from 'yaml';
import { InstanceService } from '#gen/proto/kairship/api/instance/v1alpha1/instance_service_pb.ts';
import type { Cluster } from '#karmada/apis/index.ts';
import { CLUSTER } from '#karmada/apis/resources.ts';
import type { Kubeconfig } from '#kube/client/kubeconfig.ts';
import { allPages } from '../cli/all-pages.ts';
import { connected, type Connection, type ConnectionOptions, instanceUrl, memberPath } from '../cli/connection.ts';
import { findContext, readContexts, saveContexts } from '../cli/contexts.ts';
import { CommandFailure, EXIT, usageFailure } from '../cli/failure.ts';
import { changeFile, fileForNewEntries, kubeconfigPaths } from '../cli/kubeconfig-file.ts';
import {
  hasContext,
  mergeInto,
  type OwnEntry,
  type OwnUser,
  setsCurrentContext,
  withCurrentContext,
} from '../cli/merged-kubeconfig.ts';
import { write } from '../cli/output.ts';
import { note, warn } from '../cli/screen.ts';

export interface KubeconfigOptions extends ConnectionOptions {
  readonly merge: boolean;
  readonly members: boolean;
  readonly static: boolean;
  readonly ttl?: number;
  readonly prefix: string;
}

export function kubeconfig(name: string | undefined, options: KubeconfigOptions): Promise<void> {
  if (options.ttl !== undefined && !options.static)
    throw usageFailure('--ttl is for embedded tokens', 'without --static no token is embedded', 'add --static');
  return connected({ ...options, ...(name === undefined ? {} : { instance: name }) }, async (on) => {
    const instances =
      name === undefined && options.instance === undefined ? await allInstances(on) : [await on.theInstance()];
    const { entries, users } = await ours(on, instances, options);
    if (!options.merge) {
      const { text } = mergeInto('', entries, users);
      return write(withCurrentContext(text, entries[0]?.name ?? ''));
    }
    const file = await fileForNewEntries();
    await mergeIntoFile(file, entries, users);
    note(`${file} has ${entries.map((entry) => pc.bold(entry.name)).join(', ')}`);
    note(pc.dim(`  Next: kairship use ${entries[0]?.name ?? ''}; kubectl get deployments`));
  });
}

async function mergeIntoFile(file: string, entries: readonly OwnEntry[], users: readonly OwnUser[]): Promise<void> {
  await changeFile(file, (text) => {
    const { text: after, moved, removed } = mergeInto(text, entries, users);
    for (const name of moved) warn(`context ${name} pointed to another address before`);
    for (const name of removed) note(`context ${name} stands for nothing any more and is gone`);
    return after;
  });
}

async function allInstances(on: Connection): Promise<readonly string[]> {
  const items = await allPages((page) => on.rpc(InstanceService).listInstances(page));
  const names = items.map(({ metadata }) => metadata?.name ?? '');
  if (names.length > 0) return names;
  throw new CommandFailure('there is no instance', {
    why: 'none was created, or you may see none',
    next: 'kairship instance create NAME',
    code: EXIT.notFound,
  });
}

interface Ours {
  readonly entries: readonly OwnEntry[];
  readonly users: readonly OwnUser[];
}

async function ours(on: Connection, instances: readonly string[], options: KubeconfigOptions): Promise<Ours> {
  // A context for what is not there would fail only later, in kubectl.
  await Promise.all(instances.map((name) => on.rpc(InstanceService).getInstance({ name })));
  const { prefix } = options;
  const host = new URL(on.server).host;
  const shared = `${prefix}kairship@${host}`;
  const userOf = (instance: string) => (options.static ? `${shared}/${instance}` : shared);
  const entries = await Promise.all(
    instances.map(async (instance): Promise<readonly OwnEntry[]> => {
      const server = instanceUrl(on.server, instance);
      const common = { ...(on.ca === undefined ? {} : { ca: on.ca }), user: userOf(instance), instance };
      const members = options.members ? await membersOf(on, instance) : [];
      return [
        { name: prefix + instance, server, ...common },
        ...members.map((cluster) => ({
          name: `${prefix}${instance}/${cluster}`,
          server: server + memberPath(cluster),
          ...common,
          cluster,
        })),
      ];
    }),
  );
  const users = options.static
    ? await Promise.all(instances.map((instance) => staticUser(on, instance, userOf(instance), options.ttl)))
    : [{ name: shared, credential: { exec: await plugin(on) } }];
  return { entries: entries.flat(), users };
}

async function membersOf(on: Connection, instance: string): Promise<readonly string[]> {
  const { items } = await on.kube(instance).list<Cluster>(CLUSTER);
  return items.map(({ metadata }) => metadata.name);
}

/** Asks the platform for a token that opens this instance and nothing else. */
async function staticUser(on: Connection, instance: string, name: string, ttl = 0): Promise<OwnUser> {
  const { kubeConfigString } = await on
    .rpc(InstanceService)
    .createInstanceAdminKubeConfig({ instance, expirationSeconds: Math.round(ttl / 1000) });
  const { users = [] } = parse(kubeConfigString) as Kubeconfig;
  return { name, credential: { token: users[0]?.user?.token ?? '' } };
}

/** How kubectl gets a token: this same command, finding the same platform from any folder. */
async function plugin({ found }: Connection): Promise<object> {
  const [flag = '', value = '', ...rest] = found;
  if (flag === '--server')
    throw usageFailure(
      'kubectl could not sign in by itself',
      'the platform was named with --server and a token, which kubectl would not know',
      'kairship login URL first, or embed a token with --static',
    );
  const args = ['token', flag, flag === '--data-dir' ? resolve(value) : value, ...rest];
  return {
    apiVersion: 'client.authentication.k8s.io/v1',
    command: resolve(import.meta.dirname, '..', '..', 'bin', 'kairship'),
    args,
    interactiveMode: 'IfAvailable',
  };
}

export async function use(reference: string, options: ConnectionOptions): Promise<void> {
  const [instance = '', cluster, ...more] = reference.split('/');
  if (instance === '' || cluster === '' || more.length > 0)
    throw usageFailure(
      `"${reference}" names no context`,
      'say INSTANCE or INSTANCE/CLUSTER',
      'kairship use demo/frankfurt',
    );
  const paths = kubeconfigPaths();
  if (!(await holding(paths, (text) => hasContext(text, reference))))
    await addContext(reference, instance, cluster, options);
  const file = (await holding(paths, setsCurrentContext)) ?? (await fileForNewEntries(paths));
  await changeFile(file, (text) => withCurrentContext(text, reference));
  await rememberInstance(instance, options);
  note(`kubectl now speaks to ${pc.bold(reference)} (${file})`);
}

async function addContext(
  reference: string,
  instance: string,
  cluster: string | undefined,
  options: ConnectionOptions,
): Promise<void> {
  const wanted = { ...options, instance, merge: true, members: cluster !== undefined, static: false, prefix: '' };
  await connected(wanted, async (on) => {
    const { entries, users } = await ours(on, [instance], wanted);
    if (!entries.some(({ name }) => name === reference))
      throw new CommandFailure(`there is no cluster "${cluster}" in ${instance}`, {
        why: `there are ${entries.flatMap((entry) => entry.cluster ?? []).join(', ') || 'none'}`,
        next: `kairship cluster list -i ${instance}`,
        code: EXIT.notFound,
      });
    await mergeIntoFile(await fileForNewEntries(), entries, users);
  });
}

/** The first of the files of which something holds. */
async function holding(paths: readonly string[], holds: (text: string) => boolean): Promise<string | undefined> {
  for (const path of paths) {
    const text = await readFile(path, 'utf8').catch(() => '');
    if (text !== '' && holds(text)) return path;
  }
  return undefined;
}

/** So that commands of ours mean the same instance as kubectl. */
async function rememberInstance(instance: string, { context, dataDir, server }: ConnectionOptions): Promise<void> {
  if (dataDir !== undefined || server !== undefined) return;
  const contexts = await readContexts();
  const current = findContext(contexts, context);
  if (!current) return;
  const changed = { ...current, instance };
  await saveContexts({ ...contexts, contexts: contexts.contexts.map((each) => (each === current ? changed : each)) });
}
