/**
 * Every operation of the API at once, from its descriptors: who is refused, whether gRPC and REST answer alike, and
 * whether any request at all makes the platform fail.
 *
 * Requests are random by a seed. `REQUESTS=5000 SEED=7` asks more, and others.
 */
import assert from 'node:assert/strict';
import { globSync } from 'node:fs';
import { resolve } from 'node:path';
import { describe, it } from 'node:test';
import {
  type DescField,
  type DescMethod,
  type DescService,
  fromJson,
  type JsonObject,
  type JsonValue,
  ScalarType,
  toJson,
} from '@bufbuild/protobuf';
import { Code, ConnectError, createClient, type Transport } from '@connectrpc/connect';
import type { PermissionPoint, Tier } from '#ghippo/apis/kinds.ts';
import { instanceScope } from '#ghippo/apis/scope.ts';
import { kairshipProduct } from '#kairship/access/kairship-product.ts';
import { type Route, routesOf, rpcName } from '#rpc/index.ts';
import { routeTable } from '#rpc/rest/route-table.ts';
import { type Call, eventually, INSTANCE, type Stage } from './harness.ts';

const SEED = Number(process.env['SEED'] ?? 1);
const REQUESTS = Number(process.env['REQUESTS'] ?? 400);
const PREFIX = '/apis/kairship.io/v1alpha1';
const KINDS = 'deployments,configmaps,propagationpolicies,overridepolicies,namespaces,clusters.cluster.karmada.io';

/** They name no instance, so they are no secret: whoever may see nothing is told of nothing. */
const EMPTY_FOR_STRANGERS =
  /\/(ListInstances|ListNamespaceInstances|ListWorkspaces|ListClusters|Search|WatchInstances)$/;
/** What would take the stage down, or differs each time by its nature. */
const NOT_COMPARED =
  /\/(CreateCloudShell|CreateInstanceAdminKubeConfig|Simulate|UpdateInstance\w*|CreateInstance|CreateInstanceBackup|RestoreInstance|JoinCluster|CreateAgentToken)$/;
const NOT_FUZZED = /\/(UpdateInstance\w*|RestoreInstance|UpgradeInstance|CreateInstanceBackup|CreateAgentToken)$/;

const points = new Map<string, PermissionPoint>(
  kairshipProduct.permissions.flatMap((point) => (point.operations ?? []).map((name) => [name, point] as const)),
);

async function routes(): Promise<readonly Route[]> {
  const root = resolve(import.meta.dirname, '../../gen/proto/kairship/api');
  const modules = await Promise.all(
    globSync(`${root}/*/v1alpha1/*_service_pb.ts`).map(async (file) => Object.values((await import(file)) as object)),
  );
  const services = modules.flat().filter((value: unknown): value is DescService => {
    return typeof value === 'object' && value !== null && 'kind' in value && value.kind === 'service';
  });
  return services.flatMap(routesOf).toSorted((a, b) => (rpcName(a.rpc) < rpcName(b.rpc) ? -1 : 1));
}

type Choose = <T>(values: readonly T[]) => T;

/** Values in an order that a seed decides. */
function picking(seed: number): Choose {
  let state = seed;
  return (values) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return values[Math.floor((state / 2 ** 32) * values.length)] as (typeof values)[number];
  };
}

const JUNK = ['x', 'none', 'Not_A_Name', '../..', '%00', 'a'.repeat(300), 'ключ', "';--", '0', '-1', '{}', 'a/b', ' '];
const KNOWN: Readonly<Record<string, readonly string[]>> = {
  instance: [INSTANCE, INSTANCE, 'none'],
  namespace: ['default', 'none'],
  cluster: ['frankfurt', 'none'],
  kind: ['Deployment', 'deployments', 'pods', 'none'],
  data: ['', 'a: [', '[]', '{"metadata":{"name":1}}', '{"metadata":{"name":"Not_A_Name"}}'],
};

interface Making {
  readonly pick: Choose;
  /** Whether the request may name what is there: only if it changes nothing. */
  readonly reads: boolean;
  readonly junk: boolean;
}

function textFor(field: DescField, { pick, reads, junk }: Making): string {
  const { localName } = field;
  if (junk && localName !== 'instance' && pick([true, false])) return pick(JUNK);
  if (localName === 'cluster' && !reads) return 'none';
  if (KNOWN[localName]) return pick(KNOWN[localName]);
  if (localName === 'name') return reads ? pick(['storefront', 'none']) : 'none';
  return pick(['', 'x', 'storefront']);
}

function jsonFor(field: DescField, making: Making, depth: number): JsonValue | undefined {
  const { pick } = making;
  if (making.junk && pick([true, false, false]))
    return pick<JsonValue>([null, 1, 'x', true, [], {}, [1], { a: 1 }, 1e300]);
  if (field.fieldKind === 'list') return pick([true, false]) ? [] : undefined;
  if (field.fieldKind === 'map') return undefined;
  if (field.fieldKind === 'enum') return pick(field.enum.values.map(({ name }) => name));
  if (field.fieldKind === 'message')
    return depth > 1 || field.message.typeName.startsWith('google.')
      ? undefined
      : messageFor(field.message.fields, making, depth + 1);
  if (field.scalar === ScalarType.BOOL) return pick([true, false]);
  if (field.scalar === ScalarType.STRING) return textFor(field, making);
  return field.scalar === ScalarType.BYTES ? '' : pick([0, 1, 5, -1, 2000]);
}

function messageFor(fields: readonly DescField[], making: Making, depth = 0): JsonObject {
  const entries = fields.map((field) => [field.jsonName, jsonFor(field, making, depth)] as const);
  return Object.fromEntries(entries.filter((entry): entry is [string, JsonValue] => entry[1] !== undefined));
}

/** One request, as both protocols send it. */
interface Asked {
  readonly route: Route;
  readonly json: JsonObject;
  readonly path: string;
  readonly body: JsonObject | undefined;
}

function askedOf(route: Route, making: Making): Asked {
  const json: Record<string, JsonValue> = { ...messageFor(route.rpc.input.fields, making) };
  let path = route.path.slice(PREFIX.length);
  for (const [name, fields] of route.pathFields) {
    const [field] = fields;
    if (!field) continue;
    // Nothing at all would be another path.
    const value = textFor(field, making) || 'x';
    json[field.jsonName] = value;
    path = path.replace(`{${name}}`, encodeURIComponent(value));
  }
  if (route.body === '*') return { route, json, path, body: json };
  const part = route.body?.[0]?.jsonName;
  const body = part === undefined ? undefined : ((json[part] ?? {}) as JsonObject);
  const inPath = new Set([...route.pathFields.values()].map(([field]) => field?.jsonName).concat(part));
  const query = Object.entries(json)
    .filter(([key]) => !inPath.has(key))
    .flatMap(([key, value]) => parameters(key, value));
  return { route, json, path: query.length > 0 ? `${path}?${query.join('&')}` : path, body };
}

function parameters(key: string, value: JsonValue): readonly string[] {
  if (Array.isArray(value)) return value.flatMap((one) => parameters(key, one));
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([part, one]) => parameters(`${key}.${part}`, one));
  return [`${encodeURIComponent(key)}=${encodeURIComponent(String(value))}`];
}

const isUnary = ({ rpc }: Route) => rpc.methodKind === 'unary';
const reads = ({ method }: Route) => method === 'GET';

export function everyOperation(stage: Stage): void {
  describe('R2: every operation', () => {
    async function refuses(call: Call, mayDo: readonly Tier[], isExpected: (route: Route) => boolean): Promise<number> {
      const making = { pick: picking(SEED), reads: false, junk: false };
      let count = 0;
      for (const route of (await routes()).filter(isExpected)) {
        const point = points.get(rpcName(route.rpc));
        if (!point || mayDo.includes(point.tier)) continue;
        const { path, body } = askedOf(route, { ...making, pick: (values) => values[0] as never });
        const { status, json } = await call(route.method, path, body);
        assert.equal(status, 403, `${route.method} ${path}: ${JSON.stringify(json)}`);
        assert.match(String(json.message), /^user "[^"]+" may not /, path);
        count += 1;
      }
      return count;
    }

    it('R11: is refused to those who have no right to it, before anything behind the entrance hears of it', async () => {
      const people = [
        [await stage.person('nobody'), []],
        [await stage.person('onlooker', { role: 'instance-viewer', scope: instanceScope(INSTANCE) }), ['view']],
        [await stage.person('writer', { role: 'instance-editor', scope: instanceScope(INSTANCE) }), ['view', 'edit']],
      ] as const;
      const before = await stage.contents(KINDS);
      const counts: number[] = [];
      for (const [call, tiers] of people)
        counts.push(await refuses(call, tiers, ({ rpc }) => !EMPTY_FOR_STRANGERS.test(rpcName(rpc))));
      assert.deepEqual(await stage.contents(KINDS), before);
      const [all = 0, viewers = 0, editors = 0] = counts;
      assert.ok(all > 178 && viewers > 60 && editors > 5, counts.join());
    });

    it('R8: answers the same by gRPC and by REST, and refuses the same', async () => {
      const transport = stage.grpc();
      await stage.person('nobody');
      const stranger = stage.grpc('nobody');
      const pick = picking(SEED);
      const compared = (await routes()).filter((route) => isUnary(route) && !NOT_COMPARED.test(rpcName(route.rpc)));
      for (const route of compared) {
        const asked = askedOf(route, { pick, reads: reads(route), junk: false });
        await eventually(async () => {
          const [rest, grpc] = [await byRest(stage.unheard, asked), await byGrpc(transport, asked)];
          assert.deepEqual(grpc, rest, `${route.method} ${asked.path} ${JSON.stringify(asked.body ?? {})}`);
        });
        if (!points.has(rpcName(route.rpc)) || EMPTY_FOR_STRANGERS.test(rpcName(route.rpc))) continue;
        assert.deepEqual(await byGrpc(stranger, asked), { code: Code.PermissionDenied }, asked.path);
      }
      assert.ok(compared.length > 200);
    });

    it('is answered, or refused for a reason, whatever is asked', async () => {
      const pick = picking(SEED + 1);
      const fuzzed = (await routes()).filter((route) => isUnary(route) && !NOT_FUZZED.test(rpcName(route.rpc)));
      for (let count = 0; count < REQUESTS; count += 1) {
        const route = pick(fuzzed);
        const { path, body } = askedOf(route, { pick, reads: reads(route), junk: true });
        const { status, json } = await stage.unheard(route.method, path, body);
        assert.ok(status < 500, `${route.method} ${path} ${JSON.stringify(body)}: ${status} ${JSON.stringify(json)}`);
      }
    });
  });
}

/** Comes last: what it looks at is what the journeys before it have asked. */
export function everyOperationWasSeen(stage: Stage): void {
  it('R5, R36: every operation was done by a journey that looked at what came of it', async () => {
    const all = await routes();
    const table = routeTable(all);
    const done = new Set<Route>();
    for (const { method, path, status } of stage.asked) {
      const found = table.find(method, PREFIX + path.replace(/\?.*/, ''));
      if (found.kind === 'found' && status === 200) done.add(found.route);
    }
    const missing = all
      .filter((route) => !done.has(route))
      .map(({ method, path, rpc }) => `${rpc.name}: ${method} ${path}`);
    assert.deepEqual(missing, []);
  });
}

type Outcome = { readonly code: number } | { readonly json: unknown };

async function byRest(call: Call, { route, path, body }: Asked): Promise<Outcome> {
  const { status, json } = await call(route.method, path, body);
  return status === 200 ? { json: withoutTimes(json) } : { code: json.code };
}

async function byGrpc(transport: Transport, { route, json }: Asked): Promise<Outcome> {
  const { rpc } = route;
  const client = createClient(rpc.parent, transport) as Record<string, (message: unknown) => Promise<never>>;
  try {
    const answer = await client[rpc.localName]?.(fromJson(rpc.input, json));
    return { json: withoutTimes(restJson(rpc, answer as never)) };
  } catch (error) {
    return { code: ConnectError.from(error).code };
  }
}

/** REST tells every field, also those that have no value. */
function restJson({ output }: DescMethod, answer: never): unknown {
  return JSON.parse(JSON.stringify(toJson(output, answer, { alwaysEmitImplicit: true })));
}

const VOLATILE = new Set([
  'heardAt',
  'resourceVersion',
  'freshness',
  'managedFields',
  'usage',
  'cpuUsage',
  'memoryUsage',
]);

function withoutTimes(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutTimes);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => !VOLATILE.has(key))
      .map(([key, one]) => [key, withoutTimes(one)]),
  );
}
