/** Makes a platform of what runs: members in the inventory and in the instance, the sample, the administrator's files. */
import { readFile } from 'node:fs/promises';
import { resolve } from 'node:path';
import { text } from 'node:stream/consumers';
import { parseAllDocuments } from 'yaml';
import { sleep, systemClock } from '#base/clock.ts';
import { hasReason, StatusError } from '#base/status-error.ts';
import type { DataDirectory } from '#kairship/local/data-directory.ts';
import { memberPath } from '#kairship/proxy/instance-client.ts';
import { type ClusterAdmission, clusterAdmission } from '#kpanda/registry/index.ts';
import { type HttpClient, httpClient } from '#kube/client/http-client.ts';
import { kubeconfigFor, saveKubeconfig } from '#kube/client/kubeconfig.ts';
import { loadKubeconfig } from '#kube/client/load-config.ts';
import { restMapper } from '#kube/client/rest-mapper.ts';
import { type Transport, transport } from '#kube/client/transport.ts';
import { gvkOf } from '#kube/meta/gvk.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { writePrivate } from '#kube/pki/private-file.ts';
import type { Member } from './members.ts';

const SAMPLE = resolve(import.meta.dirname, '../../docs/examples/storefront.yaml');

export interface Connected {
  readonly directory: DataDirectory;
  /** Absent when its owner has deleted it: then nothing joins it. */
  readonly instance: string | undefined;
  readonly members: readonly Member[];
  readonly token: string;
  readonly port: number;
  readonly signal: AbortSignal;
}

/** All of it can be done again. */
export async function connect(parts: Connected): Promise<void> {
  const { directory, instance, members, token, port, signal } = parts;
  const global = httpClient(await loadKubeconfig(directory.at('platform', 'kubeconfig')));
  const ca = await readFile(directory.at('platform', 'pki', 'ca.crt'), 'utf8');
  const door = transport({ server: `https://127.0.0.1:${port}`, ca, token });
  try {
    const inventory = clusterAdmission({ client: global });
    const joined = members.map((member) =>
      patiently(async () => {
        const kubeconfig = await readFile(directory.at('members', member.name, 'kubeconfig'), 'utf8');
        await importOnce(inventory, member, kubeconfig);
        // Once only: who has taken it out since, or given it to another instance, has meant it.
        if (instance !== undefined)
          await directory.once(`joined-${member.name}`, () => joinOnce(door, instance, member.name));
      }, signal),
    );
    await Promise.all([...joined, applySample(parts), writeAdminFiles(parts, ca)]);
  } finally {
    for (const each of [global, door]) each.close();
  }
}

async function applySample({ directory, instance, members }: Connected): Promise<void> {
  if (instance === undefined || members.length === 0) return;
  await directory.once('sample', async () => {
    const control = httpClient(await loadKubeconfig(directory.at('instances', instance, 'kubeconfig')));
    await applyFile(control, SAMPLE).finally(() => control.close());
  });
}

/** Puts a cluster into the inventory; one that is there may have moved to another port. */
async function importOnce(inventory: ClusterAdmission, member: Member, kubeconfig: string): Promise<void> {
  try {
    await inventory.importCluster({ ...member, kubeconfig });
  } catch (error) {
    if (!hasReason(error, 'AlreadyExists')) throw error;
    await inventory.rotate(member.name, kubeconfig);
  }
}

const WITHIN_MS = 120_000;
const AGAIN_MS = 100;

/** What has just been started may not know everything yet, or be too busy to answer in time. */
async function patiently(action: () => Promise<void>, signal: AbortSignal): Promise<void> {
  const until = systemClock.now() + WITHIN_MS;
  for (;;) {
    try {
      return await action();
    } catch (error) {
      if (systemClock.now() > until) throw error;
      await sleep(systemClock, AGAIN_MS, signal);
    }
  }
}

/** Asks the platform to join a cluster, as anybody would. */
async function joinOnce(door: Transport, instance: string, name: string): Promise<void> {
  const path = `/apis/kairship.io/v1alpha1/instances/${instance}/clusters/${name}`;
  const headers = { 'content-type': 'application/json' };
  const response = await door.send({ method: 'POST', path, headers, body: '{}' });
  const answer = await text(response);
  const { statusCode = 0 } = response;
  if (statusCode < 300 || statusCode === 409) return;
  throw new StatusError('InternalError', `cluster "${name}" cannot join: ${statusCode} ${answer}`);
}

async function applyFile(client: HttpClient, path: string): Promise<void> {
  const mapper = restMapper(client);
  for (const document of parseAllDocuments(await readFile(path, 'utf8'))) {
    const object = document.toJS() as KubeObject;
    const { group, version, resource } = await mapper.byKind(gvkOf(object));
    await client.apply({ group, version, resource }, object, { fieldManager: 'kairship-up', force: true });
  }
}

/** The instance first: it is what kubectl asks when nobody says otherwise. All of them through the one entrance. */
async function writeAdminFiles({ directory, instance, members, token, port }: Connected, ca: string): Promise<void> {
  await writePrivate(directory.at('ca.crt'), ca);
  const entrance = `https://127.0.0.1:${port}`;
  const global = { name: 'global', server: `${entrance}/global/kube`, ca, token };
  const server = `${entrance}/instances/${instance}/kube`;
  const behind = members.map(({ name }) => ({
    name: `${instance}/${name}`,
    server: server + memberPath(name),
    ca,
    token,
  }));
  const config =
    instance === undefined
      ? kubeconfigFor(global)
      : kubeconfigFor({ name: instance, server, ca, token }, ...behind, global);
  await saveKubeconfig(directory.at('admin.kubeconfig'), config);
}
