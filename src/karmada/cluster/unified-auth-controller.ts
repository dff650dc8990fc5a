/**
 * Lets users of the control plane be themselves in members: what `clusters/proxy` needs, and no more.
 *
 * Each cluster gets a role for the impersonator's account that names exactly those who may use the proxy to it; it
 * follows the control plane's own roles and bindings.
 */
import { type Cluster, CLUSTER, EVENT_REASONS, LABELS, type Work, WORK } from '#karmada/apis/index.ts';
import { workFor } from '#karmada/binding/render-work.ts';
import { workWriter } from '#karmada/binding/work-writer.ts';
import type { EventRecorder } from '#karmada/events/index.ts';
import { clusterOfExecutionNamespace, executionNamespace, IMPERSONATOR_SERVICE_ACCOUNT } from '#karmada/names/index.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import { keyOf, type KubeObject } from '#kube/meta/object.ts';
import { type Controller, done, type Informers, type Outcome, type Reconcile } from '#kube/runtime/index.ts';
import {
  type ClusterRole,
  type ClusterRoleBinding,
  grantsProxy,
  impersonationRules,
  proxySubjects,
} from './impersonation-rules.ts';

export interface UnifiedAuthDeps {
  readonly client: KubeClient;
  readonly informers: Informers;
  readonly events: EventRecorder;
}

const RBAC = { group: 'rbac.authorization.k8s.io', version: 'v1' } as const;
const NAMESPACE = { group: '', version: 'v1', resource: 'namespaces' };
const ROLE = { ...RBAC, resource: 'clusterroles' };
const ROLE_BINDING = { ...RBAC, resource: 'clusterrolebindings' };

export function unifiedAuthController({ client, informers, events }: UnifiedAuthDeps): Controller {
  const clusters = informers<Cluster>(CLUSTER);
  const roles = informers<ClusterRole>(ROLE);
  const bindings = informers<ClusterRoleBinding>(ROLE_BINDING);
  const namespaces = informers(NAMESPACE);
  const write = workWriter(client, informers<Work>(WORK));

  async function reconcile({ key }: Reconcile): Promise<Outcome> {
    const cluster = clusters.get(key);
    const secret = cluster?.spec.impersonatorSecretRef;
    if (!cluster || !secret || cluster.metadata.deletionTimestamp) return done;
    // Its Works have no place yet; the namespace wakes us when it is there.
    if (!namespaces.get(executionNamespace(key))) return done;
    const rules = impersonationRules(proxySubjects(roles.list(), bindings.list(), key));
    const account = { kind: 'ServiceAccount', name: IMPERSONATOR_SERVICE_ACCOUNT, namespace: secret.namespace };
    const changes = await Promise.all([
      write(owned(cluster, { ...object('ClusterRole'), rules })),
      write(
        owned(cluster, {
          ...object('ClusterRoleBinding'),
          roleRef: { apiGroup: RBAC.group, kind: 'ClusterRole', name: IMPERSONATOR_SERVICE_ACCOUNT },
          subjects: [account],
        }),
      ),
    ]);
    if (changes.includes(true)) {
      events.normal(cluster, EVENT_REASONS.syncImpersonationConfigSucceed, 'Sync impersonation config succeed.');
    }
    return done;
  }

  /** All clusters that a role, before or after its change, lets somebody through to. */
  function clustersOf(changed: readonly (ClusterRole | undefined)[]): readonly string[] {
    const names = clusters.list().map(keyOf);
    return names.filter((name) => changed.some((role) => role && grantsProxy(role, name)));
  }

  return {
    name: 'unified-auth',
    watches: [
      { gvr: CLUSTER, wakes: (object, old) => (old ? [] : [keyOf(object)]) },
      {
        gvr: ROLE,
        wakes: (object, old) => clustersOf([object, old]),
      },
      {
        gvr: ROLE_BINDING,
        wakes: (object) => clustersOf([roles.get((object as ClusterRoleBinding).roleRef.name)]),
      },
      {
        gvr: NAMESPACE,
        wakes: ({ metadata }, old) =>
          [old ? undefined : clusterOfExecutionNamespace(metadata.name)].filter((name) => name !== undefined),
      },
      { gvr: WORK, wakes: () => [] },
    ],
    reconcile,
  };
}

function object(kind: string): KubeObject {
  return {
    apiVersion: `${RBAC.group}/${RBAC.version}`,
    kind,
    metadata: { name: IMPERSONATOR_SERVICE_ACCOUNT, labels: { [LABELS.system]: 'true' } },
  };
}

function owned(cluster: Cluster, manifest: KubeObject) {
  const { name, uid = '' } = cluster.metadata;
  const work = workFor(manifest, name);
  work.metadata.ownerReferences = [
    { apiVersion: CLUSTER.apiVersion, kind: CLUSTER.kind, name, uid, controller: true, blockOwnerDeletion: true },
  ];
  return work;
}
