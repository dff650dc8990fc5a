/**
 * Keeps failover's promise: an instance of ours that has it switched on, embedded or run by the community's operator, is
 * given the ClusterTaintPolicy that drives work out of lost clusters.
 *
 * Karmada moves nothing until somebody writes such a policy; whoever turns a switch has said so. Switched off again, the
 * policy goes, and with it the taints it has left: without it nobody would take them back.
 */
import {
  CLUSTER,
  CLUSTER_TAINT_POLICY,
  type Cluster,
  type ClusterTaintPolicy,
  type MatchCondition,
  TAINTS,
} from '#karmada/apis/index.ts';
import { hasReason } from '#base/status-error.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { type Controller, done, type Informers, type Outcome, type Reconcile } from '#kube/runtime/index.ts';
import { INSTANCES, type Instance } from '../instances/index.ts';

export interface FailoverSyncDeps {
  readonly informers: Informers;
  /** An instance as the platform itself. */
  readonly instances: (instance: string) => KubeClient;
}

export const FAILOVER_POLICY = 'kairship-failover';
const EVICTS = { key: TAINTS.notReady, effect: 'NoExecute' } as const;

const ready = (...statusValues: readonly string[]): readonly MatchCondition[] => [
  { conditionType: 'Ready', operator: 'In', statusValues },
];

const POLICY: ClusterTaintPolicy = {
  apiVersion: CLUSTER_TAINT_POLICY.apiVersion,
  kind: 'ClusterTaintPolicy',
  metadata: { name: FAILOVER_POLICY },
  spec: { addOnConditions: ready('False', 'Unknown'), removeOnConditions: ready('True'), taints: [EVICTS] },
};

export function failoverSyncController({ informers, instances }: FailoverSyncDeps): Controller {
  const known = informers<Instance>(INSTANCES);

  async function reconcile({ key }: Reconcile): Promise<Outcome> {
    const instance = known.get(key);
    if (!instance || !isOurs(instance)) return done;
    if (isOn(instance)) await give(instances(key));
    else await withdraw(instances(key));
    return done;
  }

  return {
    name: 'failover-sync',
    watches: [
      {
        gvr: INSTANCES,
        wakes: (object, old) => (toldOf(object) === toldOf(old) ? [] : [object.metadata.name]),
      },
    ],
    reconcile,
  };
}

function isOurs({ spec, status }: Instance): boolean {
  return spec.mode !== 'external' && status?.state === 'RUNNING';
}

const isOn = ({ spec }: Instance) => spec.failover?.enabled === true;

/** What matters here of an instance; undefined while there is nothing to do. */
function toldOf(object: KubeObject | undefined): boolean | undefined {
  const instance = object as Instance | undefined;
  return instance && isOurs(instance) ? isOn(instance) : undefined;
}

/** A Karmada before 1.14 does not know the kind, and taints lost clusters by itself. */
async function give(client: KubeClient): Promise<void> {
  try {
    await client.apply(CLUSTER_TAINT_POLICY, POLICY, { fieldManager: 'kairship', force: true });
  } catch (error) {
    if (!hasReason(error, 'NotFound')) throw error;
  }
}

/** The taints go first: once the policy is gone, nothing tells that they were its making. */
async function withdraw(client: KubeClient): Promise<void> {
  if (!(await isThere(client))) return;
  const { items } = await client.list<Cluster>(CLUSTER);
  for (const cluster of items) await untaint(client, cluster);
  await client.delete(CLUSTER_TAINT_POLICY, { name: FAILOVER_POLICY });
}

async function isThere(client: KubeClient): Promise<boolean> {
  try {
    await client.get(CLUSTER_TAINT_POLICY, { name: FAILOVER_POLICY });
    return true;
  } catch (error) {
    if (hasReason(error, 'NotFound')) return false;
    throw error;
  }
}

async function untaint(client: KubeClient, { metadata, spec: { taints = [] } }: Cluster): Promise<void> {
  const kept = taints.filter(({ key, effect }) => key !== EVICTS.key || effect !== EVICTS.effect);
  if (kept.length === taints.length) return;
  const { name, resourceVersion } = metadata;
  const body = { metadata: { resourceVersion }, spec: { taints: kept.length > 0 ? kept : null } };
  await client.patch(CLUSTER, { name }, { type: 'merge', body });
}
