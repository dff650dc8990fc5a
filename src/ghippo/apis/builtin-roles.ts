/**
 * The roles that come with the platform.
 *
 * They name tiers rather than points, so that a product which registers new points needs no change here: a viewer sees
 * what is for looking at, an editor changes what runs, an admin manages. Where a role is bound decides how far it goes.
 */
import type { RoleSpec } from './kinds.ts';
import type { ScopeType } from './scope.ts';

type BuiltinRole = { readonly name: string } & Omit<RoleSpec, 'builtin'>;

const platform: readonly BuiltinRole[] = [
  {
    name: 'admin',
    displayName: 'Admin',
    description: 'Everything, everywhere.',
    scope: 'Platform',
    permissions: ['*/*/*'],
  },
  {
    name: 'multicloud-admin',
    displayName: 'Multicloud Admin',
    description: 'Creates instances and manages everything in all of them.',
    scope: 'Platform',
    includes: [{ tier: 'manage', product: 'kairship' }],
  },
  {
    name: 'multicloud-viewer',
    displayName: 'Multicloud Viewer',
    description: 'Sees all instances and what is in them.',
    scope: 'Platform',
    includes: [{ tier: 'view', product: 'kairship' }],
  },
  {
    name: 'kpanda-owner',
    displayName: 'Kpanda Owner',
    description: 'Manages the inventory of clusters, and reads everything in them.',
    scope: 'Platform',
    includes: [{ tier: 'manage', product: 'kpanda' }],
  },
  {
    name: 'iam-owner',
    displayName: 'IAM Owner',
    // Whoever can give any right to anyone can have it too.
    description: 'Manages users, groups, roles and all rights, and is therefore as powerful as Admin.',
    scope: 'Platform',
    permissions: [
      'ghippo/user/*',
      'ghippo/group/*',
      'ghippo/role/*',
      'ghippo/access/*',
      'ghippo/identity-provider/*',
      'ghippo/token/*',
      'ghippo/session/*',
    ],
  },
  {
    name: 'workspace-folder-owner',
    displayName: 'Workspace and Folder Owner',
    description: 'Manages all folders and workspaces, and what belongs to them.',
    scope: 'Platform',
    permissions: [
      'ghippo/folder/*',
      'ghippo/workspace/*',
      'ghippo/access/list',
      'ghippo/access/grant',
      'ghippo/access/revoke',
    ],
  },
  {
    name: 'audit-owner',
    displayName: 'Audit Owner',
    description: 'Reads the audit log and decides how long it is kept.',
    scope: 'Platform',
    permissions: ['ghippo/audit/*'],
  },
];

const LEVELS = [
  { level: 'admin', title: 'Admin', tier: 'manage', does: 'Manages' },
  { level: 'editor', title: 'Editor', tier: 'edit', does: 'Changes what runs in' },
  { level: 'viewer', title: 'Viewer', tier: 'view', does: 'Sees' },
] as const;

const PLACES: readonly { readonly prefix: string; readonly title: string; readonly of: string; scope: ScopeType }[] = [
  { prefix: 'folder', title: 'Folder', of: 'a folder and everything below it', scope: 'Folder' },
  { prefix: 'workspace', title: 'Workspace', of: 'a workspace and what belongs to it', scope: 'Workspace' },
  { prefix: 'instance', title: 'Instance', of: 'an instance', scope: 'Instance' },
  { prefix: 'namespace', title: 'Namespace', of: 'a namespace of an instance', scope: 'Namespace' },
];

export const BUILTIN_ROLES: readonly BuiltinRole[] = [
  ...platform,
  ...PLACES.flatMap(({ prefix, title: place, of, scope }) =>
    LEVELS.map(
      ({ level, title, tier, does }): BuiltinRole => ({
        name: `${prefix}-${level}`,
        displayName: `${place} ${title}`,
        description: `${does} ${of}.`,
        scope,
        includes: [{ tier }],
      }),
    ),
  ),
];
