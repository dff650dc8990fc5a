/**
 * The commands of a shell: some of kubectl's and some of our own, on one instance, as its caller.
 *
 * Each is a function of its options that yields what it prints; everything goes through the API of the instance, or of a
 * member behind it. No program is started and no file of this machine is read or written.
 */
import { parseAllDocuments } from 'yaml';
import { isObject } from '#base/json.ts';
import { badRequest, StatusError } from '#base/status-error.ts';
import type { ApiResource } from '#kube/client/kube-client.ts';
import { failureOf, textOf } from '#kube/client/rest-answer.ts';
import { restMapper } from '#kube/client/rest-mapper.ts';
import { CLUSTER, type Cluster, KARMADA_VERSION } from '#karmada/apis/index.ts';
import { isConditionTrue } from '#kube/meta/condition.ts';
import { gvkOf, resourcePath } from '#kube/meta/gvk.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import type { InstanceClient } from '../../proxy/instance-client.ts';
import { bindingName } from '../distribution.ts';
import { EVENT } from '../kinds.ts';
import type { Options } from './command-line.ts';
import { cellText, objectText, rowsOf, tableText, withoutManagers } from './print.ts';

/** What a command works with. */
export interface Desk {
  readonly instance: string;
  /** Of the instance, or of one of its members; throws `NotFound` for what is none. */
  readonly client: (cluster?: string) => Promise<InstanceClient>;
  readonly members: () => Promise<readonly string[]>;
  readonly input: string;
  readonly signal: AbortSignal;
}

type Command = (desk: Desk, options: Options) => AsyncGenerator<string>;

const PLACEMENT = '/apis/placement.kairship.io/v1alpha1';
const MOST_LISTED = 500;
const MOST_LOG_LINES = 1_000;
const MANAGER = { fieldManager: 'kairship-shell' } as const;

export const COMMANDS: Readonly<Record<string, Readonly<Record<string, Command>>>> = {
  kubectl: {
    get,
    describe,
    apply,
    delete: remove,
    logs,
    scale,
    'api-resources': apiResources,
    version,
  },
  kairship: { status, why, trace, plan, get: getEverywhere },
};

export const HELP = `kubectl get KIND [NAME] [-n NAMESPACE | -A] [-l SELECTOR] [-o wide|yaml|json|name] [-C CLUSTER]
kubectl describe KIND NAME | apply -f - | delete KIND NAME | scale KIND NAME --replicas N
kubectl logs POD -C CLUSTER [-c CONTAINER] [--tail N] | api-resources | version
kairship status | why KIND/NAME | trace KIND/NAME | plan -f - | get KIND [NAME]
`;

async function* get(desk: Desk, options: Options): AsyncGenerator<string> {
  const client = await desk.client(options.text('cluster'));
  const [kinds = '', name] = options.words;
  for (const word of kinds.split(',')) {
    const resource = await restMapper(client).byName(needed(word, 'say what to get: kubectl get deployments'));
    yield* printed(client, resource, name, options);
  }
}

async function* printed(
  client: InstanceClient,
  resource: ApiResource,
  name: string | undefined,
  options: Options,
): AsyncGenerator<string> {
  const format = options.text('output') ?? '';
  if (format !== '' && format !== 'wide') {
    const found = await read(client, resource, name, options);
    if (format === 'name') {
      for (const { metadata } of found) yield `${resource.singular}/${metadata.name}\n`;
      return;
    }
    const items = found.map(withoutManagers);
    yield objectText(name === undefined ? { apiVersion: 'v1', kind: 'List', items } : items[0], format);
    return;
  }
  const namespaces = options.flag('all-namespaces') && resource.namespaced;
  const rows = rowsOf(await table(client, resource, name, options), { wide: format === 'wide', namespaces });
  yield rows.rows.length === 0 ? 'No resources found\n' : tableText(rows);
}

async function table(
  client: InstanceClient,
  resource: ApiResource,
  name: string | undefined,
  options: Options,
): Promise<unknown> {
  const selector = options.text('selector');
  const query = new URLSearchParams({ limit: String(MOST_LISTED), ...(selector ? { labelSelector: selector } : {}) });
  const path = resourcePath(resource, { ...placeIn(resource, options), ...(name === undefined ? {} : { name }) });
  return asked(
    client,
    name === undefined ? `${path}?${query.toString()}` : path,
    'application/json;as=Table;v=v1;g=meta.k8s.io,application/json',
  );
}

async function read(
  client: InstanceClient,
  resource: ApiResource,
  name: string | undefined,
  options: Options,
): Promise<readonly KubeObject[]> {
  const place = placeIn(resource, options);
  if (name !== undefined) return [await client.get(resource, { ...place, name })];
  const selector = options.text('selector');
  const { items } = await client.list(resource, {
    ...place,
    limit: MOST_LISTED,
    ...(selector ? { labelSelector: selector } : {}),
  });
  return items;
}

async function* describe(desk: Desk, options: Options): AsyncGenerator<string> {
  const client = await desk.client(options.text('cluster'));
  const { resource, name } = await namedIn(client, options);
  const object = await client.get(resource, { ...placeIn(resource, options), name });
  yield objectText(withoutManagers(object), 'yaml');
  const fieldSelector = `involvedObject.name=${name},involvedObject.kind=${resource.kind}`;
  const { items } = await client.list(EVENT, { ...placeIn(resource, options), fieldSelector, limit: MOST_LISTED });
  const rows = items.map((event) => [event['type'], event['reason'], event['message']].map(cellText));
  yield rows.length === 0 ? 'Events: none\n' : `Events:\n${tableText({ head: ['TYPE', 'REASON', 'MESSAGE'], rows })}`;
}

async function* apply(desk: Desk, options: Options): AsyncGenerator<string> {
  const client = await desk.client(options.text('cluster'));
  for (const { resource, object } of await placed(client, desk, options)) {
    await client.apply(resource, object, MANAGER);
    yield `${resource.singular}/${object.metadata.name} applied\n`;
  }
}

/** What was sent, each with how it is served, and in a namespace if it has to be. */
async function placed(client: InstanceClient, desk: Desk, options: Options) {
  const mapper = restMapper(client);
  return Promise.all(
    sent(desk, options).map(async (object) => {
      const resource = await mapper.byKind(gvkOf(object));
      return { resource, object: { ...object, metadata: { ...placeIn(resource, options), ...object.metadata } } };
    }),
  );
}

async function* remove(desk: Desk, options: Options): AsyncGenerator<string> {
  const client = await desk.client(options.text('cluster'));
  const { resource, name } = await namedIn(client, options);
  await client.delete(resource, { ...placeIn(resource, options), name }, { propagationPolicy: 'Background' });
  yield `${resource.singular} "${name}" deleted\n`;
}

async function* scale(desk: Desk, options: Options): AsyncGenerator<string> {
  const client = await desk.client(options.text('cluster'));
  const { resource, name } = await namedIn(client, options);
  const replicas = count(options.text('replicas'), '--replicas');
  const place = placeIn(resource, options);
  await client.patch(
    resource,
    { ...place, name },
    { type: 'merge', body: { spec: { replicas } } },
    { ...MANAGER, subresource: 'scale' },
  );
  yield `${resource.singular}/${name} scaled\n`;
}

async function* logs(desk: Desk, options: Options): AsyncGenerator<string> {
  const cluster = needed(options.text('cluster'), 'an instance runs no pods: say in which cluster, with -C');
  const client = await desk.client(cluster);
  const pod = needed(options.words[0], 'say of which pod');
  const tail = Math.min(count(options.text('tail') ?? '100', '--tail'), MOST_LOG_LINES);
  const container = options.text('container');
  const query = new URLSearchParams({ tailLines: String(tail), ...(container ? { container } : {}) });
  const namespace = encodeURIComponent(options.text('namespace') ?? 'default');
  const path = `/api/v1/namespaces/${namespace}/pods/${encodeURIComponent(pod)}/log?${query.toString()}`;
  const answer = await client.request({ method: 'GET', path, signal: desk.signal });
  if (answer.statusCode !== 200) throw failureOf(answer.statusCode ?? 0, await textOf(answer));
  for await (const chunk of answer.setEncoding('utf8')) yield String(chunk);
}

async function* apiResources(desk: Desk, options: Options): AsyncGenerator<string> {
  const served = await (await desk.client(options.text('cluster'))).discover();
  const rows = served.map(({ resource, shortNames, group, version: of, namespaced, kind }) => [
    resource,
    shortNames.join(','),
    group === '' ? of : `${group}/${of}`,
    String(namespaced),
    kind,
  ]);
  yield tableText({ head: ['NAME', 'SHORTNAMES', 'APIVERSION', 'NAMESPACED', 'KIND'], rows });
}

async function* version(desk: Desk, options: Options): AsyncGenerator<string> {
  const found: unknown = JSON.parse(await (await desk.client(options.text('cluster'))).getText('/version'));
  yield `Server Version: ${isObject(found) ? String(found['gitVersion']) : '?'}\n`;
}

async function* status(desk: Desk): AsyncGenerator<string> {
  const { items } = await (await desk.client()).list<Cluster>(CLUSTER);
  yield `instance ${desk.instance}, Karmada ${KARMADA_VERSION}, ${items.length} clusters\n`;
  const rows = items.map(({ metadata, spec, status: is }) => [
    metadata.name,
    isConditionTrue(is?.conditions, 'Ready') ? 'Ready' : 'NotReady',
    is?.kubernetesVersion ?? '',
    [spec.provider, spec.region].filter(Boolean).join(' '),
    is?.nodeSummary ? `${is.nodeSummary.readyNum ?? 0}/${is.nodeSummary.totalNum ?? 0}` : '',
  ]);
  if (rows.length > 0) yield tableText({ head: ['CLUSTER', 'STATUS', 'VERSION', 'WHERE', 'NODES'], rows });
}

async function* why(desk: Desk, options: Options): AsyncGenerator<string> {
  const client = await desk.client();
  const { resource, name } = await namedIn(client, slashed(options));
  const place = placeIn(resource, options);
  const path = place.namespace
    ? `${PLACEMENT}/namespaces/${encodeURIComponent(place.namespace)}/explanations`
    : `${PLACEMENT}/clusterexplanations`;
  const found = await asked(client, `${path}/${encodeURIComponent(bindingName(resource.kind, name))}`);
  yield objectText(isObject(found) ? found['explanation'] : found, 'yaml');
}

async function* trace(desk: Desk, options: Options): AsyncGenerator<string> {
  const client = await desk.client();
  const { resource, name } = await namedIn(client, slashed(options));
  const { namespace } = placeIn(resource, options);
  const path = namespace
    ? `${PLACEMENT}/namespaces/${encodeURIComponent(namespace)}/traces`
    : `${PLACEMENT}/clustertraces`;
  const found = await asked(client, path);
  const items = isObject(found) && Array.isArray(found['items']) ? (found['items'] as readonly unknown[]) : [];
  const about = items.filter((item) => isAbout(item, resource.kind, name));
  if (about.length === 0)
    throw new StatusError('NotFound', `nothing is known of the way of ${resource.kind} "${name}"`);
  yield objectText(about, 'yaml');
}

function isAbout(item: unknown, kind: string, name: string): boolean {
  const found = isObject(item) && isObject(item['trace']) ? item['trace'] : item;
  const template = isObject(found) && isObject(found['template']) ? found['template'] : {};
  return template['kind'] === kind && template['name'] === name;
}

async function* plan(desk: Desk, options: Options): AsyncGenerator<string> {
  const client = await desk.client();
  const { group, version: of } = { group: 'placement.kairship.io', version: 'v1alpha1' };
  const simulation = {
    apiVersion: `${group}/${of}`,
    kind: 'Simulation',
    metadata: { name: 'plan' },
    spec: { apply: (await placed(client, desk, options)).map(({ object }) => object) },
  };
  const answer = await client.create({ group, version: of, resource: 'simulations' }, simulation);
  yield objectText(answer['status'], 'yaml');
}

async function* getEverywhere(desk: Desk, options: Options): AsyncGenerator<string> {
  const [word, name] = options.words;
  const parts = await Promise.all(
    (await desk.members()).map(async (cluster) => {
      const client = await desk.client(cluster);
      const resource = await restMapper(client).byName(needed(word, 'say what to get: kairship get pods'));
      const namespaces = options.flag('all-namespaces') && resource.namespaced;
      const found = await table(client, resource, name, options).catch((error: unknown) => {
        if (name !== undefined && error instanceof StatusError && error.reason === 'NotFound') return {};
        throw error;
      });
      const { head, rows } = rowsOf(found, { wide: options.text('output') === 'wide', namespaces });
      return { head: ['CLUSTER', ...head], rows: rows.map((row) => [cluster, ...row]) };
    }),
  );
  const rows = parts.flatMap((part) => part.rows);
  const head = parts.find((part) => part.rows.length > 0)?.head ?? [];
  yield rows.length === 0 ? 'No resources found\n' : tableText({ head, rows });
}

async function asked(client: InstanceClient, path: string, accept = 'application/json'): Promise<unknown> {
  const answer = await client.request({ method: 'GET', path, headers: { accept } });
  const text = await textOf(answer);
  if (answer.statusCode !== 200) throw failureOf(answer.statusCode ?? 0, text);
  return JSON.parse(text) as unknown;
}

async function namedIn(
  client: InstanceClient,
  options: Options,
): Promise<{ readonly resource: ApiResource; readonly name: string }> {
  const [kind, name] = slashed(options).words;
  const resource = await restMapper(client).byName(needed(kind, 'say of what kind, and its name'));
  return { resource, name: needed(name, `say which of the ${resource.resource}`) };
}

/** `deployment/web` is `deployment web`. */
function slashed(options: Options): Options {
  const [first = '', ...rest] = options.words;
  const [kind = '', name] = first.split('/');
  return name === undefined ? options : { ...options, words: [kind, name, ...rest] };
}

function placeIn({ namespaced }: ApiResource, options: Options): { readonly namespace?: string } {
  if (!namespaced || options.flag('all-namespaces')) return {};
  return { namespace: options.text('namespace') ?? 'default' };
}

function sent({ input }: Desk, options: Options): readonly KubeObject[] {
  if (options.text('filename') !== '-')
    throw badRequest('-f -: there are no files here, send the manifests with the command');
  const documents = parseAllDocuments(input);
  return documents.flatMap((document) => {
    if (document.errors.length > 0) throw badRequest(`the manifest cannot be read: ${document.errors[0]?.message}`);
    const object: unknown = document.toJS({ maxAliasCount: 100 });
    if (object === null || object === undefined) return [];
    if (!isManifest(object)) throw badRequest('a manifest needs apiVersion, kind and metadata.name');
    return [object];
  });
}

function isManifest(value: unknown): value is KubeObject {
  if (!isObject(value) || !isObject(value['metadata'])) return false;
  return [value['apiVersion'], value['kind'], value['metadata']['name']].every((part) => typeof part === 'string');
}

function needed(text: string | undefined, otherwise: string): string {
  if (text === undefined || text === '') throw badRequest(otherwise);
  return text;
}

function count(text: string | undefined, option: string): number {
  const value = Number(text ?? Number.NaN);
  if (Number.isSafeInteger(value) && value >= 0) return value;
  throw badRequest(`${option}: a number from 0, found ${text ?? 'none'}`);
}
