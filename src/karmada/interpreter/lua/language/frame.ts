/** What one call of a function works on. */
import type { Run } from './run.ts';
import type { LuaValue } from './value.ts';

/** A variable that inner functions share. */
export interface Box {
  value: LuaValue;
}

export interface Frame {
  readonly run: Run;
  /** Variables by slot: of those that inner functions use the boxes, of all others the values. */
  readonly values: LuaValue[];
  readonly boxes: Box[];
  readonly upvalues: readonly Box[];
  readonly varargs: readonly LuaValue[];
}

/** A jump out of statements: to a label, or out of a loop. */
export interface Jump {
  readonly label: string | undefined;
  readonly line: number | undefined;
}

export const BREAK: Jump = { label: undefined, line: undefined };

/** How a statement ended: it went through, it jumps, or it returned these values. */
export type Completion = undefined | Jump | readonly LuaValue[];

export type Evaluate = (frame: Frame) => LuaValue;
export type EvaluateAll = (frame: Frame) => readonly LuaValue[];
export type Execute = (frame: Frame) => Completion;

export function isReturn(completion: Jump | readonly LuaValue[]): completion is readonly LuaValue[] {
  return Array.isArray(completion);
}
