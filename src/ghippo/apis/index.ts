export { BUILTIN_ROLES } from './builtin-roles.ts';
export { ghippoCrds } from './crds.ts';
export { GHIPPO_PRODUCT, ghippoPermission, ghippoProduct } from './ghippo-product.ts';
export { installGhippo, registerProduct } from './install.ts';
export * from './kinds.ts';
export * from './permission.ts';
export { type GhippoClients, ghippoClients, type Secret, SECRETS } from './resources.ts';
export * from './scope.ts';
export { workspaceResourceName } from './workspace-resource-name.ts';
