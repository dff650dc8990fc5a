/** Role-based access control. Start at {@link rbacAuthorizer}. */
export { rbacAuthorizer } from './rbac-authorizer.ts';
export { type RbacIndex, rbacIndex } from './rbac-index.ts';
