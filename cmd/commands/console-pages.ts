/**
 * Addresses of the console's pages. The console says in `console/src/app/routes.tsx` which there are, and
 * `e2e/cli-open.test.ts` holds these against it. Pure.
 */

export const instancePage = (instance: string) => `/i/${encodeURIComponent(instance)}`;

export const clusterPage = (instance: string, cluster: string) =>
  `${instancePage(instance)}/clusters/${encodeURIComponent(cluster)}`;

export interface Kind {
  readonly kind: string;
  readonly group: string;
  readonly version: string;
  readonly resource: string;
}

const WORKLOADS = ['Deployment', 'StatefulSet', 'DaemonSet', 'Job', 'CronJob'];
const POLICIES = ['PropagationPolicy', 'ClusterPropagationPolicy', 'OverridePolicy', 'ClusterOverridePolicy'];

/** The page of an object; none where the console has no page for its kind. */
export function objectPage(
  instance: string,
  { kind, group, version, resource }: Kind,
  { namespace, name }: { readonly namespace?: string; readonly name: string },
): string | undefined {
  const at = (room: string, word: string) =>
    [instancePage(instance), room, word, namespace ?? '-', encodeURIComponent(name)].join('/');
  if (POLICIES.includes(kind)) return at('policies', kind);
  if (namespace === undefined) return undefined;
  if (WORKLOADS.includes(kind)) return at('workloads', kind);
  return at('workloads', [resource, version, group].filter(Boolean).join('.'));
}
