import type { Gvk, Gvr } from '#kube/meta/gvk.ts';

/** Everything that names one kind. */
export interface KindNames extends Gvk, Gvr {
  readonly apiVersion: string;
}

export function kindNames(group: string, version: string, kind: string, resource: string): KindNames {
  return { group, version, kind, resource, apiVersion: `${group}/${version}` };
}
