/** The filter `phase` of a list: a value of the enum that the kind's state has, however its reader spells it. */
import type { DescEnum } from '@bufbuild/protobuf';
import { badRequest } from '#base/status-error.ts';

/** `Running`, `NOT_READY`, `WORKLOAD_STATE_NOT_READY`, …: undefined when no phase is asked for. */
export function inPhase<T>(
  states: DescEnum,
  phase: string | undefined,
  stateOf: (object: T) => number,
): ((object: T) => boolean) | undefined {
  if (!phase) return undefined;
  const wanted = plain(phase);
  const known = states.values.filter(({ number }) => number > 0);
  const found = known.find(({ name, localName }) => plain(name) === wanted || plain(localName) === wanted);
  if (!found) throw badRequest(`phase "${phase}" is none of ${known.map(({ name }) => name).join(', ')}`);
  return (object) => stateOf(object) === found.number;
}

function plain(name: string): string {
  return name.toLowerCase().replaceAll('_', '');
}
