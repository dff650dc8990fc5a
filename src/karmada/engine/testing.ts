/** What tests of the engine share: a control plane and members on fresh stores, all in this process. */
import { after } from 'node:test';
import {
  type Cluster,
  CLUSTER,
  type ClusterSpec,
  PROPAGATION_POLICY,
  type PropagationPolicy,
  type PropagationSpec,
} from '#karmada/apis/index.ts';
import { type ApiServer, staticTokens } from '#kube/apiserver/index.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import { controlPlane } from '#kube/control-plane/index.ts';
import type { Gvr } from '#kube/meta/gvk.ts';
import type { KubeObject, ObjectKey } from '#kube/meta/object.ts';
import { memoryStore, type Store } from '#kube/store/index.ts';
import { type KarmadaApiServer, type KarmadaOptions, karmadaApiServer } from './karmada-api-server.ts';

export const DEPLOYMENT: Gvr = { group: 'apps', version: 'v1', resource: 'deployments' };
export const CONFIG_MAP: Gvr = { group: '', version: 'v1', resource: 'configmaps' };
export const NAMESPACE: Gvr = { group: '', version: 'v1', resource: 'namespaces' };
export const SECRET: Gvr = { group: '', version: 'v1', resource: 'secrets' };

const TOKEN = 'engine';
const WITHIN_MS = 60_000;

/** Where to leave what has to be done at the end: a test's context, or something like it. */
export interface Ending {
  after(end: () => unknown): void;
}

export interface TestMember {
  readonly client: KubeClient;
  readonly server: ApiServer;
  readonly url: string;
}

export interface TestPlane {
  readonly karmada: KarmadaApiServer;
  readonly client: KubeClient;
  member(name: string): TestMember;
  /** Another member, joined and ready. */
  join(name: string, spec?: Partial<ClusterSpec>): Promise<TestMember>;
}

/** A control plane with members of these names, all of them ready. */
export async function testPlane(
  t: Ending,
  names: readonly string[] = ['m1', 'm2'],
  options: Partial<KarmadaOptions> = {},
): Promise<TestPlane> {
  const karmada = await startKarmada(t, options.store ?? memoryStore(), options);
  const members = new Map<string, TestMember>();
  const plane: TestPlane = {
    karmada,
    client: karmada.client,
    member(name) {
      const member = members.get(name);
      if (!member) throw new Error(`no member ${name}`);
      return member;
    },
    async join(name, spec = {}) {
      const member = await startMember(t);
      members.set(name, member);
      await register(karmada.client, name, member.url, spec);
      await eventually(async () => {
        const { status } = await karmada.client.get<Cluster>(CLUSTER, { name });
        return status?.conditions?.some(({ type, status: is }) => type === 'Ready' && is === 'True');
      }, `${name} to be ready`);
      return member;
    },
  };
  await Promise.all(names.map((name) => plane.join(name)));
  return plane;
}

export async function startKarmada(
  t: Ending,
  store: Store,
  options: Partial<KarmadaOptions> = {},
): Promise<KarmadaApiServer> {
  const karmada = await karmadaApiServer({ ...options, store });
  t.after(() => karmada.close());
  await karmada.ready;
  return karmada;
}

export async function startMember(t: Ending, store: Store = memoryStore(), port = 0): Promise<TestMember> {
  const authenticators = [staticTokens({ [TOKEN]: { name: 'engine', groups: ['system:masters'] } })];
  const server = await controlPlane({ store, authenticators });
  t.after(() => server.close());
  const { url } = await server.listen({ port });
  return { server, url, client: server.client() };
}

/** The Secret and the Cluster that joining would have made. */
export async function register(
  client: KubeClient,
  name: string,
  apiEndpoint: string,
  spec: Partial<ClusterSpec> = {},
): Promise<void> {
  const namespace = 'karmada-cluster';
  await client
    .create(NAMESPACE, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } })
    .catch(() => undefined);
  await client.create(SECRET, {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { name, namespace },
    data: { token: Buffer.from(TOKEN).toString('base64') },
  });
  await client.create(CLUSTER, {
    apiVersion: CLUSTER.apiVersion,
    kind: 'Cluster',
    metadata: { name },
    spec: {
      syncMode: 'Push',
      apiEndpoint,
      secretRef: { namespace, name },
      impersonatorSecretRef: { namespace, name },
      ...spec,
    },
  });
}

/** The first truthy answer; asked again until there is one. */
export async function eventually<T>(ask: () => Promise<T> | T, what: string): Promise<NonNullable<T>> {
  const until = Date.now() + WITHIN_MS;
  let last: unknown;
  for (;;) {
    try {
      const answer = await ask();
      if (answer) return answer;
      last = answer;
    } catch (error) {
      last = error;
    }
    if (Date.now() > until) throw new Error(`waited in vain for ${what}; last: ${String(last)}`, { cause: last });
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

export async function find<T extends KubeObject>(client: KubeClient, gvr: Gvr, key: ObjectKey): Promise<T | undefined> {
  return client.get<T>(gvr, key).catch(() => undefined);
}

/** A namespace of one test's own on a plane that several tests share, with what tests do in it. */
export interface Space {
  readonly namespace: string;
  readonly client: KubeClient;
  readonly key: (name: string) => ObjectKey;
  readonly configMap: (name: string, metadata?: Partial<KubeObject['metadata']>) => KubeObject;
  readonly deployment: (name: string, replicas?: number, podSpec?: object) => KubeObject;
  /** For all ConfigMaps and Deployments here, to m1 and m2, unless told otherwise. */
  readonly policy: (name: string, spec?: Partial<PropagationSpec>) => PropagationPolicy;
  /** Resolves when the object is there and passes; `where` is a member, else the control plane. */
  readonly appears: <T extends KubeObject = KubeObject>(
    gvr: Gvr,
    name: string,
    where?: string,
    is?: (object: T) => boolean,
  ) => Promise<T>;
  readonly disappears: (gvr: Gvr, name: string, where?: string) => Promise<boolean>;
  readonly find: <T extends KubeObject = KubeObject>(gvr: Gvr, name: string, where?: string) => Promise<T | undefined>;
}

let spaces = 0;

export async function testSpace(plane: TestPlane): Promise<Space> {
  const namespace = `space-${++spaces}`;
  const { client } = plane;
  await client.create(NAMESPACE, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: namespace } });
  const key = (name: string) => ({ namespace, name });
  const at = (where?: string) => (where === undefined ? client : plane.member(where).client);
  return {
    namespace,
    client,
    key,
    configMap: (name, metadata = {}) => configMap(name, { namespace, ...metadata }),
    deployment: (name, replicas, podSpec) => inNamespace(namespace, deployment(name, replicas, podSpec)),
    policy: (name, spec) => inNamespace(namespace, policy(name, spec)),
    appears: (gvr, name, where, is) => appears(at(where), gvr, key(name), is),
    disappears: (gvr, name, where) => disappears(at(where), gvr, key(name)),
    find: (gvr, name, where) => find(at(where), gvr, key(name)),
  };
}

function inNamespace<T extends KubeObject>(namespace: string, object: T): T {
  return { ...object, metadata: { ...object.metadata, namespace } };
}

/** A plane that the tests of a file share; it starts with the first of them and ends with the file. */
export function sharedPlane(
  ...how: [names?: readonly string[], options?: Partial<KarmadaOptions>]
): () => Promise<TestPlane> {
  const ends: (() => unknown)[] = [];
  let plane: Promise<TestPlane> | undefined;
  after(async () => {
    for (const end of ends) await end();
  });
  return () => (plane ??= testPlane({ after: (end) => void ends.push(end) }, ...how));
}

export function configMap(name: string, more: Partial<KubeObject['metadata']> = {}): KubeObject {
  return {
    apiVersion: 'v1',
    kind: 'ConfigMap',
    metadata: { name, namespace: 'default', ...more },
    data: { key: 'value' },
  };
}

export function deployment(name: string, replicas = 1, podSpec: object = {}): KubeObject {
  const labels = { app: name };
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name, namespace: 'default' },
    spec: {
      replicas,
      selector: { matchLabels: labels },
      template: { metadata: { labels }, spec: { containers: [{ name: 'main', image: 'nginx' }], ...podSpec } },
    },
  };
}

/** A policy for ConfigMaps and Deployments of namespace default, to m1 and m2, unless told otherwise. */
export function policy(name: string, spec: Partial<PropagationSpec> = {}): PropagationPolicy {
  return {
    apiVersion: PROPAGATION_POLICY.apiVersion,
    kind: 'PropagationPolicy',
    metadata: { name, namespace: 'default' },
    spec: {
      resourceSelectors: [
        { apiVersion: 'v1', kind: 'ConfigMap' },
        { apiVersion: 'apps/v1', kind: 'Deployment' },
      ],
      placement: { clusterAffinity: { clusterNames: ['m1', 'm2'] } },
      ...spec,
    },
  };
}

/** Resolves when the object is there and passes; a bare name is one in namespace default. */
export function appears<T extends KubeObject>(
  client: KubeClient,
  gvr: Gvr,
  at: string | ObjectKey,
  is: (object: T) => boolean = () => true,
): Promise<T> {
  const key = keyAt(at);
  return eventually(async () => {
    const object = await find<T>(client, gvr, key);
    return object && is(object) ? object : undefined;
  }, `${gvr.resource} ${key.name}`);
}

export function disappears(client: KubeClient, gvr: Gvr, at: string | ObjectKey): Promise<boolean> {
  const key = keyAt(at);
  return eventually(async () => !(await find(client, gvr, key)), `${gvr.resource} ${key.name} to be gone`);
}

function keyAt(at: string | ObjectKey): ObjectKey {
  return typeof at === 'string' ? { namespace: 'default', name: at } : at;
}
