/**
 * From what a client sent to a draft the write can go on with: parsed, of the right type, complete with defaults.
 *
 * Built-in kinds are refused as Go's decoder would refuse them; unknown and repeated fields are told or refused as the
 * request's `fieldValidation` says, and never stored.
 */
import { type Draft, isObject } from '#base/json.ts';
import { badRequest, hasReason, StatusError } from '#base/status-error.ts';
import { type Gvk, gvkOf, parseApiVersion } from '#kube/meta/gvk.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import {
  applySchemaDefaults,
  builtinSchema,
  decodeError,
  decodeProtobuf,
  dropUnknownFields,
  jsonKind,
  type ParsedJson,
  parseJson,
  strictErrors,
} from '#kube/schema/index.ts';
import type { Caller } from '../core.ts';
import type { ResourceDefinition, Strategy } from '../resource.ts';
import type { WriteOptions } from './write-options.ts';
import { parseYaml } from './yaml.ts';

export interface Parsed extends ParsedJson {
  /** The text it was parsed from, where repeated fields are told in its order. */
  readonly text: Uint8Array | string;
}

const ACCEPTED = 'application/json, application/yaml, application/vnd.kubernetes.protobuf';

/** Reads a body in any of the formats taken; `expected` is the kind it should be, for the message if it is not. */
const MEDIA = new Set(['', ...ACCEPTED.split(', ')]);

/** Throws for a body that nobody could read, before anything else is looked at. */
export function checkMedia(contentType: string | undefined): void {
  if (!MEDIA.has(mediaOf(contentType))) throw unreadable();
}

function mediaOf(contentType: string | undefined): string {
  return (contentType ?? 'application/json').split(';')[0]?.trim().toLowerCase() ?? '';
}

function unreadable(): StatusError {
  const message = `the body of the request was in an unknown format - accepted media types include: ${ACCEPTED}`;
  return new StatusError('UnsupportedMediaType', message);
}

export async function parseBody(body: Buffer, contentType: string | undefined, expected: Gvk): Promise<Parsed> {
  switch (mediaOf(contentType)) {
    case '':
    case 'application/json':
      return parsed(body, expected.kind, () => ({ ...parseJson(body, { duplicates: true }), text: body }));
    case 'application/yaml':
      return parsed(body, expected.kind, async () => whole(await parseYaml(body)));
    case 'application/vnd.kubernetes.protobuf':
      return whole(binary(body, expected));
    default:
      throw unreadable();
  }
}

function binary(body: Buffer, expected: Gvk): unknown {
  try {
    return decodeProtobuf(body, expected);
  } catch (error) {
    throw badRequest(
      `the object provided is unrecognized (must be of type ${expected.kind}): ${wordsOf(error)} (${summary(body)})`,
    );
  }
}

function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** A value that no text with repeated fields stands behind. */
export function whole(value: unknown): Parsed {
  return { value, duplicates: [], text: '' };
}

async function parsed(body: Buffer, expected: string, parse: () => Parsed | Promise<Parsed>): Promise<Parsed> {
  try {
    const result = await parse();
    if (isObject(result.value)) return result;
    // As in Go, null is an object of which everything was left out.
    if (result.value === null) return { ...result, value: {} };
    throw new Error(`json: cannot unmarshal ${jsonKind(result.value)} into Go value of type ${TYPE_META}`);
  } catch (error) {
    if (hasReason(error, 'TooManyRequests')) throw error;
    throw badRequest(
      `the object provided is unrecognized (must be of type ${expected}): couldn't get version/kind; json parse error: ${wordsOf(error)} (${summary(body)})`,
    );
  }
}

/** What Go reads first of an object: where it says what it is. */
const TYPE_META =
  'struct { APIVersion string "json:\\"apiVersion,omitempty\\""; Kind string "json:\\"kind,omitempty\\"" }';

const SUMMARY = 30;

function summary(body: Buffer): string {
  if (body.length === 0) return '<empty>';
  const start = body.subarray(0, SUMMARY);
  const shown = body[0] === 0x7b ? start.toString('utf8') : start.toString('hex');
  return body.length > SUMMARY ? `${shown} ...` : shown;
}

/** What must be known of a kind to read an object of it. */
export type Decodable = Pick<ResourceDefinition, 'group' | 'version' | 'kind' | 'custom' | 'schema'> & {
  readonly strategy: Pick<Strategy, 'applyDefaults'>;
};

/** The draft of an object that was sent whole. Takes over the value. */
export function decodeObject(
  definition: Decodable,
  parsed: Parsed,
  options: WriteOptions,
  caller: Caller,
): Draft<KubeObject> {
  const object = typed(definition, parsed);
  const problem = decodeError(definition.schema, object);
  if (problem) throw cannotBeHandled(definition, definition.kind, definition.version, problem);
  return complete(definition, object, parsed, options, caller);
}

/** Tells or refuses what the type does not have, drops it, and fills in what was left out. */
export function complete(
  definition: Decodable,
  object: Draft<KubeObject>,
  parsed: Parsed,
  options: WriteOptions,
  caller: Caller,
): Draft<KubeObject> {
  const { schema, strategy } = definition;
  const mode = options.fieldValidation || 'Warn';
  const problems = mode === 'Ignore' ? [] : strictErrors(schema, parsed.text, parsed);
  if (problems.length > 0 && mode === 'Strict') throw strictFailure(definition, problems);
  for (const problem of problems) caller.warn(problem);
  dropUnknownFields(schema, object);
  if (definition.custom) applySchemaDefaults(schema, object);
  strategy.applyDefaults?.(object);
  return object;
}

function strictFailure(definition: Decodable, problems: readonly string[]): StatusError {
  const all = `strict decoding error: ${problems.join(', ')}`;
  return cannotBeHandled(definition, definition.kind, definition.version, all);
}

/** The value as an object of the definition's kind, or BadRequest when it says it is another. */
function typed(definition: Decodable, { value, text }: Parsed): Draft<KubeObject> {
  if (!isObject(value)) throw badRequest(`the object provided is unrecognized (must be of type ${definition.kind})`);
  const missing = definition.custom ? missingType(value) : undefined;
  if (missing) {
    const body = Buffer.from(text.length === 0 ? JSON.stringify(value) : text);
    const why = `Object '${missing}' is missing in '${body.toString()}'`;
    throw badRequest(
      `the object provided is unrecognized (must be of type ${definition.kind}): ${why} (${summary(body)})`,
    );
  }
  const apiVersion = definition.group === '' ? definition.version : `${definition.group}/${definition.version}`;
  const given = { apiVersion: textOr(value['apiVersion'], apiVersion), kind: textOr(value['kind'], definition.kind) };
  if (given.apiVersion !== apiVersion || given.kind !== definition.kind) throw otherType(definition, apiVersion, given);
  value['apiVersion'] = apiVersion;
  value['kind'] = definition.kind;
  if (value['metadata'] === undefined || value['metadata'] === null) value['metadata'] = {};
  return value as Draft<KubeObject>;
}

/** Which half of its type an object leaves out; built-in kinds are known by where they are sent to, custom ones are not. */
export function missingType({
  kind,
  apiVersion,
}: Readonly<Record<string, unknown>>): 'Kind' | 'apiVersion' | undefined {
  if (typeof kind !== 'string' || kind === '') return 'Kind';
  return typeof apiVersion === 'string' && apiVersion !== '' ? undefined : 'apiVersion';
}

function textOr(value: unknown, otherwise: string): string {
  return typeof value === 'string' && value !== '' ? value : otherwise;
}

function otherType(definition: Decodable, expected: string, given: { apiVersion: string; kind: string }) {
  const { group, version, kind } = gvkOf(given);
  if (definition.custom) {
    return given.apiVersion === expected
      ? badRequest(`${kind} in version ${JSON.stringify(version)} cannot be handled as a ${definition.kind}`)
      : badRequest(
          `the API version in the data (${given.apiVersion}) does not match the expected API version (${expected})`,
        );
  }
  if (builtinSchema({ group, version, kind })) {
    const internal = `${shortGroup(definition.group) || 'core'}.${definition.kind}`;
    return cannotBeHandled(
      definition,
      kind,
      version,
      `converting (${version}.${kind}) to (${internal}): unknown conversion`,
    );
  }
  const scheme = definition.kind === 'Scale' ? 'pkg/runtime/scheme.go:111' : 'pkg/api/legacyscheme/scheme.go:30';
  const why = `no kind ${JSON.stringify(kind)} is registered for version ${JSON.stringify(given.apiVersion)} in scheme ${JSON.stringify(scheme)}`;
  return cannotBeHandled(definition, kind, parseApiVersion(given.apiVersion).version, why);
}

function shortGroup(group: string): string {
  return group.split('.')[0] ?? '';
}

function cannotBeHandled(definition: Decodable, kind: string, version: string, why: string): StatusError {
  return badRequest(`${kind} in version ${JSON.stringify(version)} cannot be handled as a ${definition.kind}: ${why}`);
}
