/** The list of a member's APIs as its Cluster keeps it: by group and version, each with its resources, all sorted. */
import { type ApiEnablement, COMPLETE_API_ENABLEMENTS } from '#karmada/apis/index.ts';
import type { ApiResource } from '#kube/client/kube-client.ts';
import type { NewCondition } from '#kube/meta/condition.ts';
import { apiVersionOf } from '#kube/meta/gvk.ts';

export function apiEnablements(served: readonly ApiResource[]): ApiEnablement[] {
  const groups = Map.groupBy(served, apiVersionOf);
  return [...groups]
    .map(([groupVersion, resources]) => ({
      groupVersion,
      resources: resources.map(({ resource, kind }) => ({ kind, name: resource })).sort(byName),
    }))
    .sort((a, b) => (a.groupVersion < b.groupVersion ? -1 : 1));
}

function byName(a: { readonly name: string }, b: { readonly name: string }): number {
  return a.name < b.name ? -1 : a.name > b.name ? 1 : 0;
}

/** Whether the list can be relied on; `failed`: discovery did not answer for all of it. */
export function enablementsCondition(enablements: readonly ApiEnablement[], failed: boolean): NewCondition {
  const { type, complete, partial, empty } = COMPLETE_API_ENABLEMENTS;
  if (enablements.length === 0) {
    return { type, status: 'False', reason: empty, message: 'collected empty APIEnablements from the cluster' };
  }
  if (failed) {
    const message = `might collect partial APIEnablements(${enablements.length}) from the cluster`;
    return { type, status: 'False', reason: partial, message };
  }
  return { type, status: 'True', reason: complete, message: 'collected complete APIEnablements from the cluster' };
}
