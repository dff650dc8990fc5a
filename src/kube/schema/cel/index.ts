/** The Common Expression Language, as Kubernetes uses it. Rules of custom resources start at `rules.ts`. */
export { CelError } from './cel-error.ts';
export { compile, type Program } from './compile.ts';
export { kubernetesLibrary } from './library/index.ts';
export { ruleProblems, validateRules } from './rules.ts';
export { anyValue, schemaType, schemaValue } from './schema-type.ts';
export * as celType from './type.ts';
export type { CelValue } from './value.ts';
