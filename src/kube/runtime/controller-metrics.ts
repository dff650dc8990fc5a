/** What is measured of one controller, under the names that dashboards of Kubernetes controllers know. */
import type { Counter, Gauge, Histogram, Metrics } from '#base/metrics.ts';

export type Result = 'success' | 'requeue_after' | 'error';

export interface ControllerMetrics {
  readonly results: Readonly<Record<Result, Counter>>;
  readonly seconds: Histogram;
  readonly depth: Gauge;
  readonly active: Gauge;
  readonly adds: Counter;
  readonly retries: Counter;
}

export function controllerMetrics(metrics: Metrics, controller: string): ControllerMetrics {
  const total = metrics.counter('controller_runtime_reconcile_total', 'Reconciliations by result.', [
    'controller',
    'result',
  ]);
  const of = { controller };
  const named = { name: controller };
  return {
    results: {
      success: total.labels({ ...of, result: 'success' }),
      requeue_after: total.labels({ ...of, result: 'requeue_after' }),
      error: total.labels({ ...of, result: 'error' }),
    },
    seconds: metrics
      .histogram('controller_runtime_reconcile_time_seconds', 'Duration of reconciliations.', ['controller'])
      .labels(of),
    active: metrics.gauge('controller_runtime_active_workers', 'Reconciliations under way.', ['controller']).labels(of),
    depth: metrics.gauge('workqueue_depth', 'Keys that wait.', ['name']).labels(named),
    adds: metrics.counter('workqueue_adds_total', 'Keys taken up.', ['name']).labels(named),
    retries: metrics.counter('workqueue_retries_total', 'Keys tried again after a failure.', ['name']).labels(named),
  };
}
