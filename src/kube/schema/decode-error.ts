/**
 * What Go says when JSON does not fit a built-in type.
 *
 * Kubernetes decodes requests into Go structs, and answers a mismatch with the decoder's own words, naming the struct
 * and the path of JSON names in it (list positions and map keys are not told).
 */
import { isObject } from '#base/json.ts';
import { tryParseQuantity } from '#kube/meta/quantity.ts';
import { goTypeOf, jsonSchemaPropsType, objectMetaType } from './builtin.ts';
import { parseGoTime } from './go-time.ts';
import type { GoType, LeafType, StructType } from './go-type.ts';
import type { Schema } from './schema.ts';

/**
 * The first mismatch in the order of the document; undefined when the value can be decoded. Go notes a mismatch and goes
 * on, but a type that reads its own JSON and fails ends the decoding: what it says comes before all others.
 */
export function decodeError(schema: Schema, value: unknown): string | undefined {
  const type = goTypeOf(schema);
  if (type) return wordsOf(mismatch(type, value));
  // Of a custom resource, only the metadata is a Go struct.
  const metadata = isObject(value) ? value['metadata'] : undefined;
  return wordsOf(mismatch(objectMetaType(), metadata));
}

interface Mismatch {
  /** The whole message, from a type that reads its JSON itself. */
  readonly message?: string;
  /** Whether decoding ends here. */
  readonly ends?: boolean;
  readonly found: string;
  readonly type: string;
  struct: string;
  /** JSON names from the root, last first. */
  readonly path: string[];
}

function wordsOf(wrong: Mismatch | undefined): string | undefined {
  if (!wrong) return undefined;
  if (wrong.message !== undefined) return wrong.message;
  const into = wrong.path.length > 0 ? `struct field ${wrong.struct}.${wrong.path.reverse().join('.')}` : 'value';
  return `json: cannot unmarshal ${wrong.found} into Go ${into} of type ${wrong.type}`;
}

function mismatch(type: GoType, value: unknown): Mismatch | undefined {
  // Null is the zero value of whatever it is decoded into.
  if (value === null || value === undefined) return undefined;
  switch (type.form) {
    case 'struct':
      return isObject(value) ? inStruct(type, value) : notA(type.go, value);
    case 'map':
      return isObject(value) ? inValues(type.of, Object.values(value)) : notA(type.go, value);
    case 'list':
      return Array.isArray(value) ? inValues(type.of, value) : notA(type.go, value);
    case 'leaf':
      return READS_ITSELF.has(type.leaf) ? ending(inLeaf(type, value)) : inLeaf(type, value);
  }
}

const READS_ITSELF: ReadonlySet<LeafType['leaf']> = new Set<LeafType['leaf']>([
  'time',
  'microtime',
  'duration',
  'quantity',
  'intorstring',
  'schemaorbool',
  'schemaorarray',
  'schemaorstrings',
]);

function ending(wrong: Mismatch | undefined): Mismatch | undefined {
  return wrong && { ...wrong, ends: true };
}

function inStruct(type: StructType, value: Record<string, unknown>): Mismatch | undefined {
  let first: Mismatch | undefined;
  for (const key in value) {
    const field = type.byName.get(key);
    const wrong = field && mismatch(field.type, value[key]);
    if (!wrong) continue;
    // The innermost struct gives the name; a type that reads its own JSON has none.
    wrong.struct ||= type.name;
    wrong.path.push(key, ...field.through.toReversed());
    if (wrong.ends) return wrong;
    first ??= wrong;
  }
  return first;
}

function inValues(type: GoType, values: readonly unknown[]): Mismatch | undefined {
  let first: Mismatch | undefined;
  for (const value of values) {
    const wrong = mismatch(type, value);
    if (wrong?.ends) return wrong;
    first ??= wrong;
  }
  return first;
}

function inLeaf({ leaf, go }: LeafType, value: unknown): Mismatch | undefined {
  switch (leaf) {
    case 'string':
      return typeof value === 'string' ? undefined : notA(go, value);
    case 'bool':
      return typeof value === 'boolean' ? undefined : notA(go, value);
    case 'int32':
    case 'int64':
      return notInteger(leaf, go, value);
    case 'float64':
      return typeof value === 'number' ? undefined : notA(go, value);
    case 'bytes':
      return typeof value === 'string' ? said(base64Problem(value)) : notA(go, value);
    case 'time':
    case 'microtime':
      return typeof value === 'string' ? notTime(value, leaf === 'microtime') : notA('string', value);
    case 'duration':
      return typeof value === 'string' ? said(durationProblem(value)) : notA('string', value);
    case 'quantity':
      return said(quantityProblem(typeof value === 'string' ? value.trim() : JSON.stringify(value)));
    case 'intorstring':
      return typeof value === 'string' ? undefined : notInteger('int32', 'int32', value);
    case 'schemaorbool':
      if (typeof value === 'boolean') return undefined;
      return isObject(value) ? inSchemaProps(value) : said('boolean or JSON schema expected');
    case 'schemaorarray':
      if (Array.isArray(value)) return inValues(jsonSchemaPropsType(), value);
      return isObject(value) ? inSchemaProps(value) : undefined;
    case 'schemaorstrings':
      if (Array.isArray(value)) return inValues({ form: 'leaf', leaf: 'string', go: 'string' }, value);
      return isObject(value) ? inSchemaProps(value) : undefined;
    case 'fields':
    case 'raw':
    case 'json':
      return undefined;
  }
}

/** The schema's own decoder is a nested one: of the two, the outer names the struct. */
function inSchemaProps(value: Record<string, unknown>): Mismatch | undefined {
  const wrong = inStruct(jsonSchemaPropsType(), value);
  return wrong && { ...wrong, struct: '' };
}

function notA(type: string, value: unknown): Mismatch {
  return { found: jsonKind(value), type, struct: '', path: [] };
}

function said(message: string | undefined): Mismatch | undefined {
  return message === undefined ? undefined : { message, found: '', type: '', struct: '', path: [] };
}

function notInteger(size: 'int32' | 'int64', type: string, value: unknown): Mismatch | undefined {
  if (typeof value !== 'number') return notA(type, value);
  const limit = size === 'int32' ? 2 ** 31 : 2 ** 63;
  if (Number.isInteger(value) && value >= -limit && value < limit) return undefined;
  return { ...notA(type, value), found: `number ${value}` };
}

function notTime(text: string, micro: boolean): Mismatch | undefined {
  const time = parseGoTime(text, micro);
  return typeof time === 'string' ? said(time) : undefined;
}

/** What Go calls a JSON value of this type. */
export function jsonKind(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}

function quantityProblem(text: string): string | undefined {
  if (tryParseQuantity(text) !== undefined) return undefined;
  if (/^[+-]?[\d.]+[eEinumkKMGTP]*[-+]?\d*$/.test(text)) return `unable to parse quantity's suffix`;
  return `quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'`;
}

/** Where Go's decoder stops: at the first character that cannot stand there, or where the padding falls short. */
function base64Problem(text: string): string | undefined {
  const clean = text.replaceAll(/[\r\n]/g, '');
  if (/^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/.test(clean)) return undefined;
  const digits = /^[A-Za-z0-9+/]*/.exec(clean)?.[0].length ?? 0;
  return `illegal base64 data at input byte ${digits < clean.length ? digits : clean.length - (clean.length % 4)}`;
}

function durationProblem(text: string): string | undefined {
  if (/^[+-]?(?:0|(?:(?:\d+\.?\d*|\.\d+)(?:ns|us|µs|μs|ms|s|m|h))+)$/.test(text)) return undefined;
  return `time: invalid duration ${JSON.stringify(text)}`;
}
