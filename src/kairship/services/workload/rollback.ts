/** Makes the pods of a workload what they were, by writing an earlier template of theirs into the instance. */
import { badRequest, StatusError } from '#base/status-error.ts';
import { isObject } from '#base/json.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { fieldDrift } from '../drift/field-drift.ts';
import type { Revision } from './revisions.ts';

export interface Wanted {
  readonly cluster: string;
  /** 0 is the one before the current. */
  readonly revision: number;
}

/**
 * The template to go back to. `inMember` finds the workload where its revisions are: where its pods are made from
 * another template than the instance's, as overrides do, going back there would make that the rule everywhere.
 */
export function templateToGoBackTo(
  workload: KubeObject,
  revisions: readonly Revision[],
  { cluster, revision }: Wanted,
  inMember: (cluster: string) => KubeObject | undefined,
): Readonly<Record<string, unknown>> {
  if (specOf(workload)['paused'] === true)
    throw new StatusError('Conflict', `${workload.kind} "${workload.metadata.name}" is paused: resume it first`);
  const fitting = revisions.filter(
    (one) => (cluster === '' || one.cluster === cluster) && (revision === 0 ? !one.current : one.revision === revision),
  );
  if (fitting.length === 0)
    throw new StatusError(
      'NotFound',
      revision === 0
        ? `${workload.kind} "${workload.metadata.name}" has no revision before the current one`
        : `no cluster remembers revision ${revision} of ${workload.kind} "${workload.metadata.name}"`,
    );
  const found = fitting.find((one) => isAsWritten(workload, inMember(one.cluster)));
  if (found) return found.template;
  throw new StatusError(
    'Conflict',
    `the pods of ${workload.kind} "${workload.metadata.name}" are made otherwise in ${clustersOf(fitting)} than in the ` +
      'instance, by an override or by hand: going back to that would make it the rule everywhere',
  );
}

function isAsWritten(workload: KubeObject, there: KubeObject | undefined): boolean {
  if (!there) return false;
  const only = (object: KubeObject) => ({
    ...object,
    metadata: { name: '' },
    spec: { template: specOf(object)['template'] },
  });
  return fieldDrift(only(workload), only(there)).length === 0;
}

function clustersOf(revisions: readonly Revision[]): string {
  return [...new Set(revisions.map(({ cluster }) => `"${cluster}"`))].join(', ');
}

function specOf(object: KubeObject): Readonly<Record<string, unknown>> {
  const spec = object['spec'];
  return isObject(spec) ? spec : {};
}

/** Counts as the API sends them. */
export function wantedRevision(revision: bigint): number {
  if (revision < 0n || revision > BigInt(Number.MAX_SAFE_INTEGER)) throw badRequest(`revision: found ${revision}`);
  return Number(revision);
}
