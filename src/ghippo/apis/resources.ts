/** A typed client for each kind of Ghippo, and for the Secrets it keeps. */
import type { KubeClient } from '#kube/client/kube-client.ts';
import { type TypedClient, type TypedResource, typed } from '#kube/client/typed-client.ts';
import type { KindNames } from '#kube/crds/kind-names.ts';
import type { Gvr } from '#kube/meta/gvk.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import {
  ACCESS_BINDING,
  type AccessBinding,
  FOLDER,
  type Folder,
  GROUP,
  type Group,
  IDENTITY_PROVIDER,
  type IdentityProvider,
  PRODUCT,
  type Product,
  RESOURCE_REGISTRATION,
  type ResourceRegistration,
  ROLE,
  type Role,
  USER,
  type User,
  WEBHOOK_ENDPOINT,
  type WebhookEndpoint,
  WORKSPACE,
  WORKSPACE_RESOURCE,
  type Workspace,
  type WorkspaceResource,
} from './kinds.ts';

export interface Secret extends KubeObject {
  readonly type?: string;
  readonly data?: Readonly<Record<string, string>>;
}

export const SECRETS: Gvr = { group: '', version: 'v1', resource: 'secrets' };

export interface GhippoClients {
  readonly users: TypedClient<User>;
  readonly groups: TypedClient<Group>;
  readonly folders: TypedClient<Folder>;
  readonly workspaces: TypedClient<Workspace>;
  readonly workspaceResources: TypedClient<WorkspaceResource>;
  readonly roles: TypedClient<Role>;
  readonly bindings: TypedClient<AccessBinding>;
  readonly products: TypedClient<Product>;
  readonly registrations: TypedClient<ResourceRegistration>;
  readonly identityProviders: TypedClient<IdentityProvider>;
  readonly webhookEndpoints: TypedClient<WebhookEndpoint>;
  readonly secrets: TypedClient<Secret>;
}

export function ghippoClients(client: KubeClient): GhippoClients {
  const of = <T extends KubeObject>(names: KindNames) => typed<T>(client, resourceOf(names));
  return {
    users: of(USER),
    groups: of(GROUP),
    folders: of(FOLDER),
    workspaces: of(WORKSPACE),
    workspaceResources: of(WORKSPACE_RESOURCE),
    roles: of(ROLE),
    bindings: of(ACCESS_BINDING),
    products: of(PRODUCT),
    registrations: of(RESOURCE_REGISTRATION),
    identityProviders: of(IDENTITY_PROVIDER),
    webhookEndpoints: of(WEBHOOK_ENDPOINT),
    secrets: typed(client, { gvr: SECRETS, kind: 'Secret', namespaced: true }),
  };
}

/** What a typed client needs to know of a kind. */
export function resourceOf({ group, version, resource, kind }: KindNames): TypedResource {
  return { gvr: { group, version, resource }, kind, namespaced: false };
}
