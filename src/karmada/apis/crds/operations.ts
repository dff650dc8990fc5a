/** Schemas of what asks the engine to act: rebalancing and remedies. */
import { REMEDY, WORKLOAD_REBALANCER } from '../resources.ts';
import { definition } from './definition.ts';
import { having, int32, int64, list, object, oneOf, string, time } from '#kube/crds/schema.ts';
import { names } from './shared.ts';

const workload = object({ apiVersion: string(), kind: string(), namespace: string(), name: string() }, [
  'apiVersion',
  'kind',
  'name',
]);

export const workloadRebalancerCrd = definition({
  names: WORKLOAD_REBALANCER,
  scope: 'Cluster',
  category: undefined,
  description: 'Schedules workloads afresh, once.',
  properties: {
    spec: object(
      {
        workloads: having(list(workload, 'What to schedule afresh.'), { minItems: 1 }),
        ttlSecondsAfterFinished: int32('How long this object stays after it is done; for ever when absent.'),
      },
      ['workloads'],
    ),
    status: object({
      observedWorkloads: list(
        object({ workload, result: string('Successful or Failed.'), reason: string() }, ['workload']),
      ),
      observedGeneration: int64(),
      finishTime: time(),
    }),
  },
  hasStatus: true,
});

const conditionMatch = object(
  { conditionType: string(), operator: oneOf(['Equal', 'NotEqual']), conditionStatus: string() },
  ['conditionStatus', 'conditionType', 'operator'],
);

export const remedyCrd = definition({
  names: REMEDY,
  scope: 'Cluster',
  description: 'Says what to do about clusters in a certain condition.',
  properties: {
    spec: object({
      clusterAffinity: object({ clusterNames: names() }, [], 'The clusters it concerns; all when absent.'),
      decisionMatches: list(
        object({ clusterConditionMatch: conditionMatch }),
        'It acts when one of these holds; always when there are none.',
      ),
      actions: names('What to do: TrafficControl.'),
    }),
  },
  hasStatus: false,
});
