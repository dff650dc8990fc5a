/**
 * The hops that an agent has made, as they cross the wire: what it did in its own cluster, and nothing else.
 *
 * A hop is noted when it arrives; the clock of a member may be wrong. Pure.
 */
import { isObject } from '#base/json.ts';
import { badRequest } from '#base/status-error.ts';
import type { Hop, Traced } from './tracer.ts';

/** How many hops one report may tell. */
export const MOST_HOPS = 500;
const STEPS = ['applied', 'collected'] as const;
const MOST_TEXT = 2_000;

/** As JSON, which has no place for an error but its words. */
export function hopsReport(hops: readonly Hop[]): { readonly hops: readonly object[] } {
  return {
    hops: hops.map(({ step, template, detail, error }) => ({
      step,
      template,
      ...(detail === undefined ? {} : { detail }),
      ...(error === undefined ? {} : { error: error instanceof Error ? error.message : 'it failed' }),
    })),
  };
}

/** What an agent of this cluster reports. Throws `BadRequest` for what only others could have done. */
export function readHops(body: unknown, cluster: string): readonly Hop[] {
  const hops = isObject(body) ? body['hops'] : undefined;
  if (!Array.isArray(hops)) throw badRequest('a report has a list of hops');
  if (hops.length > MOST_HOPS) throw badRequest(`a report has at most ${MOST_HOPS} hops, not ${hops.length}`);
  return hops.map((hop: unknown, at) => readHop(hop, cluster, at));
}

function readHop(hop: unknown, cluster: string, at: number): Hop {
  const { step, template, detail, error } = isObject(hop) ? hop : {};
  const known = STEPS.find((each) => each === step);
  if (!known) throw badRequest(`hops[${at}].step: an agent takes ${STEPS.join(' and ')}, not ${JSON.stringify(step)}`);
  const words = (text: unknown) => (typeof text === 'string' ? text.slice(0, MOST_TEXT) : undefined);
  const [said, wrong] = [words(detail), words(error)];
  return {
    step: known,
    cluster,
    template: readTemplate(template, at),
    ...(said === undefined ? {} : { detail: said }),
    ...(wrong === undefined ? {} : { error: new Error(wrong) }),
  };
}

function readTemplate(template: unknown, at: number): Traced {
  const { apiVersion, kind, namespace, name, uid, generation } = isObject(template) ? template : {};
  if (typeof apiVersion !== 'string' || typeof kind !== 'string' || typeof name !== 'string')
    throw badRequest(`hops[${at}].template names no apiVersion, kind or name`);
  return {
    apiVersion,
    kind,
    name,
    ...(typeof namespace === 'string' ? { namespace } : {}),
    ...(typeof uid === 'string' ? { uid } : {}),
    ...(typeof generation === 'number' ? { generation } : {}),
  };
}
