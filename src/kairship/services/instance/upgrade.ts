/** Whether an instance may go from one version of its engine to another. Pure. */
import { badRequest, StatusError } from '#base/status-error.ts';
import { KARMADA_VERSION } from '#karmada/apis/index.ts';
import type { Instance } from '../../instances/index.ts';

export interface Upgrade {
  readonly from: string;
  readonly to: string;
}

/** Throws for what cannot be done, with what can. */
export function upgradeOf({ metadata, spec, status }: Instance, wanted: string): Upgrade {
  const from = status?.karmadaVersion ?? spec.karmadaVersion ?? KARMADA_VERSION;
  const to = wanted === '' ? KARMADA_VERSION : wanted;
  if (!numbersOf(to)) throw badRequest(`version: a version is v1.18.2 or the like, found "${to}"`);
  if (spec.mode === 'external')
    throw new StatusError('Conflict', `instance "${metadata.name}" is run by somebody else, who alone can upgrade it`);
  if (isOlder(to, from))
    throw new StatusError('Conflict', `instance "${metadata.name}" is at ${from}: going back to ${to} is not possible`);
  if (spec.mode === 'embedded' && to !== KARMADA_VERSION)
    throw badRequest(
      `version: an embedded instance has ${KARMADA_VERSION}, the only one this platform brings; found ${to}`,
    );
  return { from, to };
}

function isOlder(a: string, b: string): boolean {
  const [left, right] = [numbersOf(a) ?? [], numbersOf(b) ?? []];
  const at = left.findIndex((number, index) => number !== right[index]);
  return at >= 0 && (left[at] ?? 0) < (right[at] ?? 0);
}

function numbersOf(version: string): readonly number[] | undefined {
  const found = /^v?(\d{1,6})\.(\d{1,6})\.(\d{1,6})$/.exec(version);
  return found ? found.slice(1).map(Number) : undefined;
}
