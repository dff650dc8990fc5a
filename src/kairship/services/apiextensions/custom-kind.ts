/**
 * The kind behind a group, version and resource of a request, as the instance itself serves it.
 *
 * Kinds that other operations guard more closely are not reached this way: a right to read custom resources is none to
 * read secrets.
 */
import { badRequest, hasReason, StatusError } from '#base/status-error.ts';
import { isObject } from '#base/json.ts';
import { legacyResources } from '#kube/client/discovery.ts';
import type { ApiResource, KubeClient } from '#kube/client/kube-client.ts';
import { apiVersionOf, type Gvr, groupResource } from '#kube/meta/gvk.ts';

export interface Asked extends Gvr {
  /** The kind, where a request says it too. */
  readonly kind?: string;
}

const GUARDED: Readonly<Record<string, string>> = {
  secrets: 'secrets',
  'customresourcedefinitions.apiextensions.k8s.io': 'custom resource definitions',
  'clusters.cluster.karmada.io': 'member clusters',
};

export async function customKind(client: KubeClient, asked: Asked, namespaced: boolean): Promise<ApiResource> {
  refuseGuarded(asked);
  const found = kindAmong(await served(client, asked), asked);
  if (found.namespaced === namespaced) return found;
  throw badRequest(
    found.namespaced
      ? `${groupResource(asked)} are in namespaces: name one`
      : `${groupResource(asked)} are in no namespace: leave it out`,
  );
}

export function refuseGuarded(asked: Asked): void {
  const guarded = GUARDED[groupResource(asked)];
  if (guarded !== undefined) throw badRequest(`${guarded} have operations of their own: use those`);
}

/** One document of one version, instead of everything that the instance serves. */
async function served(client: KubeClient, asked: Asked): Promise<readonly ApiResource[]> {
  const { group, version } = asked;
  if (!/^[a-z0-9.-]*$/.test(group) || !/^[a-z0-9]+$/.test(version)) throw unknown(asked, []);
  try {
    const document: unknown = JSON.parse(
      await client.getText(`${group === '' ? '/api' : `/apis/${group}`}/${version}`),
    );
    return legacyResources({ group, version }, isObject(document) ? document : {});
  } catch (cause) {
    if (hasReason(cause, 'NotFound')) throw unknown(asked, []);
    throw cause;
  }
}

export function kindAmong(resources: readonly ApiResource[], asked: Asked): ApiResource {
  const found = resources.find(({ resource }) => resource === asked.resource);
  if (!found) throw unknown(asked, resources);
  if (asked.kind && asked.kind !== found.kind)
    throw badRequest(`${groupResource(asked)} are of kind "${found.kind}", the request is for "${asked.kind}"`);
  return found;
}

function unknown(asked: Asked, others: readonly ApiResource[]): StatusError {
  const [apiVersion, names] = [apiVersionOf(asked), others.map(({ resource }) => resource)];
  const help =
    names.length === 0 ? 'it serves nothing of that group and version' : `of that version it has ${names.join(', ')}`;
  return new StatusError('NotFound', `the instance has no resource "${asked.resource}" in ${apiVersion}: ${help}`);
}
