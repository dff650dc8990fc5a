/** Group, version and the two ways to name a type: by kind (in an object) and by resource (in a URL). */
export interface GroupVersion {
  /** Empty for the core group. */
  readonly group: string;
  readonly version: string;
}
export interface Gvk extends GroupVersion {
  readonly kind: string;
}
export interface Gvr extends GroupVersion {
  readonly resource: string;
}

/** `apps/v1`, or `v1` for the core group. */
export function apiVersionOf({ group, version }: GroupVersion): string {
  return group === '' ? version : `${group}/${version}`;
}

export function parseApiVersion(apiVersion: string): GroupVersion {
  const slash = apiVersion.indexOf('/');
  return slash < 0
    ? { group: '', version: apiVersion }
    : { group: apiVersion.slice(0, slash), version: apiVersion.slice(slash + 1) };
}

export function gvkOf(object: { readonly apiVersion: string; readonly kind: string }): Gvk {
  return { ...parseApiVersion(object.apiVersion), kind: object.kind };
}

/** `deployments.apps`, or `pods` for the core group: how people and messages name a resource. */
export function groupResource({ group, resource }: { readonly group: string; readonly resource: string }): string {
  return group === '' ? resource : `${resource}.${group}`;
}

/** The URL path of a resource's collection, or of one object in it. */
export function resourcePath(gvr: Gvr, at: { readonly namespace?: string; readonly name?: string } = {}): string {
  const root = gvr.group === '' ? `/api/${gvr.version}` : `/apis/${gvr.group}/${gvr.version}`;
  const scope = at.namespace === undefined ? '' : `/namespaces/${encodeURIComponent(at.namespace)}`;
  const name = at.name === undefined ? '' : `/${encodeURIComponent(at.name)}`;
  return `${root}${scope}/${gvr.resource}${name}`;
}
