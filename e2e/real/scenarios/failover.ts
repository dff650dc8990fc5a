/** Evictions by taint and by health, fresh starts, and the clock. */
import type { KubeObject } from '#kube/meta/object.ts';
import type { Scenario, Step } from '../scenario.ts';
import { apply, CONFIG_MAPS, configMap, DEPLOYMENTS, deployment, divided, patch, policy, ref, to } from './objects.ts';

const taint = (...taints: readonly object[]): Step => patch(ref('Cluster', 'm1'), { spec: { taints } });
const EVICTS = { key: 'maintenance', effect: 'NoExecute' };
const everywhere = { ...to('m1', 'm2', 'm3'), ...divided('Weighted') };
const tolerating = (toleration: object) => ({
  ...to('m1', 'm2'),
  clusterTolerations: [{ key: 'maintenance', operator: 'Exists', ...toleration }],
});

function object(
  kind: 'ClusterTaintPolicy' | 'CronFederatedHPA' | 'WorkloadRebalancer',
  name: string,
  spec: object,
): KubeObject {
  return { apiVersion: ref(kind, name).apiVersion, kind, metadata: { name }, spec };
}

/** No node of m3 has room for it. */
const large = { containers: [{ name: 'main', image: 'nginx', resources: { requests: { cpu: '6' } } }] };

export const FAILOVER: readonly Scenario[] = [
  {
    name: 'evict-gracefully',
    about: 'replicas leave a cluster once they run elsewhere, and do not come back by themselves',
    alone: true,
    given: [deployment('web', 6), configMap('a'), policy('p', [...DEPLOYMENTS, ...CONFIG_MAPS], everywhere)],
    phases: [[taint(EVICTS)], [taint()]],
  },
  {
    name: 'evict-directly',
    about: 'replicas leave at once when the policy says so',
    alone: true,
    given: [
      deployment('web', 6),
      policy('p', DEPLOYMENTS, everywhere, { failover: { cluster: { purgeMode: 'Directly' } } }),
    ],
    phases: [[taint(EVICTS)], [taint()]],
  },
  {
    name: 'evict-tolerated',
    about: 'what tolerates a taint stays, for as long as it does',
    alone: true,
    given: [
      configMap('patient'),
      deployment('brief', 2),
      policy('p', [{ ...CONFIG_MAPS[0], name: 'patient' }], tolerating({})),
      policy('q', DEPLOYMENTS, { ...tolerating({ tolerationSeconds: 1 }), ...divided('Weighted') }),
    ],
    phases: [[taint({ ...EVICTS, timeAdded: '2026-01-01T00:00:00Z' })], [taint()]],
  },
  {
    name: 'evict-never',
    about: 'an application that stays unhealthy goes elsewhere, and what it leaves is left to people',
    alone: true,
    given: [
      deployment('web', 1, large),
      policy('p', DEPLOYMENTS, to('m1', 'm3'), {
        propagateDeps: true,
        failover: { application: { decisionConditions: { tolerationSeconds: 1 }, purgeMode: 'Never' } },
      }),
    ],
  },
  {
    name: 'taint-policy',
    about: 'clusters are tainted by their conditions, and policies act in the order of their creation',
    alone: true,
    given: [configMap('a'), policy('p', CONFIG_MAPS, to('m1', 'm2'))],
    phases: [
      [
        apply(
          object('ClusterTaintPolicy', 'taint-policy--ready', {
            targetClusters: { clusterNames: ['m1'] },
            addOnConditions: [{ conditionType: 'Ready', operator: 'In', statusValues: ['True'] }],
            taints: [
              { key: 'ready', value: 'yes', effect: 'NoExecute' },
              { key: 'ready', effect: 'NoSchedule' },
            ],
          }),
        ),
      ],
      [
        patch(ref('ClusterTaintPolicy', 'taint-policy--ready'), {
          spec: {
            addOnConditions: [{ conditionType: 'Ready', operator: 'NotIn', statusValues: ['True'] }],
            removeOnConditions: [{ conditionType: 'Ready', operator: 'NotIn', statusValues: ['Unknown'] }],
          },
        }),
      ],
    ],
  },
  {
    name: 'rebalance',
    about: 'a rebalancer has workloads start afresh, and says which it could not find',
    given: [deployment('web', 6), policy('p', DEPLOYMENTS, everywhere)],
    phases: [
      [
        apply(
          object('WorkloadRebalancer', 'rebalance--all', {
            workloads: [
              { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'rebalance', name: 'web' },
              { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'rebalance', name: 'gone' },
            ],
          }),
        ),
      ],
    ],
  },
  {
    name: 'cron',
    about: 'a rule that is not due yet says when it will be, and one that is suspended says nothing',
    given: [
      deployment('web', 1),
      policy('p', DEPLOYMENTS, to('m1')),
      object('CronFederatedHPA', 'web', {
        scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' },
        rules: [
          { name: 'new-year', schedule: '0 0 1 1 *', targetReplicas: 3, timeZone: 'Asia/Shanghai' },
          { name: 'asleep', schedule: '* * * * *', targetReplicas: 9, suspend: true },
        ],
      }),
    ],
    phases: [[patch(ref('CronFederatedHPA', 'web'), { spec: { rules: [] } })]],
  },
];
