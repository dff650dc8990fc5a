/**
 * CEL rules of custom resources (`x-kubernetes-validations`).
 *
 * {@link ruleProblems} checks them when a CRD is made; {@link validateRules} asks them about an object. Words, order
 * and limits are those of k8s.io/apiextensions-apiserver/pkg/apiserver/schema/cel.
 */
import { isObject, jsonEqual } from '#base/json.ts';
import { type FieldError, forbidden, goJson, required } from '#kube/meta/field-error.ts';
import { correlatedItems } from '../list-map.ts';
import type { Schema, ValidationRule } from '../schema.ts';
import { factsOf } from '../schema-facts.ts';
import { CelError } from './cel-error.ts';
import { multiply } from './cost-size.ts';
import { type CompiledRule, compileRule, rulesOf, type UsableRule } from './rule.ts';
import { occurrencesBelow, type RuleBudget, ruleBudget } from './rule-budget.ts';
import { mostOccurrences, schemaSize } from './schema-size.ts';
import { schemaValue } from './schema-type.ts';
import { OVER_BUDGET } from './scope.ts';
import { type CelValue, NONE, some } from './value.ts';

/** What one rule may cost, and all rules of an object together. */
const PER_RULE = 1_000_000;
const PER_OBJECT = 10_000_000;

/** `old` is the object before an update: rules about `oldSelf` are asked only where there is one. */
export function validateRules(schema: Schema, value: unknown, old?: unknown): FieldError[] {
  const run: Run = { errors: [], remaining: PER_OBJECT };
  visit(run, { schema, value, old, at: '', unchanged: () => old !== undefined && jsonEqual(value, old) });
  return run.errors;
}

interface Run {
  readonly errors: FieldError[];
  /** Negative when the budget has run out: nothing is asked any more. */
  remaining: number;
}

/** A place in the object, and what it was before. */
interface Place {
  readonly schema: Schema;
  readonly value: unknown;
  readonly old: unknown;
  readonly at: string;
  /** Whether it, or what contains it, is as it was: then its errors are old ones. */
  readonly unchanged: () => boolean;
}

function visit(run: Run, place: Place): void {
  const { schema, value } = place;
  if (value === null || value === undefined || run.remaining < 0 || !factsOf(schema).rules) return;
  askRules(run, place);
  if (Array.isArray(value)) visitItems(run, place, value);
  else if (isObject(value)) visitMembers(run, place, value);
}

function visitItems(run: Run, { schema, old, at, unchanged }: Place, value: readonly unknown[]): void {
  const { items } = schema;
  if (!items) return;
  const oldItem = correlatedItems(schema, old);
  value.forEach((item, index) => {
    const before = oldItem(item);
    visit(run, child(items, item, before, `${at}[${index}]`, unchanged));
  });
}

function visitMembers(run: Run, { schema, old, at, unchanged }: Place, value: Record<string, unknown>): void {
  const { properties, additionalProperties } = schema;
  for (const [key, member] of Object.entries(value)) {
    const before = isObject(old) && Object.hasOwn(old, key) ? old[key] : undefined;
    const known = properties && Object.hasOwn(properties, key) ? properties[key] : undefined;
    if (known) visit(run, child(known, member, before, at === '' ? key : `${at}.${key}`, unchanged));
    else if (typeof additionalProperties === 'object') {
      visit(run, child(additionalProperties, member, before, `${at}[${key}]`, unchanged));
    }
  }
}

function child(schema: Schema, value: unknown, old: unknown, at: string, above: () => boolean): Place {
  return { schema, value, old, at, unchanged: () => (old === undefined ? above() : jsonEqual(value, old)) };
}

function askRules(run: Run, place: Place): void {
  const { schema, value, old } = place;
  const rules = schema.validations ? rulesOf(schema) : [];
  if (rules.length === 0) return;
  const self = convert(schema, value);
  const oldSelf = old === undefined || old === null ? undefined : convert(schema, old);
  for (const rule of rules) {
    if (run.remaining < 0) return;
    const { optionalOldSelf } = rule.rule;
    // A rule about a change has nothing to say where there was nothing.
    if ('program' in rule && rule.usesOldSelf && oldSelf === undefined && !optionalOldSelf) continue;
    const optional = oldSelf === undefined ? NONE : some(oldSelf);
    ask(run, place, rule, { self, oldSelf: optionalOldSelf ? optional : (oldSelf ?? null) });
  }
}

/** A value that does not fit its schema has been told of already. */
function convert(schema: Schema, value: unknown): CelValue {
  try {
    return schemaValue(schema, value);
  } catch {
    return null;
  }
}

type Variables = Readonly<Record<string, CelValue>>;

function ask(run: Run, place: Place, rule: CompiledRule, variables: Variables): void {
  const { schema, at } = place;
  if (!('program' in rule)) {
    run.errors.push(broken(schema, at, `rule compile error: ${rule.problem}`));
    return;
  }
  const result = evaluate(() => rule.program.evaluate(variables, budgetOf(run)));
  if (typeof result === 'object' && result !== null && 'failure' in result) {
    run.errors.push(broken(schema, at, failureText(result.failure, rule.rule)));
    if (result.failure === OVER_BUDGET) run.remaining = -1;
    return;
  }
  if (result === true) return;
  // What was wrong before and has not been touched is let pass; a rule about the change itself is not about the past.
  if (!rule.usesOldSelf && place.unchanged()) return;
  run.errors.push(failed(place, joined(at, rule.fieldPath), rule, detailOf(run, rule, variables)));
}

function joined(at: string, below: string): string {
  if (at === '' || below === '') return at + below;
  return below.startsWith('[') ? at + below : `${at}.${below}`;
}

type Outcome = CelValue | { readonly failure: string };

function evaluate(run: () => CelValue): Outcome {
  try {
    return run();
  } catch (error) {
    if (error instanceof CelError) return { failure: error.message };
    throw error;
  }
}

/** The budget of one rule, which what is left for the object may shorten. */
function budgetOf(run: Run): { remaining: number } {
  const limit = Math.min(PER_RULE, run.remaining);
  return {
    get remaining() {
      return limit;
    },
    set remaining(left: number) {
      run.remaining -= limit - left;
    },
  };
}

function failureText(failure: string, rule: ValidationRule): string {
  if (failure.startsWith('no such overload')) {
    return `'${failure}': call arguments did not match a supported operator, function or macro signature for rule: ${ruleText(rule)}`;
  }
  if (failure === OVER_BUDGET) {
    return `'${failure}': no further validation rules will be run due to call cost exceeds limit for rule: ${ruleText(rule)}`;
  }
  return `${failure} evaluating rule: ${ruleText(rule)}`;
}

function ruleText({ message, rule }: ValidationRule): string {
  return (message ? message : rule).trim();
}

/** The longest message an expression may make. */
const LONGEST_MESSAGE = 5 * 1024;

function detailOf(run: Run, rule: UsableRule, variables: Variables): string {
  const { message } = rule;
  if (message) {
    const made = evaluate(() => message.evaluate(variables, budgetOf(run)));
    const text = typeof made === 'string' ? made.trim() : '';
    // A message that cannot be made is no reason to keep the failure quiet.
    if (text !== '' && text.length <= LONGEST_MESSAGE && !text.includes('\n')) return text;
  }
  return rule.rule.message ? rule.rule.message.trim() : `failed rule: ${ruleText(rule.rule)}`;
}

function failed({ schema, value }: Place, at: string, { rule }: CompiledRule, detail: string): FieldError {
  const field = at === '' ? '<nil>' : at;
  // Objects and lists are not repeated in the message.
  const shown = schema.type === 'object' || schema.type === 'array' ? '' : `: ${goJson(value)}`;
  switch (rule.reason) {
    case 'FieldValueForbidden':
      return forbidden(field, detail);
    case 'FieldValueRequired':
      return required(field, detail);
    case 'FieldValueDuplicate':
      return { reason: 'FieldValueDuplicate', field, message: `Duplicate value${shown}` };
    default:
      return { reason: 'FieldValueInvalid', field, message: `Invalid value${shown}: ${detail}` };
  }
}

function broken({ type }: Schema, at: string, detail: string): FieldError {
  const message = `Invalid value: ${goJson(type ?? '')}: ${detail}`;
  return { reason: 'FieldValueInvalid', field: at === '' ? '<nil>' : at, message };
}

/**
 * What is wrong with the rules of a CRD's schema; `at` is where the schema is in the CRD. In a schema that is `unchanged`
 * no rule is too expensive by itself.
 */
export function ruleProblems(schema: Schema, at: string, unchanged = false): FieldError[] {
  const budget = ruleBudget(unchanged);
  return [...problemsAt({ schema, at, often: 1, budget }), ...budget.overdrawn(at)];
}

/** A schema within a CRD. */
interface Declared {
  readonly schema: Schema;
  readonly at: string;
  /** How many values of it there can be; undefined where nothing limits them. */
  readonly often: number | undefined;
  readonly budget: RuleBudget;
  /** The list above whose items cannot be told apart between two versions. */
  readonly uncorrelated?: string | undefined;
}

function problemsAt(declared: Declared): FieldError[] {
  const { schema, at, uncorrelated } = declared;
  if (!factsOf(schema).rules) return [];
  const { properties, additionalProperties, items } = schema;
  const often = occurrencesBelow(schema, declared.often);
  const inner = (part: Schema, name: string) => ({ ...declared, schema: part, at: `${at}.${name}`, often });
  const list = schema.listType === 'map' ? uncorrelated : (uncorrelated ?? at);
  return [
    ...(typeof additionalProperties === 'object'
      ? problemsAt(inner(additionalProperties, 'additionalProperties'))
      : []),
    ...Object.entries(properties ?? {}).flatMap(([name, property]) =>
      problemsAt(inner(property, `properties[${name}]`)),
    ),
    ...(items ? problemsAt({ ...inner(items, 'items'), uncorrelated: list }) : []),
    ...(schema.validations ?? []).flatMap((rule, index) =>
      oneRule(declared, rule, `${at}.x-kubernetes-validations[${index}]`),
    ),
  ];
}

function oneRule(declared: Declared, rule: ValidationRule, at: string): FieldError[] {
  if (rule.rule.trim() === '') return [];
  const compiled = compileRule(declared.schema, rule);
  const told = (part: string, value: unknown, detail: string): FieldError => ({
    reason: 'FieldValueInvalid',
    field: `${at}.${part}`,
    message: `Invalid value: ${goJson(value)}: ${detail}`,
  });
  if (!('program' in compiled)) return [told(compiled.part, goRule(rule), compiled.problem)];
  const errors = costProblems(declared, compiled, at);
  if (compiled.usesOldSelf && declared.uncorrelated !== undefined) {
    const detail = `oldSelf cannot be used on the uncorrelatable portion of the schema within ${declared.uncorrelated}`;
    errors.push(told('rule', rule.rule, detail));
  } else if (!compiled.usesOldSelf && rule.optionalOldSelf !== undefined) {
    errors.push(told('optionalOldSelf', rule.optionalOldSelf, 'may not be set if oldSelf is not used in rule'));
  }
  return errors;
}

function costProblems({ schema, often, budget }: Declared, { program, message }: UsableRule, at: string): FieldError[] {
  const size = schemaSize(schema);
  if (!size) return [];
  const cost = multiply(program.estimate(size), often ?? mostOccurrences(size));
  const errors = budget.spend(`${at}.rule`, cost, 'estimated rule cost');
  if (!message) return errors;
  const spent = budget.spend(`${at}.messageExpression`, message.estimate(size), 'estimated messageExpression cost');
  return [...errors, ...spent];
}

/** The rule as Go's internal type is written. */
function goRule(rule: ValidationRule): Record<string, unknown> {
  return {
    Rule: rule.rule,
    Message: rule.message ?? '',
    MessageExpression: rule.messageExpression ?? '',
    Reason: rule.reason ?? null,
    FieldPath: rule.fieldPath ?? '',
    OptionalOldSelf: rule.optionalOldSelf ?? null,
  };
}
