/**
 * The kinds of `ghippo.io/v1alpha1`: who there is, what they may do, and where. All are cluster-scoped.
 *
 * Nothing secret is in them: password hashes, tokens and client secrets are in Secrets of {@link GHIPPO_NAMESPACE}.
 */
import { kindNames } from '#kube/crds/kind-names.ts';
import type { Condition, KubeObject, ObjectMeta } from '#kube/meta/object.ts';
import type { Permission } from './permission.ts';
import type { Scope, ScopeType } from './scope.ts';

export const GHIPPO_GROUP = 'ghippo.io';
export const GHIPPO_VERSION = 'v1alpha1';
export const GHIPPO_API_VERSION = 'ghippo.io/v1alpha1';
/** Where Ghippo's Secrets are, in the global cluster. */
export const GHIPPO_NAMESPACE = 'ghippo-system';

const names = (kind: string, resource: string) => kindNames(GHIPPO_GROUP, GHIPPO_VERSION, kind, resource);

export const USER = names('User', 'users');
export const GROUP = names('Group', 'groups');
export const FOLDER = names('Folder', 'folders');
export const WORKSPACE = names('Workspace', 'workspaces');
export const WORKSPACE_RESOURCE = names('WorkspaceResource', 'workspaceresources');
export const ROLE = names('Role', 'roles');
export const ACCESS_BINDING = names('AccessBinding', 'accessbindings');
export const PRODUCT = names('GProduct', 'gproducts');
export const RESOURCE_REGISTRATION = names('ResourceRegistration', 'resourceregistrations');
export const IDENTITY_PROVIDER = names('IdentityProvider', 'identityproviders');
export const WEBHOOK_ENDPOINT = names('WebhookEndpoint', 'webhookendpoints');

interface GhippoObject extends KubeObject {
  readonly apiVersion: typeof GHIPPO_API_VERSION;
  readonly metadata: ObjectMeta;
}

/** A person, or a program that has an account. */
export interface User extends GhippoObject {
  readonly kind: 'User';
  readonly spec: UserSpec;
}

export interface UserSpec {
  readonly displayName?: string;
  readonly email?: string;
  readonly description?: string;
  /** A disabled user may do nothing, and whatever they hold works again when they are enabled. */
  readonly disabled?: boolean;
  /** Set for those who come from an identity provider, and what it said at their last sign-in. */
  readonly external?: ExternalIdentity;
}

export interface ExternalIdentity {
  readonly provider: string;
  readonly issuer: string;
  readonly subject: string;
  readonly groups?: readonly string[];
}

export interface Group extends GhippoObject {
  readonly kind: 'Group';
  readonly spec: { readonly description?: string; readonly members?: readonly string[] };
}

/** Folders make a tree; workspaces stand in them. What holds in a folder holds in all below it. */
export interface Folder extends GhippoObject {
  readonly kind: 'Folder';
  readonly spec: FolderSpec;
}

export interface FolderSpec {
  /** The number the published API knows it by. */
  readonly id: number;
  readonly displayName?: string;
  readonly description?: string;
  readonly parent?: string;
}

export interface Workspace extends GhippoObject {
  readonly kind: 'Workspace';
  readonly spec: WorkspaceSpec;
}

export interface WorkspaceSpec {
  /** The number the published API knows it by. */
  readonly id: number;
  readonly displayName?: string;
  readonly description?: string;
  readonly folder?: string;
}

/**
 * An instance or a multi-cloud namespace that belongs to a workspace. Its name is made from the resource
 * (`workspaceResourceName`), so that a resource can never belong to two.
 */
export interface WorkspaceResource extends GhippoObject {
  readonly kind: 'WorkspaceResource';
  readonly spec: { readonly workspace: string; readonly resource: BindableResource };
}

export type BindableResource = Extract<Scope, { readonly type: 'Instance' | 'Namespace' }>;

export interface Role extends GhippoObject {
  readonly kind: 'Role';
  readonly spec: RoleSpec;
}

export interface RoleSpec {
  readonly displayName?: string;
  readonly description?: string;
  /** Where it can be bound. */
  readonly scope: ScopeType;
  /** Points, possibly with `*` in place of a part. */
  readonly permissions?: readonly Permission[];
  /** Beside them, every registered point up to a tier, of one product or of all. */
  readonly includes?: readonly RoleInclusion[];
  /** Comes with the product and cannot be changed. */
  readonly builtin?: boolean;
}

export interface RoleInclusion {
  readonly tier: Tier;
  readonly product?: string;
}

/** How much harm a point can do: look, change what runs, manage who and what there is. Each includes those before it. */
export const TIERS = ['view', 'edit', 'manage'] as const;
export type Tier = (typeof TIERS)[number];

/** Gives a role to subjects in a scope: the only source of rights. */
export interface AccessBinding extends GhippoObject {
  readonly kind: 'AccessBinding';
  readonly spec: AccessBindingSpec;
}

export interface AccessBindingSpec {
  readonly role: string;
  readonly scope: Scope;
  readonly subjects: readonly Subject[];
}

/** A `Role` as a subject is everyone who holds that role where the scope lies. */
export interface Subject {
  readonly kind: 'User' | 'Group' | 'Role';
  readonly name: string;
}

/** What a product can do and which permission each of its operations asks for. Written by the product itself. */
export interface Product extends GhippoObject {
  readonly kind: 'GProduct';
  readonly spec: ProductSpec;
}

export interface ProductSpec {
  readonly displayName?: string;
  readonly resourceTypes?: readonly ResourceType[];
  readonly permissions: readonly PermissionPoint[];
}

export interface ResourceType {
  readonly name: string;
  readonly displayName?: string;
  /** Whether resources of the type can belong to a workspace. */
  readonly bindable?: boolean;
}

export interface PermissionPoint {
  readonly resourceType: string;
  readonly action: string;
  readonly tier: Tier;
  /** The narrowest scope in which it can be asked for. */
  readonly scope: ScopeType;
  readonly description?: string;
  /** Points of the same product, `resource/action`, without which it is of no use. */
  readonly dependsOn?: readonly string[];
  /** The operations of the product's API that ask for it. */
  readonly operations?: readonly string[];
}

/** A resource of a product that people can be given rights on. Written by the product itself. */
export interface ResourceRegistration extends GhippoObject {
  readonly kind: 'ResourceRegistration';
  readonly spec: {
    readonly product: string;
    readonly resourceType: string;
    readonly resource: BindableResource;
    readonly displayName?: string;
  };
}

/** An OpenID Connect provider people may sign in with. */
export interface IdentityProvider extends GhippoObject {
  readonly kind: 'IdentityProvider';
  readonly spec: IdentityProviderSpec;
}

export interface IdentityProviderSpec {
  readonly displayName?: string;
  readonly issuer: string;
  readonly clientId: string;
  /** A Secret of GHIPPO_NAMESPACE, with the client's secret under `clientSecret`; none for a public client. */
  readonly clientSecretName?: string;
  readonly scopes?: readonly string[];
  readonly usernameClaim?: string;
  readonly groupsClaim?: string;
  /** Put before every group it names, so that it cannot name groups of ours. Its own name and `:` by default. */
  readonly groupsPrefix?: string;
  /** Groups of the provider that are groups of ours after all. */
  readonly groupMapping?: readonly { readonly claim: string; readonly group: string }[];
  readonly disabled?: boolean;
}

/** Who is told of every change of a binding. */
export interface WebhookEndpoint extends GhippoObject {
  readonly kind: 'WebhookEndpoint';
  readonly spec: WebhookEndpointSpec;
  readonly status?: { readonly conditions?: readonly Condition[] };
}

export interface WebhookEndpointSpec {
  readonly url: string;
  /** A Secret of GHIPPO_NAMESPACE, with the key both sides know under `key`. */
  readonly secretName: string;
  readonly disabled?: boolean;
}
