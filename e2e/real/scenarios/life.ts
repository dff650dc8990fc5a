/** Dependencies, suspension, conflicts, deletion, taints. */
import type { Scenario, Step } from '../scenario.ts';
import { CONFIG_MAPS, configMap, DEPLOYMENTS, deployment, patch, policy, ref, remove, scale, to } from './objects.ts';

const withConfig = {
  containers: [{ name: 'main', image: 'nginx', envFrom: [{ configMapRef: { name: 'settings' } }] }],
};
const suspended = (suspension: object | null): Step => patch(ref('PropagationPolicy', 'p'), { spec: { suspension } });
const taints = (some: readonly object[]): Step => patch(ref('Cluster', 'm1'), { spec: { taints: some } });

export const LIFE: readonly Scenario[] = [
  {
    name: 'dependencies',
    about: 'what a template refers to goes where it goes, and leaves with it',
    given: [
      configMap('settings'),
      deployment('web', 1, withConfig),
      policy('p', DEPLOYMENTS, to('m1', 'm2'), { propagateDeps: true }),
    ],
    phases: [
      [patch(ref('PropagationPolicy', 'p'), { spec: { placement: to('m2') } })],
      [remove(ref('Deployment', 'web'))],
    ],
  },
  {
    name: 'suspend-dispatching',
    about: 'nothing is sent while dispatching is suspended',
    given: [configMap('a'), policy('p', CONFIG_MAPS, to('m1', 'm2'), { suspension: { dispatching: true } })],
    phases: [[suspended(null)]],
  },
  {
    name: 'suspend-one',
    about: 'one cluster is left out while it is suspended',
    given: [configMap('a'), policy('p', CONFIG_MAPS, to('m1', 'm2'))],
    phases: [
      [suspended({ dispatchingOnClusters: { clusterNames: ['m2'] } })],
      [patch(ref('ConfigMap', 'a'), { data: { key: 'new' } })],
    ],
  },
  {
    name: 'conflict-abort',
    about: 'what is in a member already is left alone',
    inMembers: { m1: [configMap('a', { labels: { mine: 'yes' } }, { key: 'member' })] },
    given: [configMap('a'), policy('p', CONFIG_MAPS, to('m1', 'm2'))],
  },
  {
    name: 'conflict-overwrite',
    about: 'what is in a member already is taken over when the policy says so',
    inMembers: { m1: [configMap('a', { labels: { mine: 'yes' } }, { key: 'member' })] },
    given: [configMap('a'), policy('p', CONFIG_MAPS, to('m1', 'm2'), { conflictResolution: 'Overwrite' })],
  },
  {
    name: 'delete-template',
    about: 'a deleted template takes its copies along',
    given: [deployment('web', 1), policy('p', DEPLOYMENTS, to('m1', 'm2'))],
    phases: [[remove(ref('Deployment', 'web'))]],
  },
  {
    name: 'delete-preserved',
    about: 'copies stay when the policy preserves them',
    given: [deployment('web', 1), policy('p', DEPLOYMENTS, to('m1'), { preserveResourcesOnDeletion: true })],
    phases: [[remove(ref('Deployment', 'web'))]],
  },
  {
    name: 'drift',
    about: 'what is changed or deleted in a member is put right',
    given: [configMap('a'), policy('p', CONFIG_MAPS, to('m1', 'm2'))],
    phases: [
      [
        { do: 'patch', object: ref('ConfigMap', 'a'), body: { data: { key: 'drifted' } }, in: 'm1' },
        { do: 'delete', object: ref('ConfigMap', 'a'), in: 'm2' },
      ],
    ],
  },
  {
    name: 'taints',
    about: 'a tainted cluster keeps what it has and is given nothing new, unless that is tolerated',
    alone: true,
    given: [configMap('before'), policy('p', CONFIG_MAPS, to('m1', 'm2'))],
    phases: [
      [
        taints([{ key: 'maintenance', value: 'yes', effect: 'NoSchedule' }]),
        { do: 'apply', object: deployment('web', 1) },
        { do: 'apply', object: deployment('tolerant', 1) },
        { do: 'apply', object: policy('q', [{ ...DEPLOYMENTS[0], name: 'web' }], to('m1', 'm2')) },
        {
          do: 'apply',
          object: policy('r', [{ ...DEPLOYMENTS[0], name: 'tolerant' }], {
            ...to('m1', 'm2'),
            clusterTolerations: [{ key: 'maintenance', operator: 'Exists' }],
          }),
        },
      ],
      [taints([])],
      [scale('web', 2)],
    ],
  },
];
