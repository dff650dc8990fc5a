/**
 * An operation asked of a script: which function answers it, with which arguments, and what its results mean.
 *
 * A failure names the customisation, the operation and the line, and is worth reading by whoever wrote the script.
 */
import { isObject } from '#base/json.ts';
import { StatusError } from '#base/status-error.ts';
import {
  decodeComponents,
  decodeDependencies,
  decodeHealth,
  decodeObject,
  decodeReplicas,
  decodeRequirements,
  decodeStatus,
} from '../decode-answers.ts';
import type { Answers, Question } from '../operations.ts';
import type { Awaitable, Operation } from '../resource-interpreter.ts';
import { isScriptError } from './language/index.ts';
import type { CallResults, ScriptCall } from './run-script.ts';
import { type Encoded, restoreEmpty, withoutEmpty } from './values.ts';

/** A script and whose it is. */
export interface NamedScript {
  readonly customization: string;
  readonly operation: Operation;
  readonly source: string;
}

/** Runs a call; what the script prints goes to `print`. */
export type CallScript = (call: ScriptCall, print?: (line: string) => void) => Awaitable<CallResults>;

interface Rule<Answer> {
  readonly functionName: string;
  readonly args: (question: Question) => readonly unknown[];
  readonly results: number;
  readonly decode: (values: readonly Encoded[], question: Question) => Answer;
}

const aboutObject = ({ object }: Question) => [object];

const RULES: { readonly [O in Operation]: Rule<Answers[O]> } = {
  InterpretReplica: {
    functionName: 'GetReplicas',
    args: aboutObject,
    results: 2,
    decode: ([replicas, requirements]) => ({
      replicas: decodeReplicas(replicas),
      ...(requirements === undefined ? {} : { requirements: decodeRequirements(madeObject(requirements)) }),
    }),
  },
  InterpretComponent: {
    functionName: 'GetComponents',
    args: aboutObject,
    results: 1,
    decode: ([components]) => decodeComponents(withoutEmpty(components)),
  },
  ReviseReplica: {
    functionName: 'ReviseReplica',
    args: ({ object, replicas }) => [object, replicas ?? 0],
    results: 1,
    decode: ([revised], { object }) => decodeObject(restoreEmpty(revised, [object])),
  },
  Retain: {
    functionName: 'Retain',
    args: ({ object, observed }) => [object, observed],
    results: 1,
    decode: ([retained], { object, observed }) => decodeObject(restoreEmpty(retained, [object, observed])),
  },
  AggregateStatus: {
    functionName: 'AggregateStatus',
    args: ({ object, items }) => [object, items],
    results: 1,
    decode: ([aggregated]) => decodeObject(withoutEmpty(aggregated)),
  },
  InterpretHealth: {
    functionName: 'InterpretHealth',
    args: aboutObject,
    results: 1,
    decode: ([healthy]) => decodeHealth(healthy),
  },
  InterpretStatus: {
    functionName: 'ReflectStatus',
    args: aboutObject,
    results: 1,
    decode: ([status]) => decodeStatus(madeObject(status)),
  },
  InterpretDependency: {
    functionName: 'GetDependencies',
    args: aboutObject,
    results: 1,
    decode: ([dependencies]) => {
      if (dependencies === undefined)
        throw new StatusError('BadRequest', 'dependencies: expected a list but got nothing');
      return decodeDependencies(withoutEmpty(dependencies));
    },
  },
};

/** The empty table is an object here, since nothing else is expected. */
function madeObject(value: Encoded): Encoded {
  return Array.isArray(value) && value.length === 0 ? {} : withoutEmpty(value);
}

export function askScript<O extends Operation>(
  script: NamedScript & { readonly operation: O },
  question: Question,
  call: CallScript,
): Awaitable<Answers[O]> {
  const rule: Rule<Answers[O]> = RULES[script.operation];
  const { functionName, results } = rule;
  return settle(
    () => call({ source: script.source, functionName, args: rule.args(question), results }),
    (values) => rule.decode(values, question),
    (error) => scriptFailure(script, error),
  );
}

/** Answers at once where it can: most scripts have run before anybody could have waited for them. */
function settle<T, U>(
  ask: () => Awaitable<T>,
  decode: (value: T) => U,
  failure: (error: unknown) => Error,
): Awaitable<U> {
  const decoded = (value: T): U => {
    try {
      return decode(value);
    } catch (error) {
      throw failure(error);
    }
  };
  let answer: Awaitable<T>;
  try {
    answer = ask();
  } catch (error) {
    throw failure(error);
  }
  return answer instanceof Promise
    ? answer.then(decoded, (error: unknown) => Promise.reject(failure(error)))
    : decoded(answer);
}

/** Says whose script failed, at what and where; the cause keeps the line. */
export function scriptFailure({ customization, operation }: Omit<NamedScript, 'source'>, error: unknown): StatusError {
  const line = lineOf(error);
  const where = `ResourceInterpreterCustomization ${customization}, ${operation}${line === undefined ? '' : `, line ${line}`}`;
  const message = error instanceof Error ? error.message : String(error);
  return new StatusError('InternalError', `${where}: ${message}`, { cause: error });
}

/** The line of a script an error is about. */
export function lineOf(error: unknown): number | undefined {
  if (isScriptError(error)) return error.line;
  return isObject(error) && 'cause' in error ? lineOf(error['cause']) : undefined;
}
