export type { CustomResourceDefinition } from './definition.ts';
export { karmadaCrds } from './karmada-crds.ts';
