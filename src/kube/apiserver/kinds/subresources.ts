/** What discovery says of subresources: the kind they speak, and what may be done with them. */
import type { ResourceDefinition } from '#kube/apiserver/resource.ts';
import type { Gvk } from '#kube/meta/gvk.ts';

export interface Subresource {
  readonly name: string;
  /** Absent: the kind of the resource itself. */
  readonly gvk?: Gvk;
  readonly verbs: readonly string[];
}

const READ_WRITE = ['get', 'patch', 'update'];
const STREAM = ['create', 'get'];
const PROXY = ['create', 'delete', 'get', 'patch', 'update'];

const core = (kind: string): Gvk => ({ group: '', version: 'v1', kind });

/** By `resource/subresource`, or by the subresource alone. */
const SPECIAL: Readonly<Record<string, Omit<Subresource, 'name'> | undefined>> = {
  scale: { gvk: { group: 'autoscaling', version: 'v1', kind: 'Scale' }, verbs: READ_WRITE },
  'pods/attach': { gvk: core('PodAttachOptions'), verbs: STREAM },
  'pods/exec': { gvk: core('PodExecOptions'), verbs: STREAM },
  'pods/portforward': { gvk: core('PodPortForwardOptions'), verbs: STREAM },
  'pods/proxy': { gvk: core('PodProxyOptions'), verbs: PROXY },
  'services/proxy': { gvk: core('ServiceProxyOptions'), verbs: PROXY },
  'nodes/proxy': { gvk: core('NodeProxyOptions'), verbs: PROXY },
  'pods/binding': { gvk: core('Binding'), verbs: ['create'] },
  'pods/eviction': { gvk: { group: 'policy', version: 'v1', kind: 'Eviction' }, verbs: ['create'] },
  'pods/log': { verbs: ['get'] },
  'namespaces/finalize': { verbs: ['update'] },
  'serviceaccounts/token': {
    gvk: { group: 'authentication.k8s.io', version: 'v1', kind: 'TokenRequest' },
    verbs: ['create'],
  },
};

export function subresourcesOf({ resource, subresources }: ResourceDefinition): readonly Subresource[] {
  return subresources.map((name) => ({
    name,
    ...(SPECIAL[`${resource}/${name}`] ?? SPECIAL[name] ?? { verbs: READ_WRITE }),
  }));
}
