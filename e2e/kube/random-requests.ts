/**
 * Requests made up from what the server says it serves: its discovery and its schemas. Whatever is sent, the answer must
 * be a clear one: what was asked for, or a Status that says why not.
 */
import { Agent } from 'node:https';
import { setTimeout as pause } from 'node:timers/promises';
import { type Answer, ask, type Ask, type Endpoint } from './kube-server.ts';
import { type Random, randomOf } from './random.ts';
import { allCases } from '#kube/apiserver/kinds/testing/cases/all-cases.ts';
import { changed, misfit, type OpenApiSchema, randomValue, type Schemas } from './random-values.ts';
import { WIDGET, WIDGETS } from './widgets.ts';

export interface Resource {
  readonly path: string;
  readonly apiVersion: string;
  readonly kind: string;
  readonly resource: string;
  readonly namespaced: boolean;
  readonly verbs: readonly string[];
  readonly schemas: Schemas;
  readonly schema: OpenApiSchema;
}

export interface Outcome {
  readonly requests: number;
  /** How often each status code was answered. */
  readonly codes: Readonly<Record<string, number>>;
  /** Answers that are not clear, with the requests that led to them. */
  readonly complaints: readonly string[];
}

export interface RandomRun {
  readonly seed: number;
  readonly requests: number;
  /** Told each request and its answer, for those who compare. */
  readonly told?: (asked: Ask, answer: Answer) => void;
}

/** Sends `requests` random requests, one after the other. */
export async function sendRandomRequests(server: Endpoint, { seed, requests, told }: RandomRun): Promise<Outcome> {
  const random = randomOf(seed);
  await defineWidgets(server);
  const resources = await catalogue(server);
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const codes: Record<string, number> = {};
  const complaints: string[] = [];
  const next = requestMaker(random, resources);
  for (let i = 0; i < requests; i++) {
    const asked = next();
    const answer = await ask(server, { ...asked, agent });
    codes[answer.code] = (codes[answer.code] ?? 0) + 1;
    const complaint = complaintAbout(asked, answer);
    if (complaint !== undefined) complaints.push(complaint);
    told?.(asked, answer);
  }
  agent.destroy();
  return { requests, codes, complaints };
}

/** A custom resource among the built-in ones; resolves when it is served. */
export async function defineWidgets(server: Endpoint): Promise<void> {
  const path = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions';
  const { code, text } = await ask(server, { method: 'POST', path, body: WIDGETS });
  if (code !== 201 && code !== 409) throw new Error(`the definition of widgets was refused: ${text}`);
  const served = `/apis/${WIDGETS.spec.group}/v1/widgets`;
  const described = async () => {
    const { body } = await ask(server, { path: '/openapi/v3' });
    return body.paths[`apis/${WIDGETS.spec.group}/v1`] !== undefined;
  };
  while ((await ask(server, { path: served })).code !== 200 || !(await described())) await pause(POLL_MS);
}

/** Everything served, with its schemas, as a client finds it out. */
export async function catalogue(server: Endpoint): Promise<readonly Resource[]> {
  const { body: index } = await ask(server, { path: '/openapi/v3' });
  const found: Resource[] = [];
  for (const path of Object.keys(index.paths).sort()) {
    if (!/^api\/v1$|^apis\/[^/]+\/[^/]+$/.test(path)) continue;
    const { body: document } = await ask(server, { path: `/openapi/v3/${path}` });
    const { body: list } = await ask(server, { path: `/${path}` });
    const schemas = (document.components?.schemas ?? {}) as Schemas;
    const apiVersion = path.replace(/^apis?\//, '');
    for (const { name, kind, namespaced, verbs } of list?.resources ?? []) {
      const schema = schemaOf(schemas, apiVersion, kind);
      if (schema) found.push({ path, apiVersion, kind, resource: name, namespaced, verbs, schemas, schema });
    }
  }
  return found;
}

function schemaOf(schemas: Schemas, apiVersion: string, wanted: string): OpenApiSchema | undefined {
  const [group, version] = apiVersion.includes('/') ? apiVersion.split('/') : ['', apiVersion];
  return Object.values(schemas).find((schema) => {
    const kinds = (
      schema as { 'x-kubernetes-group-version-kind'?: { group: string; version: string; kind: string }[] }
    )['x-kubernetes-group-version-kind'];
    return kinds?.some((kind) => kind.kind === wanted && kind.group === group && kind.version === version) === true;
  });
}

const POLL_MS = 50;
const EXAMPLES = new Map(
  [...allCases, WIDGET].map(({ apiVersion, kind, least }) => [`${apiVersion} ${kind}`, least as unknown]),
);
const NAMES = ['a', 'a', 'a', 'b', 'c', 'default', 'Bad_Name', '..', 'a%2Fb', '%00', 'x'.repeat(260)];
const USUAL_NAMES = NAMES.slice(0, 6);
const NAMESPACES = [...Array.from({ length: 12 }, () => 'default'), 'kube-system', 'nowhere'];
const PATCH_TYPES = ['json-patch+json', 'merge-patch+json', 'strategic-merge-patch+json', 'apply-patch+yaml'];
const ACCEPTS = [
  'application/json',
  'application/yaml',
  'application/json;as=Table;v=v1;g=meta.k8s.io',
  'application/json;as=PartialObjectMetadata;v=v1;g=meta.k8s.io',
  'application/vnd.kubernetes.protobuf, */*',
  'text/html',
];
const QUERIES = [
  'dryRun=All',
  'dryRun=Some',
  'fieldValidation=Strict',
  'fieldValidation=Ignore',
  'fieldManager=fuzz',
  'force=true',
  'pretty=true',
  'labelSelector=a%3Db',
  'labelSelector=%21%21',
  'fieldSelector=metadata.name%3Da',
  'fieldSelector=spec.x%3Da',
  'limit=1',
  'limit=-1',
  'continue=abc',
  'resourceVersion=0',
  'resourceVersion=1',
  'resourceVersion=x',
  'resourceVersionMatch=Exact',
  'propagationPolicy=Foreground',
  'propagationPolicy=Orphan',
  'gracePeriodSeconds=0',
  'watch=1&timeoutSeconds=-1',
  'timeout=1s',
  'includeObject=Object',
];

/** Makes requests that stay with one resource for a while, or there would rarely be anything to change or to delete. */
export function requestMaker(random: Random, resources: readonly Resource[]): () => Ask {
  const plural = ({ path, resource }: Resource) => `${path}/${resource.split('/')[0]}`;
  const families = Object.values(Object.groupBy(resources, plural)).filter((family) => family !== undefined);
  let family = random.pick(families);
  return () => {
    if (random.chance(0.1)) family = random.pick(families);
    const own = family.filter(({ resource }) => !resource.includes('/'));
    return randomRequest(random, random.pick(own.length > 0 && random.chance(0.75) ? own : family));
  };
}

function randomRequest(random: Random, resource: Resource): Ask {
  const verb = verbFor(random, resource);
  const named = verb !== 'create' && verb !== 'list' && verb !== 'deletecollection';
  const headers: Record<string, string> = { accept: random.chance(0.7) ? 'application/json' : random.pick(ACCEPTS) };
  const query = Array.from({ length: random.pick([0, 0, 1, 2]) }, () => random.pick(QUERIES)).join('&');
  const path = pathOf(random, resource, named) + (query === '' ? '' : `?${query}`);
  switch (verb) {
    case 'create':
      return { method: 'POST', path, headers, ...bodyOf(random, resource, headers) };
    case 'update':
      return { method: 'PUT', path, headers, ...bodyOf(random, resource, headers) };
    case 'patch':
      return { method: 'PATCH', path, ...patchOf(random, resource, headers) };
    case 'delete':
      return { method: 'DELETE', path, headers, ...(random.chance(0.2) ? { body: misfit(random) ?? '' } : {}) };
    case 'deletecollection':
      return { method: 'DELETE', path, headers };
    default:
      return { path, headers };
  }
}

/** Mostly a verb the resource has, and more often one that changes something. */
function verbFor(random: Random, { verbs, resource }: Resource): string {
  const all = [
    'create',
    'create',
    'create',
    'update',
    'update',
    'patch',
    'patch',
    'patch',
    'get',
    'list',
    'delete',
    'deletecollection',
  ];
  // Definitions are not cleared away at once, or there would be no custom resource for the rest of the run.
  const kept = resource === 'customresourcedefinitions' ? ['deletecollection'] : [];
  const own = all.filter((verb) => verbs.includes(verb) && !kept.includes(verb));
  return random.pick(own.length > 0 && random.chance(0.97) ? own : all);
}

/** `/api/v1/namespaces/default/pods/a/status`, where the resource may carry its subresource in its name. */
function pathOf(random: Random, { path, resource, namespaced }: Resource, named: boolean): string {
  const [plural = '', subresource] = resource.split('/');
  const place = namespaced && random.chance(0.95) ? `/namespaces/${random.pick(NAMESPACES)}` : '';
  const name =
    named || subresource !== undefined ? `/${random.chance(0.8) ? random.pick(USUAL_NAMES) : random.pick(NAMES)}` : '';
  return `/${path}${place}/${plural}${name}${subresource === undefined ? '' : `/${subresource}`}`;
}

function bodyOf(random: Random, resource: Resource, headers: Record<string, string>): { body: unknown } {
  const object = objectOf(random, resource);
  if (random.chance(0.03))
    headers['content-type'] = random.pick([
      'application/yaml',
      'text/plain',
      'application/vnd.kubernetes.protobuf',
      '',
    ]);
  if (random.chance(0.03)) return { body: JSON.stringify(object).slice(0, random.whole(200)) };
  return { body: JSON.stringify(object) };
}

function objectOf(random: Random, { schemas, schema, apiVersion, kind }: Resource): unknown {
  const example = EXAMPLES.get(`${apiVersion} ${kind}`);
  let value = example !== undefined && random.chance(0.7) ? example : randomValue(random, schemas, schema);
  if (value === example) for (let i = random.whole(4); i > 0; i--) value = changed(random, schemas, schema, value);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const metadata = { name: random.pick(USUAL_NAMES), ...(random.chance(0.2) ? { labels: { a: 'b' } } : {}) };
  return { ...value, apiVersion, kind, ...(random.chance(0.9) ? { metadata } : {}) };
}

function patchOf(random: Random, resource: Resource, headers: Record<string, string>): Pick<Ask, 'body' | 'headers'> {
  const type = random.pick(PATCH_TYPES);
  const object = objectOf(random, resource);
  const body = type.startsWith('json-') ? jsonPatch(random, object) : object;
  return { body: JSON.stringify(body), headers: { ...headers, 'content-type': `application/${type}` } };
}

function jsonPatch(random: Random, object: unknown): unknown {
  const fields = typeof object === 'object' && object !== null ? Object.entries(object) : [];
  const keys = fields.map(([key]) => key);
  return Array.from({ length: 1 + random.whole(3) }, () => ({
    op: random.pick(['add', 'remove', 'replace', 'move', 'copy', 'test', 'zap']),
    path: `/${random.pick([...keys, 'metadata', 'metadata/labels', 'spec/x/0', '~1', ''])}`,
    from: `/${random.pick([...keys, 'metadata'])}`,
    value: random.chance(0.5) ? misfit(random) : fields[0]?.[1],
  }));
}

/** Failures that Kubernetes too answers with 500: they say what is wrong with the request. */
const EXPLAINED = [
  /^resourceVersion should not be set on objects to be created$/,
  /^failed to create typed patch object /,
  /^failed to create typed live object /,
  /^unknown patch type: /,
  /strconv\.ParseUint: /,
  /^unable to find api field in struct /,
  /^expected a /,
  /^map: map\[.*\] does not contain declared merge key: /,
  /^\[?target\./,
];

function complaintAbout(asked: Ask, { code, body, text, headers }: Answer): string | undefined {
  const said = `${asked.method ?? 'GET'} ${asked.path} ${JSON.stringify(asked.body ?? '').slice(0, 2_000)} → ${code} ${text.slice(0, 500)}`;
  if (code < 300) return undefined;
  if (String(headers['content-type']).includes('yaml')) return /^kind: Status$/m.test(text) ? undefined : said;
  if (body?.kind !== 'Status') return code === 404 && text === '404 page not found\n' ? undefined : said;
  if (body.code !== code || body.status !== 'Failure' || !body.message) return said;
  if (code >= 500 && code !== 504 && !EXPLAINED.some((known) => known.test(body.message))) return said;
  return undefined;
}
