/**
 * One connection per instance, found by its name, kept in step with the global cluster.
 *
 * Instances and the Secrets with their kubeconfigs are watched: a new instance can be reached as soon as it has
 * published its credentials, a changed Secret replaces the connection, a deleted instance loses it. A connection is
 * never shared between instances.
 */
import type { Secret } from '#gen/kube/types.ts';
import type { Log } from '#base/log.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import { parseKubeconfig } from '#kube/client/kubeconfig.ts';
import { clusterConfig } from '#kube/client/load-config.ts';
import { type Transport, transport } from '#kube/client/transport.ts';
import { informer } from '#kube/runtime/informer.ts';
import { INSTANCE_NAMESPACE, INSTANCES, type Instance, KUBECONFIG_KEY } from '../instances/instance.ts';
import { KARMADA_CONFIG_KEY } from '../instances/karmada.ts';

const SECRETS = { group: '', version: 'v1', resource: 'secrets' };

export interface InstancePool {
  find(name: string): Transport | undefined;
  /** Resolves when the instances known at the start can be found. */
  readonly ready: Promise<void>;
}

interface Connection {
  /** The credential it was made from; another one means another connection. */
  readonly kubeconfig: string;
  readonly transport: Transport;
}

export function instancePool({
  client,
  log,
  signal,
}: {
  client: KubeClient;
  log: Log;
  signal: AbortSignal;
}): InstancePool {
  const instances = informer<Instance>(client, INSTANCES, {}, { signal, log });
  const secrets = informer<Secret>(client, SECRETS, { namespace: INSTANCE_NAMESPACE }, { signal, log });
  const connections = new Map<string, Connection>();
  // Changes are taken one after the other: two connections for one name must not race.
  let turn: Promise<void> = Promise.resolve();

  function kubeconfigOf(instance: Instance): string | undefined {
    const { secretRef } = instance.status ?? {};
    const secret = secretRef ? secrets.get(`${secretRef.namespace}/${secretRef.name}`) : undefined;
    const encoded = secret?.data?.[KUBECONFIG_KEY] ?? secret?.data?.[KARMADA_CONFIG_KEY];
    return encoded === undefined ? undefined : Buffer.from(encoded, 'base64').toString();
  }

  async function refresh(name: string): Promise<void> {
    const instance = instances.get(name);
    const kubeconfig = instance ? kubeconfigOf(instance) : undefined;
    const known = connections.get(name);
    if (known?.kubeconfig === kubeconfig) return;
    if (kubeconfig === undefined) {
      connections.delete(name);
    } else {
      const config = await clusterConfig(parseKubeconfig(kubeconfig), { trusted: false });
      connections.set(name, { kubeconfig, transport: transport(config) });
    }
    known?.transport.close();
    log.info(kubeconfig === undefined ? 'instance can no longer be reached' : 'instance can be reached', {
      instance: name,
    });
  }

  function enqueue(name: string): void {
    turn = turn
      .then(() => refresh(name))
      .catch((error: unknown) => log.error('instance has no usable credentials', { instance: name, error }));
  }

  const all = () => instances.list().forEach(({ metadata }) => enqueue(metadata.name));
  instances.subscribe(({ object }) => enqueue(object.metadata.name));
  secrets.subscribe(all);
  signal.addEventListener('abort', () => connections.forEach(({ transport: open }) => open.close()), { once: true });

  const ready = Promise.all([instances.synced, secrets.synced]).then(() => {
    all();
    return turn;
  });
  return { ready, find: (name) => connections.get(name)?.transport };
}
