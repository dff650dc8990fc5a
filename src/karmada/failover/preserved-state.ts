/**
 * What of an application's status is carried as labels to the place it moves to. Pure. Feature gate
 * StatefulFailoverInjection; `binding/render-work.ts` puts the labels on.
 */
import { StatusError } from '#base/status-error.ts';
import type { AggregatedStatusItem, StatePreservation } from '#karmada/apis/index.ts';
import { parseJsonPath, printJsonValue } from '#kube/meta/json-path.ts';

/** Undefined when nothing is to be preserved. Throws while the cluster has not reported what is to be preserved. */
export function preservedLabelState(
  preservation: StatePreservation | undefined,
  aggregated: readonly AggregatedStatusItem[] | undefined,
  cluster: string,
): Readonly<Record<string, string>> | undefined {
  if (!preservation || preservation.rules.length === 0) return undefined;
  const status = aggregated?.find(({ clusterName }) => clusterName === cluster)?.status;
  if (!status) {
    const message = `the application status has not yet been collected from Cluster(${cluster})`;
    throw new StatusError('ServiceUnavailable', message);
  }
  return Object.fromEntries(
    preservation.rules.map(({ aliasLabelName, jsonPath }) => [aliasLabelName, valueAt(status, jsonPath)]),
  );
}

function valueAt(status: unknown, jsonPath: string): string {
  const bare = jsonPath.trim().replace(/^\{\s*|\s*\}$/g, '');
  const values = parseJsonPath(bare).find(status);
  if (values.length === 0) throw new StatusError('BadRequest', `jsonpath "${jsonPath}" finds nothing in the status`);
  return values.map(printJsonValue).join(' ');
}
