import { isObject } from '#base/json.ts';
import { badRequest } from '#base/status-error.ts';
import type { Schema } from '#kube/schema/schema.ts';
import { type Members, member, setMember } from './member.ts';
import { DELETE_LIST, DIRECTIVE, ELEMENT_ORDER, plain, plainMembers, RETAIN_KEYS } from './strategic-directive.ts';
import { badDeleteList, badElementOrder, badRetainKeys, unknownDirective } from './strategic-failure.ts';
import { mergeLists, type MergeElement, orderedList } from './strategic-list.ts';

/**
 * Strategic merge patch: a merge patch that knows, from the schema, which lists are merged by a key.
 *
 * Directives in the patch: `$patch: delete|replace` on an object or list element, `$deleteFromPrimitiveList/<list>`,
 * `$setElementOrder/<list>` and `$retainKeys`. None of them, and no null, survives into the result. Neither argument is
 * changed; the result shares structure with both.
 *
 * As in Kubernetes a value that carries a `$patch` directive is dropped where the original has nothing it could act on.
 * Custom resources have no strategies; refusing them is the caller's business. Start at {@link strategicMergePatch};
 * lists are in `strategic-list.ts`.
 */
export function strategicMergePatch(schema: Schema, original: unknown, patch: unknown): unknown {
  if (!isObject(patch)) throw badRequest('invalid JSON document');
  return mergeObjects(schema, isObject(original) ? original : {}, patch);
}

const mergeObjects: MergeElement = (schema, original, patch) => {
  if (Object.hasOwn(patch, DIRECTIVE)) return directed(patch);
  const result = retained(original, patch);
  const ordered = applyElementOrders(schema, result, patch);
  for (const key of Object.keys(patch)) {
    if (key === RETAIN_KEYS || key.startsWith(ELEMENT_ORDER) || ordered.has(key)) continue;
    mergeMember(schema, result, key, member(patch, key));
  }
  return result;
};

function directed(patch: Members): Members {
  if (patch[DIRECTIVE] === 'delete') return {};
  if (patch[DIRECTIVE] !== 'replace') throw unknownDirective(patch[DIRECTIVE], patch);
  const { [DIRECTIVE]: _, ...rest } = patch;
  return plainMembers(rest);
}

/** A copy of the original, reduced to what `$retainKeys` names. */
function retained(original: Members, patch: Members): Members {
  if (!Object.hasOwn(patch, RETAIN_KEYS)) return { ...original };
  const keys = patch[RETAIN_KEYS];
  if (!Array.isArray(keys)) throw badRetainKeys();
  const kept = new Set<unknown>(keys);
  for (const [key, value] of Object.entries(patch)) {
    if (value === null || key === RETAIN_KEYS || key.startsWith(DELETE_LIST) || key.startsWith(ELEMENT_ORDER)) continue;
    if (!kept.has(key)) throw badRetainKeys();
  }
  return Object.fromEntries(Object.entries(original).filter(([key]) => kept.has(key)));
}

/** Merges the lists whose order the patch sets, and returns their names. */
function applyElementOrders(schema: Schema | undefined, result: Members, patch: Members): ReadonlySet<string> {
  const done = new Set<string>();
  for (const key of Object.keys(patch)) {
    if (!key.startsWith(ELEMENT_ORDER)) continue;
    const name = listName(key, ELEMENT_ORDER);
    if (name === undefined) throw badElementOrder();
    const list = schemaOf(schema, name);
    const merged = orderedList(list, patch[key], own(result, name), own(patch, name), mergeObjects);
    if (merged !== undefined) setMember(result, name, merged);
    done.add(name);
  }
  return done;
}

/** A member that is present, if only as null. */
function own(object: Members, key: string): { readonly value: unknown } | undefined {
  return Object.hasOwn(object, key) ? { value: object[key] } : undefined;
}

function listName(key: string, prefix: string): string | undefined {
  return key.startsWith(`${prefix}/`) ? key.slice(prefix.length + 1) : undefined;
}

function mergeMember(schema: Schema | undefined, result: Members, key: string, value: unknown): void {
  const deleting = key.startsWith(DELETE_LIST);
  const name = deleting ? listName(key, DELETE_LIST) : key;
  if (name === undefined) throw badDeleteList();
  if (value === null || value === undefined) {
    delete result[name];
    return;
  }
  const merged = mergeValues(schemaOf(schema, name), member(result, name), value, deleting);
  if (merged === undefined) delete result[name];
  else setMember(result, name, merged);
}

function mergeValues(schema: Schema | undefined, current: unknown, value: unknown, deleting: boolean): unknown {
  if (Array.isArray(current) && Array.isArray(value)) return mergeLists(schema, current, value, deleting, mergeObjects);
  if (deleting) return current;
  if (!isObject(current) || !isObject(value)) return plain(value);
  return schema?.patchStrategy?.includes('replace') ? plain(value) : mergeObjects(schema, current, value);
}

function schemaOf(schema: Schema | undefined, key: string): Schema | undefined {
  if (schema?.properties && Object.hasOwn(schema.properties, key)) return schema.properties[key];
  return typeof schema?.additionalProperties === 'object' ? schema.additionalProperties : undefined;
}
