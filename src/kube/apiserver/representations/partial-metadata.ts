/** `PartialObjectMetadata`: an object's metadata alone, for clients that watch much and look at little. */
import type { KubeObject, ObjectMeta } from '#kube/meta/object.ts';
import { objectMetaSchema, orderFields } from '#kube/schema/index.ts';
import type { Served } from '../served.ts';
import type { Listed } from '../verbs/list.ts';
import { listMetadata } from './list-bytes.ts';

export function partialMetadata(object: KubeObject, custom: boolean, version = 'v1') {
  return { kind: 'PartialObjectMetadata', apiVersion: `meta.k8s.io/${version}`, metadata: metadataOf(object, custom) };
}

/** The metadata of custom resources is sorted; on its own it comes in the order of its type like any other. */
function metadataOf({ metadata }: KubeObject, custom: boolean): ObjectMeta {
  if (!custom) return metadata;
  let ordered = inOrder.get(metadata);
  if (!ordered) inOrder.set(metadata, (ordered = orderFields(objectMetaSchema(), metadata)));
  return ordered;
}

const inOrder = new WeakMap<ObjectMeta, ObjectMeta>();

export function partialMetadataList(served: Served, listed: Listed, version = 'v1') {
  return {
    kind: 'PartialObjectMetadataList',
    apiVersion: `meta.k8s.io/${version}`,
    metadata: listMetadata(served, listed),
    items: listed.entries.map((entry) => partialMetadata(entry.object, served.definition.custom, version)),
  };
}
