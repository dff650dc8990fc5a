/** What a request for a log asks for, refused as Kubernetes refuses `PodLogOptions`. */
import { type FieldError, forbidden, invalid } from '#kube/meta/field-error.ts';
import { invalid as invalidObject } from '#kube/apiserver/failures.ts';
import { flag, integer, time } from '../query.ts';

export interface LogQuery {
  readonly container: string | undefined;
  readonly follow: boolean;
  readonly previous: boolean;
  readonly timestamps: boolean;
  readonly tailLines: number | undefined;
  readonly limitBytes: number | undefined;
  /** Milliseconds since the epoch. */
  readonly since: number | undefined;
}

export function logQuery(pod: string, query: URLSearchParams, now: number): LogQuery {
  const tailLines = integer(query, 'tailLines');
  const limitBytes = integer(query, 'limitBytes');
  const sinceSeconds = integer(query, 'sinceSeconds');
  const sinceTime = time(query, 'sinceTime');
  const errors: FieldError[] = [];
  if (tailLines !== undefined && tailLines < 0) {
    errors.push(invalid('tailLines', tailLines, 'must be greater than or equal to 0'));
  }
  if (limitBytes !== undefined && limitBytes < 1) {
    errors.push(invalid('limitBytes', limitBytes, 'must be greater than 0'));
  }
  if (sinceSeconds !== undefined && sinceTime !== undefined) {
    errors.push(forbidden('', 'at most one of `sinceTime` or `sinceSeconds` may be specified'));
  } else if (sinceSeconds !== undefined && sinceSeconds < 1) {
    errors.push(invalid('sinceSeconds', sinceSeconds, 'must be greater than 0'));
  }
  if (errors.length > 0) throw invalidObject({ group: '', kind: 'PodLogOptions' }, pod, errors);
  return {
    container: query.get('container') ?? undefined,
    follow: flag(query, 'follow'),
    previous: flag(query, 'previous'),
    timestamps: flag(query, 'timestamps'),
    tailLines,
    limitBytes,
    since: sinceSeconds === undefined ? sinceTime : now - sinceSeconds * 1000,
  };
}
