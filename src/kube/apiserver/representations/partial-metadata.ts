/** `PartialObjectMetadata`: an object's metadata alone, for clients that watch much and look at little. */
import type { KubeObject } from '#kube/meta/object.ts';
import type { Served } from '../served.ts';
import type { Listed } from '../verbs/list.ts';
import { listMetadata } from './list-bytes.ts';

export function partialMetadata({ metadata }: KubeObject, version = 'v1') {
  return { kind: 'PartialObjectMetadata', apiVersion: `meta.k8s.io/${version}`, metadata };
}

export function partialMetadataList(served: Served, listed: Listed, version = 'v1') {
  return {
    kind: 'PartialObjectMetadataList',
    apiVersion: `meta.k8s.io/${version}`,
    metadata: listMetadata(served, listed),
    items: listed.entries.map((entry) => partialMetadata(entry.object, version)),
  };
}
