export type { CustomResourceDefinition } from '#kube/crds/definition.ts';
export { karmadaCrds } from './karmada-crds.ts';
