/** Metrics of an instance, from a store that speaks Prometheus' API. Without one, everything here says how to have one. */
import { isObject } from '#base/json.ts';
import { badRequest, StatusError } from '#base/status-error.ts';
import { InsightService } from '#gen/proto/kairship/api/insight/v1alpha1/insight_service_pb.ts';
import { type ServedService, service } from '#rpc/index.ts';
import { narrowedQuery } from './narrowed-query.ts';

export interface InsightServiceDeps {
  /** The address of a Prometheus, or of something that answers as one. */
  readonly prometheus?: string | undefined;
}

const PATIENCE_MS = 30_000;
const LONGEST_QUERY = 10_000;
const MOST_STEPS = 11_000;

type Pair = readonly [seconds: number, value: string];
interface Series {
  readonly metric: Record<string, string>;
  readonly value?: Pair;
  readonly values?: readonly Pair[];
}

export function insightService({ prometheus }: InsightServiceDeps): ServedService {
  async function ask(path: string, query: string, instance: string, times: Readonly<Record<string, string>>) {
    if (prometheus === undefined)
      throw badRequest('no metrics are collected here: start the platform with --prometheus <url> of a metrics store');
    if (query === '' || query.length > LONGEST_QUERY)
      throw badRequest(`query: between 1 and ${LONGEST_QUERY} characters, found ${query.length}`);
    const url = new URL(`${prometheus.replace(/\/$/, '')}/api/v1/${path}`);
    const body = new URLSearchParams({ query: narrowedQuery(query, instance), ...times });
    const response = await fetch(url, { method: 'POST', body, signal: AbortSignal.timeout(PATIENCE_MS) }).catch(
      (cause: unknown) => {
        throw new StatusError('ServiceUnavailable', 'the metrics store does not answer', { cause });
      },
    );
    return resultOf(await response.json().catch(() => undefined), response.status);
  }

  return service(InsightService, {
    async queryMetric({ instance, query, time }) {
      const series = await ask('query', query, instance, time > 0n ? { time: String(time) } : {});
      return {
        vector: series.map(({ metric, value }) => ({ metric, ...(value ? { values: pair(value) } : {}) })),
      };
    },
    async queryRangeMetric({ instance, query, start, end, step }) {
      const steps = Number(end - start) / step;
      if (!(step > 0) || end < start || steps > MOST_STEPS)
        throw badRequest(`start, end and step: up to ${MOST_STEPS} steps from start to end, found ${steps}`);
      const times = { start: String(start), end: String(end), step: String(step) };
      const series = await ask('query_range', query, instance, times);
      return { matrix: series.map(({ metric, values = [] }) => ({ metric, values: values.map(pair) })) };
    },
    detectInsight: () => ({ enabled: prometheus !== undefined }),
  });
}

function resultOf(answer: unknown, status: number): readonly Series[] {
  const data = isObject(answer) ? answer['data'] : undefined;
  if (isObject(answer) && answer['status'] === 'success' && isObject(data)) {
    const { resultType, result } = data;
    // A number without labels, as `1 + 1` gives.
    if (resultType === 'scalar') return [{ metric: {}, value: result as Pair }];
    if (Array.isArray(result)) return result as Series[];
  }
  const why = isObject(answer) ? answer['error'] : undefined;
  throw typeof why === 'string'
    ? badRequest(`the metrics store refuses the query: ${why}`)
    : new StatusError('ServiceUnavailable', `the metrics store answered with ${status} and no result`);
}

function pair([seconds, value]: Pair) {
  return { timestamp: BigInt(Math.round(seconds * 1000)), value };
}
