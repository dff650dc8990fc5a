/**
 * One HTTP request as the message of an RPC, and one message as an HTTP body. No I/O: `rest-handler.ts` reads and writes.
 */
import {
  create,
  type DescField,
  type DescMessage,
  fromJsonString,
  type JsonValue,
  type Message,
  mergeFromJson,
  type Registry,
  toJson,
} from '@bufbuild/protobuf';
import { badRequest, StatusError } from '#base/status-error.ts';
import type { RpcLimits } from '../limits.ts';
import { elementOf, emptyDraft, type JsonDraft, putAt } from './field-path.ts';
import { capture } from './path-template.ts';
import { addQuery, type Taken } from './query.ts';
import type { Route } from './routes.ts';

export interface RestRequest {
  /** The decoded segments of the path. */
  readonly segments: readonly string[];
  /** What follows the question mark. */
  readonly query: string;
  /** Undefined where the route has no body. */
  readonly body: Uint8Array | undefined;
}

export interface JsonRules {
  readonly registry: Registry;
  readonly limits: RpcLimits;
}

/** The request message, or a BadRequest that says what is wrong with it. Path and query win over the body. */
export function requestMessage(route: Route, request: RestRequest, rules: JsonRules): Message {
  const { input } = route.rpc;
  const options = { registry: rules.registry, recursionLimit: rules.limits.depth };
  const draft = emptyDraft();
  const taken = addPath(draft, route, request.segments);
  addQuery(draft, input, parameters(request.query, rules.limits), [...taken, ...takenByBody(route)]);
  return refusing(() => {
    const body = bodyText(route, request.body);
    const message = body === undefined ? create(input) : fromJsonString(input, body, options);
    return mergeFromJson(input, message, draft as JsonValue, options);
  });
}

function addPath(draft: JsonDraft, route: Route, segments: readonly string[]): Taken[] {
  return capture(route.template, segments).map(({ field: name, text }) => {
    const fields = route.pathFields.get(name) ?? [];
    const last = fields.at(-1);
    if (last) putAt(draft, fields, elementOf(last, text, name));
    return { fields, by: 'path' };
  });
}

/** With `*` everything comes from the body: an empty path is within every field. */
function takenByBody({ body }: Route): Taken[] {
  if (body === undefined) return [];
  return [{ fields: body === '*' ? [] : body, by: 'body' }];
}

function parameters(query: string, limits: RpcLimits): URLSearchParams {
  if (query.length > limits.queryLength) {
    throw new StatusError('BadRequest', `the query is longer than ${limits.queryLength} characters`, { code: 414 });
  }
  const parsed = new URLSearchParams(query);
  if (parsed.size > limits.queryParameters) {
    throw badRequest(`there are more than ${limits.queryParameters} query parameters`);
  }
  return parsed;
}

/** The body as the JSON of the whole request. An empty one says nothing, which is different from an empty object. */
function bodyText({ body: at }: Route, bytes: Uint8Array | undefined): string | undefined {
  if (at === undefined || bytes === undefined || bytes.byteLength === 0) return undefined;
  const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  if (at === '*') return text;
  // Read once by itself, or a text that ends our braces and begins its own would reach other fields.
  JSON.parse(text);
  return at.reduceRight((inner, { jsonName }) => `{${JSON.stringify(jsonName)}:${inner}}`, text);
}

function refusing<T>(read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (error instanceof StatusError) throw error;
    throw new StatusError('BadRequest', error instanceof Error ? error.message : String(error), { cause: error });
  }
}

/** A message as the JSON of a REST answer. Empty lists and zeros are written, as the published API writes them. */
export function answerJson(
  desc: DescMessage,
  message: Message,
  field: DescField | undefined,
  registry: Registry,
): JsonValue {
  const json = toJson(desc, message, { registry, alwaysEmitImplicit: true });
  if (!field) return json;
  const value = (json as { readonly [key: string]: JsonValue })[field.jsonName];
  return value ?? (field.fieldKind === 'message' ? {} : null);
}
