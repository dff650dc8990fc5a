/**
 * What the agent of a cluster may do in its control plane, as objects: report of its own cluster, see to its own Works,
 * give its own sign of life, renew its own token, and nothing else. Pure.
 *
 * All of it is the Cluster's: when that goes, the agent's right to anything goes with it.
 */
import type { Gvr } from '#kube/meta/gvk.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { agentAccountName } from './agent-token.ts';
import type { Cluster } from './cluster.ts';
import { CLUSTER } from './resources.ts';
import { AGENT_ACCESS_FINALIZER, LABELS, NAMESPACES } from './well-known.ts';

const RBAC = { group: 'rbac.authorization.k8s.io', version: 'v1' } as const;
const API = `${RBAC.group}/${RBAC.version}`;
const labels = { [LABELS.system]: 'true' };
/** The same for all agents; each is given it in its own namespace alone. */
const WORKS_ROLE = 'kairship:agent-works';

export interface AccessObject {
  readonly gvr: Gvr;
  readonly object: KubeObject;
}

const rule = (
  apiGroup: string,
  resources: readonly string[],
  verbs: readonly string[],
  resourceNames?: readonly string[],
) => ({ apiGroups: [apiGroup], resources, verbs, ...(resourceNames ? { resourceNames } : {}) });

const LOOK = ['get', 'list', 'watch'];
const CHANGE = ['update', 'patch'];

/**
 * In the order in which they have to be made. `held`: the engine is ours, and lets go of the agent's way to its Works when
 * there are none left; Karmada's own would wait for ever for somebody to do that.
 */
export function agentAccess(cluster: Cluster, { held }: { readonly held: boolean }): readonly AccessObject[] {
  const { name } = cluster.metadata;
  const account = agentAccountName(name);
  const works = `${NAMESPACES.executionPrefix}${name}`;
  const owned = { labels, ownerReferences: [ownerOf(cluster)] };
  const inOurs = { name: account, namespace: NAMESPACES.cluster, ...owned };
  const subjects = [{ kind: 'ServiceAccount', namespace: NAMESPACES.cluster, name: account }];
  const roleRef = (kind: string, role: string) => ({ apiGroup: RBAC.group, kind, name: role });
  const of = (resource: string): Gvr => ({ ...RBAC, resource });
  const role = (kind: string, metadata: KubeObject['metadata'], rules: readonly object[]): KubeObject => ({
    apiVersion: API,
    kind,
    metadata,
    rules,
  });
  const binding = (kind: string, metadata: KubeObject['metadata'], ref: object): KubeObject => ({
    apiVersion: API,
    kind,
    metadata,
    subjects,
    roleRef: ref,
  });
  const everywhere = { name: `kairship:${account}`, ...owned };
  return [
    namespaceObject(NAMESPACES.cluster),
    namespaceObject(works),
    {
      gvr: { group: '', version: 'v1', resource: 'serviceaccounts' },
      object: { apiVersion: 'v1', kind: 'ServiceAccount', metadata: inOurs },
    },
    { gvr: of('clusterroles'), object: role('ClusterRole', everywhere, clusterRules(name)) },
    {
      gvr: of('clusterrolebindings'),
      object: binding('ClusterRoleBinding', everywhere, roleRef('ClusterRole', everywhere.name)),
    },
    { gvr: of('roles'), object: role('Role', inOurs, ownRules(name, account)) },
    { gvr: of('rolebindings'), object: binding('RoleBinding', inOurs, roleRef('Role', account)) },
    { gvr: of('clusterroles'), object: role('ClusterRole', { name: WORKS_ROLE, labels }, WORK_RULES) },
    {
      gvr: of('rolebindings'),
      object: binding(
        'RoleBinding',
        // Not the Cluster's own: it must outlast it until its Works are given up.
        { name: account, namespace: works, labels, ...(held ? { finalizers: [AGENT_ACCESS_FINALIZER] } : {}) },
        roleRef('ClusterRole', WORKS_ROLE),
      ),
    },
  ];
}

function namespaceObject(name: string): AccessObject {
  return {
    gvr: { group: '', version: 'v1', resource: 'namespaces' },
    object: { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } },
  };
}

function ownerOf({ metadata: { name, uid = '' } }: Cluster) {
  return { apiVersion: CLUSTER.apiVersion, kind: CLUSTER.kind, name, uid };
}

function clusterRules(name: string): readonly object[] {
  return [
    rule(CLUSTER.group, ['clusters'], ['get', ...CHANGE], [name]),
    rule(CLUSTER.group, ['clusters'], ['list', 'watch']),
    rule(CLUSTER.group, ['clusters/status'], CHANGE, [name]),
    rule(CLUSTER.group, ['clusters/tunnel'], ['get'], [name]),
    rule(CLUSTER.group, ['clusters/trace'], ['create'], [name]),
    rule('config.karmada.io', ['resourceinterpretercustomizations', 'resourceinterpreterwebhookconfigurations'], LOOK),
    rule('', ['events'], ['create', ...CHANGE]),
    rule('events.k8s.io', ['events'], ['create', ...CHANGE]),
  ];
}

function ownRules(name: string, account: string): readonly object[] {
  return [
    rule('coordination.k8s.io', ['leases'], ['create']),
    rule('coordination.k8s.io', ['leases'], ['get', ...CHANGE], [name]),
    rule('', ['serviceaccounts/token'], ['create'], [account]),
  ];
}

const WORK_RULES = [
  rule('work.karmada.io', ['works'], [...LOOK, ...CHANGE]),
  rule('work.karmada.io', ['works/status'], CHANGE),
];
