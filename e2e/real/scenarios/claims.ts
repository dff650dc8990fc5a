/** Which policy has its way, and what becomes of its templates when it goes. */
import type { Scenario } from '../scenario.ts';
import { apply, CONFIG_MAPS, clusterPolicy, configMap, patch, policy, ref, remove, to } from './objects.ts';

const inNamespace = (namespace: string) => [{ apiVersion: 'v1', kind: 'ConfigMap', namespace }];

export const CLAIMS: readonly Scenario[] = [
  {
    name: 'claim-priority',
    about: 'the policy of the highest priority',
    given: [
      policy('low', CONFIG_MAPS, to('m1'), { priority: 1 }),
      policy('high', CONFIG_MAPS, to('m2'), { priority: 2 }),
      configMap('a'),
    ],
  },
  {
    name: 'claim-specific',
    about: 'of equal priority the more specific: name, then labels, then kind',
    given: [
      policy('a-kind', CONFIG_MAPS, to('m1')),
      policy('b-labels', [{ ...CONFIG_MAPS[0], labelSelector: { matchLabels: { x: 'y' } } }], to('m2')),
      policy('c-name', [{ ...CONFIG_MAPS[0], name: 'named' }], to('m3')),
      configMap('plain'),
      configMap('labelled', { labels: { x: 'y' } }),
      configMap('named', { labels: { x: 'y' } }),
    ],
  },
  {
    name: 'claim-namespaced',
    about: "a namespace's policy before a cluster's; the cluster's has what is left",
    given: [
      clusterPolicy('claim-namespaced--c', inNamespace('claim-namespaced'), to('m1'), { priority: 9 }),
      policy('p', [{ ...CONFIG_MAPS[0], name: 'a' }], to('m2')),
      configMap('a'),
      configMap('b'),
    ],
  },
  {
    name: 'claim-policy-goes',
    about: 'a deleted policy lets go, and everything stays where it is',
    given: [policy('p', CONFIG_MAPS, to('m1', 'm2')), configMap('a')],
    phases: [[remove(ref('PropagationPolicy', 'p'))], [remove(ref('ConfigMap', 'a'))]],
  },
  {
    name: 'claim-next',
    about: 'after a deleted policy the next one takes over',
    given: [
      policy('first', CONFIG_MAPS, to('m1'), { priority: 5 }),
      policy('second', CONFIG_MAPS, to('m2')),
      configMap('a'),
    ],
    phases: [[remove(ref('PropagationPolicy', 'first'))]],
  },
  {
    name: 'claim-cluster-policy-goes',
    about: 'a deleted cluster policy lets go too',
    given: [
      clusterPolicy('claim-cluster-policy-goes--c', inNamespace('claim-cluster-policy-goes'), to('m1')),
      configMap('a'),
    ],
    phases: [[remove(ref('ClusterPropagationPolicy', 'claim-cluster-policy-goes--c'))]],
  },
  {
    name: 'claim-unselected',
    about: 'a template that its policy no longer selects is let go',
    given: [
      policy('p', [{ ...CONFIG_MAPS[0], labelSelector: { matchLabels: { x: 'y' } } }], to('m1')),
      configMap('a', { labels: { x: 'y' } }),
    ],
    phases: [[patch(ref('ConfigMap', 'a'), { metadata: { labels: { x: 'z' } } })]],
  },
  {
    name: 'claim-late',
    about: 'a policy that comes after its template; a lazy one waits for the next change',
    given: [configMap('a')],
    phases: [
      [apply(policy('p', CONFIG_MAPS, to('m1'), { activationPreference: 'Lazy' }))],
      [patch(ref('ConfigMap', 'a'), { data: { key: 'first' } })],
      [patch(ref('PropagationPolicy', 'p'), { spec: { placement: to('m2') } })],
      [patch(ref('ConfigMap', 'a'), { data: { key: 'new' } })],
    ],
  },
];
