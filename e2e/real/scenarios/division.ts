/**
 * How replicas are divided, and how the division follows when their number changes. Weights and numbers are such that
 * there is never a tie: those are decided by uids, which are different in each run.
 */
import type { Scenario } from '../scenario.ts';
import {
  bigContainer,
  DEPLOYMENTS,
  deployment,
  divided,
  patch,
  policy,
  ref,
  remove,
  scale,
  to,
  weights,
} from './objects.ts';

const everywhere = to('m1', 'm2', 'm3');

export const DIVISION: readonly Scenario[] = [
  {
    name: 'duplicated',
    about: 'every cluster has all replicas, also after scaling',
    given: [deployment('web', 2), policy('p', DEPLOYMENTS, to('m1', 'm2'))],
    phases: [[scale('web', 4)], [scale('web', 0)]],
  },
  {
    name: 'static-weights',
    about: 'static weights divide, and divide again when scaled up and down',
    given: [
      deployment('web', 6),
      policy('p', DEPLOYMENTS, { ...everywhere, ...divided('Weighted', weights({ m1: 5, m2: 3, m3: 2 })) }),
    ],
    phases: [[scale('web', 7)], [scale('web', 3)], [scale('web', 1)]],
  },
  {
    name: 'static-weights-change',
    about: 'changed weights move replicas',
    given: [
      deployment('web', 6),
      policy('p', DEPLOYMENTS, { ...to('m1', 'm2'), ...divided('Weighted', weights({ m1: 1, m2: 1 })) }),
    ],
    phases: [
      [
        patch(ref('PropagationPolicy', 'p'), {
          spec: { placement: { ...to('m1', 'm2'), ...divided('Weighted', weights({ m1: 1, m2: 2 })) } },
        }),
      ],
    ],
  },
  {
    name: 'even-weights',
    about: 'without preference all clusters weigh the same',
    given: [deployment('web', 6), policy('p', DEPLOYMENTS, { ...everywhere, ...divided('Weighted') })],
  },
  {
    name: 'dynamic-weights',
    about: 'clusters weigh what they have room for; scaling keeps what is placed',
    alone: true,
    given: [
      deployment('web', 8, bigContainer),
      policy('p', DEPLOYMENTS, {
        ...everywhere,
        ...divided('Weighted', { dynamicWeight: 'AvailableReplicas' }),
      }),
    ],
    phases: [[scale('web', 4)], [remove(ref('Deployment', 'web')), remove(ref('PropagationPolicy', 'p'))]],
  },
  {
    name: 'aggregated',
    about: 'as few clusters as have room for all; scaling down takes from the last',
    alone: true,
    given: [deployment('web', 30, bigContainer), policy('p', DEPLOYMENTS, { ...everywhere, ...divided('Aggregated') })],
    phases: [[scale('web', 10)], [remove(ref('Deployment', 'web')), remove(ref('PropagationPolicy', 'p'))]],
  },
  {
    name: 'no-room',
    about: 'more is asked for than all clusters have room for',
    alone: true,
    given: [
      deployment('web', 500, bigContainer),
      policy('p', DEPLOYMENTS, { ...everywhere, ...divided('Aggregated') }),
    ],
  },
  {
    name: 'spread-divided',
    about: 'static weights pass over the spread constraints',
    given: [
      deployment('web', 6),
      policy('p', DEPLOYMENTS, {
        ...divided('Weighted', weights({ m1: 3, m2: 2, m3: 1 })),
        spreadConstraints: [{ spreadByField: 'cluster', minGroups: 2, maxGroups: 2 }],
      }),
    ],
  },
];
