/**
 * The OpenAPI document of routes, from the same descriptors that serve them: it cannot say anything else than what is
 * served. Words come from the comments of the proto files.
 */
import type { DescField, DescMessage, JsonObject } from '@bufbuild/protobuf';
import { StatusSchema } from '#gen/proto/google/rpc/status_pb.ts';
import { operationOf, tagOf } from '../interceptors/call.ts';
import { isText } from '../rest/field-path.ts';
import { jsonPath, plainPath, type Route } from '../rest/routes.ts';
import { type Comments, described, type Schemas, schemas } from './json-schema.ts';

const METHODS = ['GET', 'PUT', 'POST', 'DELETE', 'PATCH', 'HEAD', 'OPTIONS'];
/** Messages within messages are named by query parameters up to here; deeper ones need a body. */
const QUERY_DEPTH = 4;

export function openApi(
  routes: readonly Route[],
  info: { readonly title: string; readonly version: string },
  comments: Comments,
): JsonObject {
  const types = schemas(comments);
  const paths: Record<string, Record<string, JsonObject>> = {};
  const seen = new Map<string, number>();
  for (const route of routes) {
    if (!METHODS.includes(route.method)) continue;
    const item = (paths[plainPath(route)] ??= {});
    const count = (seen.get(operationOf(route.rpc)) ?? 0) + 1;
    seen.set(operationOf(route.rpc), count);
    const operationId = count === 1 ? operationOf(route.rpc) : `${operationOf(route.rpc)}_${count}`;
    item[route.method.toLowerCase()] = { operationId, ...operation(route, types, comments) };
  }
  const status = types.message(StatusSchema);
  return {
    openapi: '3.1.0',
    info: { title: info.title, version: info.version },
    tags: tagsOf(routes, comments),
    paths,
    components: {
      schemas: types.all(),
      responses: { Error: { description: 'The call failed.', content: json(status) } },
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
    },
    security: [{ bearer: [] }],
  };
}

const json = (schema: JsonObject): JsonObject => ({ 'application/json': { schema } });

function tagsOf(routes: readonly Route[], comments: Comments): JsonObject[] {
  const services = new Map(routes.map(({ rpc }) => [tagOf(rpc.parent), rpc.parent]));
  return Array.from(services, ([name, { typeName }]) => ({ name, ...described(comments[typeName]) }));
}

function operation(route: Route, types: Schemas, comments: Comments): JsonObject {
  const { rpc, body } = route;
  const comment = comments[`${rpc.parent.typeName}.${rpc.name}`];
  return {
    tags: [tagOf(rpc.parent)],
    ...(comment === undefined ? {} : { summary: comment }),
    parameters: [...pathParameters(route, types), ...queryParameters(route, types)],
    ...(body === undefined ? {} : { requestBody: { required: true, content: json(bodySchema(route, types)) } }),
    responses: { 200: answer(route, types), default: { $ref: '#/components/responses/Error' } },
  };
}

function pathParameters({ pathFields }: Route, types: Schemas): JsonObject[] {
  return Array.from(pathFields.values(), (fields) => {
    const field = fields.at(-1);
    return { name: jsonPath(fields), in: 'path', required: true, schema: field ? types.field(field) : {} };
  });
}

function bodySchema({ rpc, body, pathFields }: Route, types: Schemas): JsonObject {
  const field = body === '*' ? undefined : body?.at(-1);
  if (field) return types.field(field);
  const fromPath = Array.from(pathFields.values(), ([first]) => first).filter((one) => one !== undefined);
  return types.fields(rpc.input, new Set(fromPath));
}

function queryParameters({ rpc, body, pathFields }: Route, types: Schemas): JsonObject[] {
  if (body === '*') return [];
  const taken = new Set([...Array.from(pathFields.values(), (path) => path.at(-1)), body?.at(-1)]);
  const parameters: JsonObject[] = [];
  const add = (desc: DescMessage, prefix: string, depth: number): void => {
    for (const field of desc.fields) {
      if (taken.has(field)) continue;
      const name = `${prefix}${field.jsonName}`;
      if (isText(field)) parameters.push(queryParameter(field, name, types));
      else if (field.fieldKind === 'message' && field.message && depth < QUERY_DEPTH) {
        add(field.message, `${name}.`, depth + 1);
      }
    }
  };
  add(rpc.input, '', 1);
  return parameters;
}

function queryParameter(field: DescField, name: string, types: Schemas): JsonObject {
  const parameter = { name, in: 'query', schema: types.field(field) };
  return field.fieldKind === 'map' ? { ...parameter, style: 'deepObject', explode: true } : parameter;
}

function answer({ rpc, responseBody }: Route, types: Schemas): JsonObject {
  const schema = responseBody ? types.field(responseBody) : types.message(rpc.output);
  if (rpc.methodKind !== 'server_streaming') return { description: 'OK', content: json(schema) };
  const line = { type: 'object', properties: { result: schema, error: types.message(StatusSchema) } };
  return {
    description: 'A stream.',
    content: { 'application/x-ndjson': { schema: line }, 'text/event-stream': { schema: { type: 'string' } } },
  };
}
