export { type BindingsService, bindingsService } from './bindings-service.ts';
export { replaceRoles } from './given-roles.ts';
export { type RegisteredPoint, type RoleInput, type RolesService, rolesService } from './roles-service.ts';
