export { type CustomizedScripts, customizedScripts, scriptsOf } from './customized-scripts.ts';
export {
  checkScripts,
  type Interpretation,
  interpret,
  type InterpretOutcome,
  type NamedResult,
  type ScriptProblem,
} from './interpret.ts';
export { DEFAULT_LIMITS, type Limits } from './language/index.ts';
export { luaInterpreter } from './lua-interpreter.ts';
export { type ScriptRunner, type ScriptRunnerOptions, scriptRunner } from './script-runner.ts';
