/** For tests: objects of Ghippo in one line each, and a small product to ask about. */
import {
  type AccessBinding,
  type Folder,
  GHIPPO_API_VERSION,
  type Group,
  type Product,
  type ProductSpec,
  type Role,
  type RoleSpec,
  type Subject,
  type User,
  type UserSpec,
  type Workspace,
  type WorkspaceResource,
  type BindableResource,
} from '#ghippo/apis/kinds.ts';
import type { Scope } from '#ghippo/apis/scope.ts';
import { workspaceResourceName } from '#ghippo/apis/workspace-resource-name.ts';

const apiVersion = GHIPPO_API_VERSION;
const metadata = (name: string) => ({ name });

export const user = (name: string, spec: UserSpec = {}): User => ({
  apiVersion,
  kind: 'User',
  metadata: metadata(name),
  spec,
});
export const group = (name: string, ...members: readonly string[]): Group => ({
  apiVersion,
  kind: 'Group',
  metadata: metadata(name),
  spec: { members },
});
export const folder = (name: string, parent?: string): Folder => ({
  apiVersion,
  kind: 'Folder',
  metadata: metadata(name),
  spec: { id: 1, ...(parent === undefined ? {} : { parent }) },
});
export const workspace = (name: string, inFolder?: string): Workspace => ({
  apiVersion,
  kind: 'Workspace',
  metadata: metadata(name),
  spec: { id: 1, ...(inFolder === undefined ? {} : { folder: inFolder }) },
});
export const belongs = (resource: BindableResource, to: string): WorkspaceResource => ({
  apiVersion,
  kind: 'WorkspaceResource',
  metadata: metadata(workspaceResourceName(resource)),
  spec: { workspace: to, resource },
});
export const role = (name: string, spec: RoleSpec): Role => ({
  apiVersion,
  kind: 'Role',
  metadata: metadata(name),
  spec,
});
export const binding = (name: string, to: string, scope: Scope, ...subjects: readonly Subject[]): AccessBinding => ({
  apiVersion,
  kind: 'AccessBinding',
  metadata: metadata(name),
  spec: { role: to, scope, subjects },
});
export const product = (name: string, spec: ProductSpec): Product => ({
  apiVersion,
  kind: 'GProduct',
  metadata: metadata(name),
  spec,
});
export const aUser = (name: string): Subject => ({ kind: 'User', name });
export const aGroup = (name: string): Subject => ({ kind: 'Group', name });
export const aRole = (name: string): Subject => ({ kind: 'Role', name });

/** Points of each tier and of several widths. */
export const SHOP = product('shop', {
  permissions: [
    { resourceType: 'app', action: 'list', tier: 'view', scope: 'Namespace', operations: ['Apps_List'] },
    { resourceType: 'app', action: 'create', tier: 'edit', scope: 'Namespace', operations: ['Apps_Create'] },
    { resourceType: 'store', action: 'get', tier: 'view', scope: 'Instance', operations: ['Stores_Get'] },
    { resourceType: 'store', action: 'delete', tier: 'manage', scope: 'Instance', operations: ['Stores_Delete'] },
    { resourceType: 'store', action: 'create', tier: 'manage', scope: 'Platform', operations: ['Stores_Create'] },
    { resourceType: 'team', action: 'update', tier: 'manage', scope: 'Workspace', operations: ['Teams_Update'] },
  ],
});
