import { ACCESS_BINDING, type AccessBinding, WORKSPACE_RESOURCE, type WorkspaceResource } from '#ghippo/apis/kinds.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import type { KindNames } from '#kube/crds/kind-names.ts';
import { type BindingObject, bindingKey } from './binding-event.ts';
import type { Truth } from './binding-mirror.ts';

/** The kinds receivers are told of. */
export const TOLD_KINDS: readonly KindNames[] = [ACCESS_BINDING, WORKSPACE_RESOURCE];

/** All bindings there are, for receivers that can read the global cluster. */
export function readTruth(client: KubeClient): Promise<readonly Truth[]> {
  return Promise.all(TOLD_KINDS.map((kind) => truthOf(client, kind)));
}

async function truthOf(client: KubeClient, { kind, ...gvr }: KindNames): Promise<Truth> {
  const { items, metadata } = await client.list<AccessBinding | WorkspaceResource>(gvr);
  const states = items
    .filter((object) => object.metadata.deletionTimestamp === undefined)
    .map((object: BindingObject) => ({
      key: bindingKey(object),
      version: object.metadata.resourceVersion ?? '0',
      object,
    }));
  return { kind, revision: metadata.resourceVersion, states };
}
