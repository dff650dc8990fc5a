/** The shells that are open, in the global cluster: every replica knows them. Those whose time is over are none. */
import type { Clock } from '#base/clock.ts';
import { isObject } from '#base/json.ts';
import { hasReason } from '#base/status-error.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { INSTANCE_NAMESPACE } from '../../instances/instance.ts';
import { CONFIG_MAP } from '../kinds.ts';

export interface Shell {
  readonly name: string;
  readonly instance: string;
  readonly user: string;
  readonly createdAt: number;
  readonly endsAt: number;
  readonly spec: {
    readonly commandAction: string;
    readonly once: boolean;
    readonly ttl: number;
    readonly cleanup: boolean;
  };
}

export interface ShellStore {
  create(shell: Shell): Promise<void>;
  find(name: string): Promise<Shell | undefined>;
  of(user: string): Promise<readonly Shell[]>;
  /** Lets it live for another while. */
  renew(shell: Shell): Promise<void>;
  remove(name: string): Promise<void>;
}

const LABEL = 'kairship.io/cloudshell';
const KEY = 'shell';

export function shellStore(client: KubeClient, clock: Clock): ShellStore {
  const at = (name: string) => ({ namespace: INSTANCE_NAMESPACE, name });
  const body = (shell: Shell) => ({ [KEY]: JSON.stringify(shell) });

  async function remove(name: string): Promise<void> {
    await client.delete(CONFIG_MAP, at(name)).catch((error: unknown) => {
      if (!hasReason(error, 'NotFound')) throw error;
    });
  }

  async function alive(object: KubeObject): Promise<readonly Shell[]> {
    const shell = shellIn(object);
    if (shell && shell.endsAt > clock.now()) return [shell];
    await remove(object.metadata.name);
    return [];
  }

  return {
    async create(shell) {
      const metadata = { ...at(shell.name), labels: { [LABEL]: 'true' } };
      await client.create(CONFIG_MAP, { apiVersion: 'v1', kind: 'ConfigMap', metadata, data: body(shell) });
    },
    async find(name) {
      try {
        const object = await client.get(CONFIG_MAP, at(name));
        return object.metadata.labels?.[LABEL] === 'true' ? (await alive(object))[0] : undefined;
      } catch (error) {
        if (hasReason(error, 'NotFound')) return undefined;
        throw error;
      }
    },
    async of(user) {
      const { items } = await client.list(CONFIG_MAP, {
        namespace: INSTANCE_NAMESPACE,
        labelSelector: `${LABEL}=true`,
      });
      return (await Promise.all(items.map(alive))).flat().filter((shell) => shell.user === user);
    },
    async renew(shell) {
      const data = body({ ...shell, endsAt: clock.now() + shell.spec.ttl * 1000 });
      await client.patch(CONFIG_MAP, at(shell.name), { type: 'merge', body: { data } });
    },
    remove,
  };
}

function shellIn(object: KubeObject): Shell | undefined {
  const data = isObject(object['data']) ? object['data'] : {};
  try {
    const found: unknown = JSON.parse(String(data[KEY]));
    return isObject(found) ? (found as unknown as Shell) : undefined;
  } catch {
    return undefined;
  }
}
