/** One rule, compiled; each schema's rules are compiled once. */
import type { Schema, ValidationRule } from '../schema.ts';
import { compile, isProgram, type Program } from './compile.ts';
import { kubernetesLibrary } from './library/index.ts';
import { schemaType } from './schema-type.ts';
import { optionalOf } from './type.ts';

export interface UsableRule {
  readonly rule: ValidationRule;
  readonly program: Program;
  readonly usesOldSelf: boolean;
  readonly message?: Program;
  /** Where a failure is told, below the place of the rule. */
  readonly fieldPath: string;
}

export type CompiledRule =
  | UsableRule
  | { readonly rule: ValidationRule; readonly part: 'rule' | 'messageExpression'; readonly problem: string };

export function compileRule(schema: Schema, rule: ValidationRule): CompiledRule {
  const type = schemaType(schema);
  if (!type) return { rule, part: 'rule', problem: 'failed to convert to declType for CEL validation rules' };
  const variables = { self: type, oldSelf: rule.optionalOldSelf ? optionalOf(type) : type };
  const program = compile(rule.rule, variables, kubernetesLibrary());
  if (!isProgram(program)) {
    const phase = program.phase === 'instantiation' ? 'program instantiation' : program.phase;
    return { rule, part: 'rule', problem: `${phase} failed: ${program.problem}` };
  }
  if (!isNamed(program, 'bool')) return { rule, part: 'rule', problem: 'cel expression must evaluate to a bool' };
  const base = {
    rule,
    program,
    usesOldSelf: program.uses.has('oldSelf'),
    fieldPath: relativePath(rule.fieldPath ?? ''),
  };
  if (!rule.messageExpression) return base;
  const message = compile(rule.messageExpression, variables, kubernetesLibrary());
  const part = 'messageExpression';
  if (!isProgram(message)) {
    return { rule, part, problem: `messageExpression ${message.phase} failed: ${message.problem}` };
  }
  if (!isNamed(message, 'string')) return { rule, part, problem: 'messageExpression must evaluate to a string' };
  return { ...base, message };
}

function isNamed({ type }: Program, name: string): boolean {
  return type.kind === 'simple' && type.name === name;
}

/** `.a.b['c']` as paths of errors are written: `a.b[c]`. */
function relativePath(path: string): string {
  return path.replace(/^\./, '').replaceAll(/\['((?:[^'\\]|\\.)*)'\]/g, '[$1]');
}

const compiled = new WeakMap<Schema, readonly CompiledRule[]>();

/** The rules of a schema itself. */
export function rulesOf(schema: Schema): readonly CompiledRule[] {
  let rules = compiled.get(schema);
  if (!rules) {
    const { validations = [] } = schema;
    rules = validations.filter(({ rule }) => rule.trim() !== '').map((rule) => compileRule(schema, rule));
    compiled.set(schema, rules);
  }
  return rules;
}
