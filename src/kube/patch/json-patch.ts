import { isObject, jsonEqual } from '#base/json.ts';
import { badRequest, StatusError } from '#base/status-error.ts';
import { type Members, member, setMember } from './member.ts';

/**
 * JSON Patch (RFC 6902), as the Kubernetes API server applies it.
 *
 * The document given is never changed; the result shares with it what the patch left alone. Where the RFC and
 * Kubernetes differ, Kubernetes is followed if it accepts more: `replace` of a missing member adds it, negative indices
 * count from the end, a missing member tests equal to null. Pointers the RFC calls malformed are refused.
 *
 * A patch that cannot be read is a BadRequest that says why; one that does not fit the document is Invalid with the one
 * message Kubernetes has for it. Start at {@link applyJsonPatch}.
 */
export function applyJsonPatch(document: unknown, operations: unknown): unknown {
  const decoded = decodeOperations(operations);
  const state: State = { root: document, owned: new WeakSet(), copied: 0 };
  for (const operation of decoded) perform(state, operation);
  return state.root;
}

/** As Kubernetes: more operations than this are refused unread. */
export const MAX_OPERATIONS = 10_000;
/** All `copy` operations of a patch may together add this many bytes: the largest request body. */
export const MAX_COPIED_BYTES = 3 * 1024 * 1024;

interface Operation {
  readonly op: string | undefined;
  readonly path: string | undefined;
  readonly from: string | undefined;
  readonly value: unknown;
}

interface State {
  root: unknown;
  /** Containers made by this patch: only these are changed in place. */
  readonly owned: WeakSet<object>;
  copied: number;
}

function decodeOperations(operations: unknown): readonly Operation[] {
  if (operations === null) return [];
  if (!Array.isArray(operations)) throw malformed(operations, 'value of type []handlers.jsonPatchOp');
  if (operations.length > MAX_OPERATIONS) {
    throw new StatusError(
      'RequestEntityTooLarge',
      `Request entity too large: The allowed maximum operations in a JSON patch is ${MAX_OPERATIONS}, got ${operations.length}`,
    );
  }
  return operations.map(decodeOperation);
}

const TEXTS: readonly string[] = ['op', 'path', 'from'];

function decodeOperation(operation: unknown): Operation {
  if (operation === null) return { op: undefined, path: undefined, from: undefined, value: null };
  if (!isObject(operation)) throw malformed(operation, 'value of type handlers.jsonPatchOp');
  for (const [name, value] of Object.entries(operation)) {
    if (!TEXTS.includes(name) || typeof value === 'string' || value === null) continue;
    throw malformed(value, `struct field jsonPatchOp.${name} of type string`);
  }
  const text = (name: string): string | undefined => (operation[name] as string | null | undefined) ?? undefined;
  return { op: text('op'), path: text('path'), from: text('from'), value: operation['value'] ?? null };
}

function malformed(value: unknown, into: string): StatusError {
  return badRequest(`error decoding patch: json: cannot unmarshal ${jsonTypeOf(value)} into Go ${into}`);
}

function jsonTypeOf(value: unknown): string {
  if (Array.isArray(value)) return 'array';
  return typeof value === 'boolean' ? 'bool' : typeof value;
}

function perform(state: State, { op, path, from, value }: Operation): void {
  switch (op) {
    case 'add':
      return insert(state, parse(path), value);
    case 'remove':
      return remove(state, parse(path));
    case 'replace':
      return replace(state, parse(path), value);
    case 'move':
      return move(state, parse(from), parse(path));
    case 'copy':
      return insert(state, parse(path), copyOf(state, read(state.root, parse(from))));
    case 'test':
      if (!jsonEqual(read(state.root, parse(path)) ?? null, value)) throw rejected('a test failed');
      return;
    default:
      throw rejected('unknown operation');
  }
}

function move(state: State, from: readonly string[], path: readonly string[]): void {
  const moved = read(state.root, from);
  remove(state, from);
  insert(state, path, moved);
}

function insert(state: State, path: readonly string[], value: unknown): void {
  const key = path.at(-1);
  if (key === undefined) return replaceRoot(state, value);
  const parent = writable(state, path);
  if (!Array.isArray(parent)) return setMember(parent, key, value);
  parent.splice(key === '-' ? parent.length : indexIn(key, parent.length + 1), 0, value);
}

function replace(state: State, path: readonly string[], value: unknown): void {
  const key = path.at(-1);
  if (key === undefined) return replaceRoot(state, value);
  const parent = writable(state, path);
  if (Array.isArray(parent)) parent[indexIn(key, parent.length)] = value;
  else setMember(parent, key, value);
}

function replaceRoot(state: State, value: unknown): void {
  if (!isObject(value) && !Array.isArray(value)) throw rejected('the document must be an object or array');
  state.root = value;
}

function remove(state: State, path: readonly string[]): void {
  const key = path.at(-1);
  if (key === undefined) throw rejected('the whole document cannot be removed');
  const parent = writable(state, path);
  if (Array.isArray(parent)) parent.splice(indexIn(key, parent.length), 1);
  else if (Object.hasOwn(parent, key)) delete parent[key];
  else throw rejected(`nothing at ${key}`);
}

/** The value at `path`; undefined when only the last member is missing. */
function read(root: unknown, path: readonly string[]): unknown {
  let value = root;
  for (const key of path) value = child(value, key);
  return value;
}

function child(parent: unknown, key: string): unknown {
  if (Array.isArray(parent)) return parent[indexIn(key, parent.length)];
  if (isObject(parent)) return member(parent, key);
  throw rejected(`no container for ${key}`);
}

/** The container that holds the last key of `path`, made this patch's own together with all above it. */
function writable(state: State, path: readonly string[]): unknown[] | Members {
  let container = own(state, state.root);
  state.root = container;
  for (const key of path.slice(0, -1)) {
    const next = own(state, child(container, key));
    if (Array.isArray(container)) container[indexIn(key, container.length)] = next;
    else setMember(container, key, next);
    container = next;
  }
  return container;
}

function own(state: State, value: unknown): unknown[] | Members {
  if (!Array.isArray(value) && !isObject(value)) throw rejected('a path leads through a value that is no container');
  if (state.owned.has(value)) return value;
  const copy = Array.isArray(value) ? [...value] : { ...value };
  state.owned.add(copy);
  return copy;
}

/** A copy stands in two places at once, so it must not keep containers that this patch changes in place. */
function copyOf(state: State, value: unknown): unknown {
  const text = JSON.stringify(value ?? null);
  state.copied += Buffer.byteLength(text);
  if (state.copied > MAX_COPIED_BYTES) throw rejected('too much is copied');
  return JSON.parse(text);
}

const INDEX = /^-?(?:0|[1-9]\d{0,9})$/;

function indexIn(key: string, length: number): number {
  if (!INDEX.test(key)) throw rejected(`${key} is no index`);
  const index = Number(key) < 0 ? Number(key) + length : Number(key);
  if (index < 0 || index >= length) throw rejected(`index ${key} is out of range`);
  return index;
}

/** A JSON pointer (RFC 6901) as its keys. */
function parse(pointer: string | undefined): readonly string[] {
  if (pointer === '') return [];
  if (pointer === undefined || pointer[0] !== '/') throw rejected('a path must begin with a slash');
  return pointer.slice(1).split('/').map(unescape);
}

function unescape(key: string): string {
  return key.includes('~') ? key.replaceAll('~1', '/').replaceAll('~0', '~') : key;
}

/** Kubernetes tells the client nothing of why a patch does not fit; the cause keeps it for the log. */
function rejected(why: string): StatusError {
  return new StatusError('Invalid', 'the server rejected our request due to an error in our request', {
    details: {},
    cause: why,
  });
}
