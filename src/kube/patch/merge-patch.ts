import { isObject, jsonEqual } from '#base/json.ts';
import { badRequest } from '#base/status-error.ts';
import { type Members, member, setMember } from './member.ts';

/**
 * JSON Merge Patch (RFC 7386), as the Kubernetes API server applies it: null removes a member, an object merges, any
 * other value replaces. As there, nulls are also dropped from objects inside an array the patch brings.
 *
 * Neither argument is changed; the result shares structure with both. A patch that is no object is a BadRequest.
 */
export function applyMergePatch(document: unknown, patch: unknown): unknown {
  if (patch === null) throw badRequest('Invalid JSON Patch');
  if (!isObject(patch)) {
    const found = Array.isArray(patch) ? 'array' : typeof patch === 'boolean' ? 'bool' : typeof patch;
    throw badRequest(
      `error decoding patch: json: cannot unmarshal ${found} into Go value of type map[string]interface {}`,
    );
  }
  return isObject(document) ? merge(document, patch) : withoutNulls(patch);
}

function merge(document: Members, patch: Members): Members {
  const result: Members = { ...document };
  for (const key of Object.keys(patch)) {
    const value = member(patch, key);
    if (value === null || value === undefined) delete result[key];
    else setMember(result, key, mergeValue(member(document, key), value));
  }
  return result;
}

function mergeValue(current: unknown, value: unknown): unknown {
  return isObject(current) && isObject(value) ? merge(current, value) : withoutNulls(value);
}

function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  return isObject(value) ? merge({}, value) : value;
}

/**
 * The smallest merge patch that turns `from` into `to`; for equal objects it is empty.
 *
 * Holds for documents without null members: a merge patch has no way to say null.
 */
export function createMergePatch(from: unknown, to: unknown): unknown {
  return isObject(from) && isObject(to) ? difference(from, to) : to;
}

function difference(from: Members, to: Members): Members {
  const patch: Members = {};
  for (const key of Object.keys(to)) {
    const change = changeOf(member(from, key), member(to, key));
    if (change !== undefined) setMember(patch, key, change);
  }
  for (const key of Object.keys(from)) {
    if (member(from, key) !== undefined && member(to, key) === undefined) setMember(patch, key, null);
  }
  return patch;
}

/** What the patch says about one member; undefined when it need not be mentioned. */
function changeOf(from: unknown, to: unknown): unknown {
  if (!isObject(from) || !isObject(to)) return jsonEqual(from, to) ? undefined : to;
  const patch = difference(from, to);
  return Object.keys(patch).length === 0 ? undefined : patch;
}
