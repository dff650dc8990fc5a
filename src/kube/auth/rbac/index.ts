/** Role-based access control. Start at {@link rbac}. */
export { rbac, type Rbac } from './rbac.ts';
