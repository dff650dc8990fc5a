/**
 * OpenAPI v3: an index of group versions, and a document for each; v2: one document for all, as kubectl before 1.29 asks
 * for it, and newer ones for a kind they have not found.
 *
 * A document's hash is made of what it would be rendered from, so that the index needs no rendering; a document is
 * rendered when it is first asked for, and kept until what it describes changes.
 */
import { createHash } from 'node:crypto';
import { type Exchange, send } from '../http/respond.ts';
import type { Registry } from '../registry.ts';
import type { ResourceDefinition } from '../resource.ts';
import {
  encodeOpenApiV2,
  type OpenApiResource,
  renderOpenApiV2,
  renderOpenApiV3,
  schemaOfCrd,
} from '#kube/schema/index.ts';
import type { ApiExtension } from '../extension.ts';

export interface OpenApi {
  /** Answers if the path is one of OpenAPI's; false when it is not, or names nothing served. */
  serve(exchange: Exchange, path: string): boolean;
}

const ROOT = '/openapi/v3';
const V2 = '/openapi/v2';
/** As it is asked for, and as it is answered. */
const V2_ASKED = 'application/com.github.proto-openapi.spec.v2@v1.0+protobuf';
const V2_PROTOBUF = 'application/com.github.proto-openapi.spec.v2.v1.0+protobuf';
const YEAR_MS = 365 * 86_400_000;

export function openApi(registry: Registry, release: string, extensions: readonly ApiExtension[] = []): OpenApi {
  const extended = extensions.flatMap(resourceOf);
  let known: { readonly generation: number; readonly index: Map<string, Described> } | undefined;
  const rendered = new Map<string, { readonly hash: string; readonly body: Buffer }>();

  function index(): ReadonlyMap<string, Described> {
    const generation = registry.generation();
    if (known?.generation !== generation) known = { generation, index: describe(registry, release, extended) };
    return known.index;
  }

  function document(path: string, { hash, group, version, resources }: Described): Buffer {
    const kept = rendered.get(path);
    if (kept?.hash === hash) return kept.body;
    const body = Buffer.from(JSON.stringify(renderOpenApiV3({ group, version }, resources)));
    rendered.set(path, { hash, body });
    return body;
  }

  function serveIndex(exchange: Exchange): void {
    const paths: Record<string, { serverRelativeURL: string }> = {};
    for (const [path, { hash }] of index()) paths[path] = { serverRelativeURL: `${ROOT}/${path}?hash=${hash}` };
    const body = JSON.stringify({ paths });
    answer(exchange, 'application/json', digest(body), () => Buffer.from(body));
  }

  function serveV2(exchange: Exchange): void {
    const protobuf = exchange.request.headers.accept?.includes(V2_ASKED) === true;
    const type = protobuf ? V2_PROTOBUF : 'application/json';
    const hash = digest(type, ...Array.from(index().values(), (described) => described.hash));
    answer(exchange, type, hash, () => {
      const kept = rendered.get(type);
      if (kept?.hash === hash) return kept.body;
      const documents = Array.from(index().values(), ({ resources, ...gv }) => renderOpenApiV3(gv, resources));
      const whole = renderOpenApiV2(documents, release);
      const body = protobuf ? encodeOpenApiV2(whole) : Buffer.from(JSON.stringify(whole));
      rendered.set(type, { hash, body });
      return body;
    });
  }

  return {
    serve(exchange, path) {
      if (path === V2) {
        serveV2(exchange);
        return true;
      }
      if (path === ROOT || path === `${ROOT}/`) {
        serveIndex(exchange);
        return true;
      }
      const wanted = path.startsWith(`${ROOT}/`) ? path.slice(ROOT.length + 1) : '';
      const described = index().get(wanted);
      if (!described) return false;
      const expires = { Expires: new Date(Date.now() + YEAR_MS).toUTCString() };
      const headers = exchange.query.has('hash') ? { ...expires, 'Cache-Control': 'public, immutable' } : {};
      answer(exchange, 'application/json', described.hash, () => document(wanted, described), headers);
      return true;
    },
  };
}

function answer(
  exchange: Exchange,
  type: string,
  hash: string,
  body: () => Buffer,
  headers: Readonly<Record<string, string>> = {},
): void {
  const etag = `"${hash}"`;
  const all = { ETag: etag, Vary: 'Accept', ...headers };
  if (exchange.request.headers['if-none-match'] !== etag) return send(exchange, 200, type, body(), all);
  exchange.response.writeHead(304, all);
  exchange.response.end();
}

interface Described {
  readonly group: string;
  readonly version: string;
  readonly hash: string;
  readonly resources: readonly Resource[];
}

type Resource = OpenApiResource & Pick<ResourceDefinition, 'scale'>;

/** An extension as a resource that is described; those that say nothing of their objects are not. */
function resourceOf(extension: ApiExtension): readonly Resource[] {
  const { group, version, resource, namespaced, verbs, schema, kind } = extension;
  if (!schema || extension.subresource !== undefined) return [];
  const parts = { subresources: [], strategy: { hasStatus: false } };
  const type = { custom: true, schema: schemaOfCrd(schema).schema };
  return [{ group, version, resource, namespaced, verbs, kind: kind.kind, ...type, ...parts }];
}

function describe(registry: Registry, release: string, extended: readonly Resource[]): Map<string, Described> {
  const byPath = new Map<string, Resource[]>();
  for (const definition of [...registry.all().map((served) => served.definition), ...extended]) {
    const { group, version } = definition;
    const path = group === '' ? `api/${version}` : `apis/${group}/${version}`;
    byPath.set(path, [...(byPath.get(path) ?? []), definition]);
  }
  const described = new Map<string, Described>();
  for (const [path, resources] of [...byPath].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const { group = '', version = '' } = resources[0] ?? {};
    described.set(path, { group, version, resources, hash: digest(release, path, ...resources.map(identity)) });
  }
  return described;
}

const custom = new WeakMap<Resource, string>();

/** All that a definition adds to its document; the types of built-in kinds are the release's own. */
function identity(definition: Resource): string {
  let text = custom.get(definition);
  if (text === undefined) {
    const { kind, resource, namespaced, strategy, scale, schema } = definition;
    text = JSON.stringify([
      kind,
      resource,
      namespaced,
      strategy.hasStatus,
      !!scale,
      definition.custom ? withoutMeta(schema) : '',
    ]);
    custom.set(definition, text);
  }
  return text;
}

/** The metadata's own type is the same for all, and refers to itself. */
function withoutMeta({ properties, ...schema }: ResourceDefinition['schema']): unknown {
  const { metadata: _, ...others } = properties ?? {};
  return { ...schema, properties: others };
}

function digest(...parts: readonly string[]): string {
  const hash = createHash('sha512');
  for (const part of parts) hash.update(part).update('\0');
  return hash.digest('hex').toUpperCase();
}
