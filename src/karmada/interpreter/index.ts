export { chain } from './chain.ts';
export { nativeInterpreter } from './native-interpreter.ts';
export { prune } from './prune.ts';
export type {
  Awaitable,
  DependentObject,
  NativeInterpreter,
  Operation,
  ReplicaInterpretation,
  ResourceInterpreter,
} from './resource-interpreter.ts';
