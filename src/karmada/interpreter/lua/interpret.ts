/**
 * Customisations tried out: an operation, the objects it is about, and what comes of it, with the line of a mistake.
 *
 * This is what the command line and the console call to test scripts before anything depends on them. Nothing is
 * thrown: that a script does not work is an answer.
 */
import { StatusError } from '#base/status-error.ts';
import type { AggregatedStatusItem, ResourceInterpreterCustomization } from '#karmada/apis/index.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import type { Answers, Question } from '../operations.ts';
import type { Operation } from '../resource-interpreter.ts';
import { askScript, type CallScript, lineOf, type NamedScript, scriptFailure } from './ask-script.ts';
import { customizedScripts, scriptsOf } from './customized-scripts.ts';
import { compile, DEFAULT_LIMITS, REAL_WORLD, textOf } from './language/index.ts';
import { distinct } from './lua-interpreter.ts';
import { runScript } from './run-script.ts';

export interface Interpretation {
  readonly operation: Operation;
  /** The template; operations about a member's object may be given `observed` instead. */
  readonly desired?: KubeObject;
  readonly observed?: KubeObject;
  readonly replicas?: number;
  readonly items?: readonly AggregatedStatusItem[];
}

/** One thing an operation answered, under the name Karmada's own command prints it with. */
export interface NamedResult {
  readonly name: string;
  readonly value: unknown;
}

export type InterpretOutcome =
  | { readonly results: readonly NamedResult[]; readonly printed: readonly string[] }
  | { readonly error: ScriptProblem; readonly printed: readonly string[] };

export interface ScriptProblem {
  /** Whose script it is, of which operation, where, and what is wrong. */
  readonly message: string;
  /** Only what is wrong. */
  readonly problem: string;
  readonly customization?: string;
  readonly operation: Operation;
  readonly line?: number;
}

/** What is wrong with the scripts before they are ever run; nothing when all of them are Lua. */
export function checkScripts(customization: ResourceInterpreterCustomization): readonly ScriptProblem[] {
  return scriptsOf(customization).flatMap((script) => {
    try {
      compile(script.source);
      return [];
    } catch (error) {
      return [problemOf(script, error)];
    }
  });
}

/** On the caller's own thread, for as long as the time limit, unless a runner is given. */
export async function interpret(
  customizations: readonly ResourceInterpreterCustomization[],
  interpretation: Interpretation,
  { call = onThisThread }: { readonly call?: CallScript } = {},
): Promise<InterpretOutcome> {
  const { operation } = interpretation;
  const printed: string[] = [];
  const question = questionOf(interpretation);
  if (typeof question === 'string') return { error: { operation, message: question, problem: question }, printed };
  const { apiVersion, kind } = question.object;
  const scripts = customizedScripts(customizations).get(`${apiVersion}/${kind}`)?.get(operation) ?? [];
  const answers: unknown[] = [];
  for (const script of scripts) {
    try {
      answers.push(await askScript(script, question, (asked) => call(asked, (line) => printed.push(textOf(line)))));
    } catch (error) {
      return { error: problemOf(script, error), printed };
    }
  }
  if (answers.length === 0) {
    const message = `no customization has ${operation} for ${apiVersion} ${kind}`;
    return { error: { operation, message, problem: message }, printed };
  }
  return { results: resultsOf(operation, answers), printed };
}

const onThisThread: CallScript = (call, print = REAL_WORLD.print) =>
  runScript(call, DEFAULT_LIMITS, { ...REAL_WORLD, print });

/** What the operation is asked about, or what is missing. */
function questionOf({ operation, desired, observed, replicas, items }: Interpretation): Question | string {
  if (operation === 'Retain' && !(desired && observed)) return 'Retain needs the desired and the observed object';
  if (operation !== 'Retain' && desired && observed) return `${operation} is about one object, not two`;
  const object = desired ?? observed;
  if (!object) return `${operation} needs an object`;
  return {
    object,
    ...(desired && observed ? { observed } : {}),
    ...(replicas === undefined ? {} : { replicas }),
    ...(items ? { items } : {}),
  };
}

const RESULT_NAMES: Readonly<Record<Exclude<Operation, 'InterpretReplica'>, string>> = {
  Retain: 'retained',
  InterpretComponent: 'components',
  ReviseReplica: 'revised',
  InterpretStatus: 'status',
  AggregateStatus: 'aggregatedStatus',
  InterpretHealth: 'healthy',
  InterpretDependency: 'dependencies',
};

function resultsOf(operation: Operation, answers: readonly unknown[]): readonly NamedResult[] {
  if (operation === 'InterpretReplica') {
    const { replicas, requirements } = answers[0] as Answers['InterpretReplica'];
    return [
      { name: 'replica', value: replicas },
      { name: 'requires', value: requirements },
    ];
  }
  const value =
    operation === 'InterpretDependency'
      ? distinct((answers as readonly Answers['InterpretDependency'][]).flat())
      : answers[0];
  return [{ name: RESULT_NAMES[operation], value }];
}

function problemOf(script: Omit<NamedScript, 'source'>, error: unknown): ScriptProblem {
  const failure = error instanceof StatusError ? error : scriptFailure(script, error);
  const cause = failure.cause instanceof Error ? failure.cause : failure;
  const line = lineOf(failure);
  const { customization, operation } = script;
  return {
    message: failure.message,
    problem: cause.message,
    customization,
    operation,
    ...(line === undefined ? {} : { line }),
  };
}
