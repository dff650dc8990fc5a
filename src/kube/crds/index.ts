export * from './definition.ts';
export { installCrds } from './install-crds.ts';
export { type KindNames, kindNames } from './kind-names.ts';
export * from './schema.ts';
