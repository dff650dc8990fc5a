/**
 * From what people and objects call a type to how the API serves it.
 *
 * Names are resolved against the server's discovery, asked for once and again when a name is not found (a CRD may have
 * been added since). Where a group or version is left open, the server's preferred one is taken, and the core group
 * before all others.
 */
import { StatusError } from '#base/status-error.ts';
import { apiVersionOf, type Gvk } from '#kube/meta/gvk.ts';
import type { ApiResource, KubeClient } from './kube-client.ts';

export interface RestMapper {
  /** The resource of a kind; without a version, in the one the server prefers. Throws `NotFound`. */
  byKind(gvk: Omit<Gvk, 'version'> & { readonly version?: string }): Promise<ApiResource>;
  /** `deploy`, `deployments.apps`, `deployment.v1.apps`, `Deployment`: as kubectl takes it. Throws `NotFound`. */
  byName(name: string): Promise<ApiResource>;
  /** Everything served, as of the last time it was asked for. */
  all(): Promise<readonly ApiResource[]>;
  /** Forgets what was learnt. */
  reset(): void;
}

export function restMapper(client: Pick<KubeClient, 'discover'>): RestMapper {
  let known: Promise<readonly ApiResource[]> | undefined;

  function learn(): Promise<readonly ApiResource[]> {
    const asked = client.discover();
    known = asked;
    // A failure is not remembered: the next question asks again.
    asked.catch(() => {
      if (known === asked) known = undefined;
    });
    return asked;
  }

  async function resolve(matches: (resource: ApiResource) => boolean, unknown: () => StatusError) {
    const found = known && (await known).find(matches);
    if (found) return found;
    const fresh = (await learn()).find(matches);
    if (fresh) return fresh;
    throw unknown();
  }

  return {
    byKind: ({ group, version, kind }) =>
      resolve(
        (resource) =>
          resource.kind === kind && resource.group === group && (version === undefined || resource.version === version),
        () => {
          const where = version === undefined ? group : apiVersionOf({ group, version });
          return new StatusError('NotFound', `no matches for kind "${kind}" in "${where}"`);
        },
      ),
    byName: (name) =>
      resolve(byNameOf(name), () => new StatusError('NotFound', `the server doesn't have a resource type "${name}"`)),
    all: () => known ?? learn(),
    reset() {
      known = undefined;
    },
  };
}

function byNameOf(name: string): (resource: ApiResource) => boolean {
  const [word = '', ...rest] = name.split('.');
  const lower = word.toLowerCase();
  const [version, ...group] = rest;
  const groups = [rest.join('.'), ...(version !== undefined && /^v\d/.test(version) ? [group.join('.')] : [])];
  return (resource) => {
    const words = [resource.resource, resource.singular, resource.kind.toLowerCase(), ...resource.shortNames];
    if (!words.includes(lower)) return false;
    if (rest.length === 0) return true;
    // `deployments.apps` may be shortened to `deployments.ap`; `deployments.v1.apps` fixes the version too.
    return groups.some(
      (asked, index) => resource.group.startsWith(asked) && (index === 0 || resource.version === version),
    );
  };
}
