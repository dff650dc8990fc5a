/**
 * The three operations of RFC 6902 that overriders know, to the letter: what is to be replaced or removed must be
 * there, and so must the parent of what is added. The API server forgives a missing member; Karmada does not.
 *
 * The document is not changed; the result shares with it what was left alone. A patch that does not fit throws a
 * {@link PatchProblem} that says where.
 */
import { isObject } from '#base/json.ts';
import type { OverriderOperator } from '#karmada/apis/index.ts';

export interface PatchOperation {
  readonly operator: OverriderOperator;
  /** A JSON pointer. */
  readonly path: string;
  readonly value?: unknown;
}

/** Why a patch does not fit; translated where it is known whose patch it is. */
export class PatchProblem extends Error {
  override readonly name = 'PatchProblem';
}

export function patchStrictly(document: unknown, operations: readonly PatchOperation[]): unknown {
  return operations.reduce((patched, operation) => perform(patched, operation), document);
}

/** The value a pointer leads to; undefined when there is none. */
export function valueAt(document: unknown, pointer: string): unknown {
  return keysOf(pointer).reduce<unknown>((at, key) => childOf(at, key), document);
}

function perform(document: unknown, { operator, path, value = null }: PatchOperation): unknown {
  return change(document, keysOf(path), path, (parent, key) => {
    switch (operator) {
      case 'add':
        return add(parent, key, value, path);
      case 'replace':
        return replace(parent, key, value, path);
      case 'remove':
        return remove(parent, key, path);
    }
  });
}

function keysOf(pointer: string): readonly string[] {
  if (!pointer.startsWith('/')) throw new PatchProblem(`${pointer} is no JSON pointer: it must start with /`);
  const keys = pointer.slice(1).split('/');
  return keys.map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
}

type Change = (parent: unknown, key: string) => unknown;

/** Walks down to the parent of the last key, and copies what it passed on the way back. */
function change(at: unknown, [key = '', ...rest]: readonly string[], path: string, apply: Change): unknown {
  if (rest.length === 0) return apply(at, key);
  const child = childOf(at, key);
  if (child === undefined) throw new PatchProblem(`${path} has no parent: there is no ${key}`);
  return withChild(at, key, change(child, rest, path, apply));
}

function childOf(at: unknown, key: string): unknown {
  if (Array.isArray(at)) return at[indexOf(at, key)];
  return isObject(at) && Object.hasOwn(at, key) ? at[key] : undefined;
}

function withChild(at: unknown, key: string, child: unknown): unknown {
  return Array.isArray(at) ? at.with(indexOf(at, key), child) : { ...(isObject(at) ? at : {}), [key]: child };
}

/** Negative indices count from the end; what is no index leads nowhere. */
function indexOf(list: readonly unknown[], key: string): number {
  if (!/^-?\d+$/.test(key)) return -1;
  const index = Number(key);
  return index < 0 ? index + list.length : index;
}

function add(parent: unknown, key: string, value: unknown, path: string): unknown {
  if (isObject(parent)) return { ...parent, [key]: value };
  if (!Array.isArray(parent)) throw new PatchProblem(`${path} cannot be added: its parent holds nothing`);
  const index = key === '-' ? parent.length : indexOf(parent, key);
  if (index < 0 || index > parent.length) throw new PatchProblem(`${path} is outside of the list`);
  return parent.toSpliced(index, 0, value);
}

function replace(parent: unknown, key: string, value: unknown, path: string): unknown {
  if (childOf(parent, key) === undefined) throw new PatchProblem(`${path} cannot be replaced: it is not there`);
  return withChild(parent, key, value);
}

function remove(parent: unknown, key: string, path: string): unknown {
  if (childOf(parent, key) === undefined) throw new PatchProblem(`${path} cannot be removed: it is not there`);
  if (Array.isArray(parent)) return parent.toSpliced(indexOf(parent, key), 1);
  const { [key]: _, ...rest } = isObject(parent) ? parent : {};
  return rest;
}
