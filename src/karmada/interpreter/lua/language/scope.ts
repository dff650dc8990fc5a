/** Which variable a name means: the blocks and functions around it, from the inside out. */
import type { Name, Upvalue, Variable } from './ast.ts';
import { LuaSyntaxError } from './lua-error.ts';

/** What is being parsed of one function. */
export interface Scope {
  readonly parent: Scope | undefined;
  readonly variadic: boolean;
  readonly upvalues: Upvalue[];
  readonly visible: Variable[];
  readonly blocks: Labels[];
  loops: number;
}

interface Labels {
  readonly declared: Set<string>;
  /** Jumps whose label has not been seen yet. */
  readonly pending: { readonly label: string; readonly line: number }[];
  readonly firstVariable: number;
}

export function scope(parent: Scope | undefined, variadic: boolean): Scope {
  return { parent, variadic, upvalues: [], visible: [], blocks: [], loops: 0 };
}

export function declare(inside: Scope, name: string): Variable {
  const variable = { name, slot: inside.visible.length, captured: false };
  inside.visible.push(variable);
  return variable;
}

export function resolve(name: string, inside: Scope): Name {
  const variable = inside.visible.findLast((candidate) => candidate.name === name);
  if (variable) return { type: 'local', variable };
  const index = upvalueIndex(name, inside);
  return index === undefined ? { type: 'global', name } : { type: 'upvalue', name, index };
}

/** Taken over from the next function out, which may have to take it over itself. */
function upvalueIndex(name: string, inside: Scope): number | undefined {
  const known = inside.upvalues.findIndex((upvalue) => upvalue.name === name);
  if (known >= 0) return known;
  if (!inside.parent) return undefined;
  const outer = resolve(name, inside.parent);
  if (outer.type === 'global') return undefined;
  if (outer.type === 'local') outer.variable.captured = true;
  const upvalue: Upvalue =
    outer.type === 'local'
      ? { name, from: 'local', variable: outer.variable }
      : { name, from: 'upvalue', index: outer.index };
  return inside.upvalues.push(upvalue) - 1;
}

export function openBlock({ blocks, visible }: Scope): void {
  blocks.push({ declared: new Set(), pending: [], firstVariable: visible.length });
}

/** Forgets the block's variables; jumps out of it are left to the block around it. */
export function closeBlock({ blocks, visible }: Scope): void {
  const closed = blocks.pop();
  if (!closed) return;
  visible.length = closed.firstVariable;
  const unresolved = closed.pending.filter(({ label }) => !closed.declared.has(label));
  const around = blocks.at(-1);
  if (around) around.pending.push(...unresolved);
  else for (const { label, line } of unresolved) throw new LuaSyntaxError(`no visible label '${label}'`, line);
}

export function declareLabel({ blocks }: Scope, label: string, line: number): void {
  const block = blocks.at(-1);
  if (block?.declared.has(label)) throw new LuaSyntaxError(`label '${label}' already defined`, line);
  block?.declared.add(label);
}

export function jumpTo({ blocks }: Scope, label: string, line: number): void {
  blocks.at(-1)?.pending.push({ label, line });
}
