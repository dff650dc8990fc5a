/** Who says how many more replicas a cluster could take. */
import type { BindingSpec, Cluster } from '#karmada/apis/index.ts';
import type { Estimate } from './explanation.ts';

/**
 * A pure function of its arguments: an estimator that asks somebody is asked before scheduling, and closes over the
 * answers.
 */
export interface Estimator {
  readonly name: string;
  estimate(cluster: Cluster, spec: BindingSpec): Omit<Estimate, 'estimator'>;
}
