export { chain } from './chain.ts';
export {
  type CustomizedInterpreter,
  type InterpreterOptions,
  interpreterWith,
  liveInterpreter,
  type Source,
} from './interpreter-with.ts';
export {
  checkScripts,
  type Interpretation,
  interpret,
  type InterpretOutcome,
  type NamedResult,
  type ScriptProblem,
  type ScriptRunner,
  scriptRunner,
} from './lua/index.ts';
export { nativeInterpreter } from './native-interpreter.ts';
export { OPERATIONS, operationNamed, SCRIPT_FIELDS } from './operations.ts';
export { prune } from './prune.ts';
export type {
  Awaitable,
  DependentObject,
  NativeInterpreter,
  Operation,
  ReplicaInterpretation,
  ResourceInterpreter,
} from './resource-interpreter.ts';
