/**
 * Paths into objects as field selectors name them: `.status.phase`, `metadata.annotations['x.io/y']`,
 * `spec.containers[].image`. A path is cut at its lists: `[['spec', 'containers'], ['image']]`.
 */
import { badRequest } from '#base/status-error.ts';

/** Keys between lists; one part more than there are lists on the way. */
export type FieldPath = readonly (readonly string[])[];

const STEP = /\.?(?:\[\s*(?:'([^']*)'|"([^"]*)"|(\*)?)\s*\]|([A-Za-z0-9_-][A-Za-z0-9_/-]*))/y;
const MAX_STEPS = 20;
const MAX_LISTS = 3;

export function parseFieldPath(text: string): FieldPath {
  const parts: string[][] = [[]];
  STEP.lastIndex = 0;
  let steps = 0;
  for (let at = 0; at < text.length; at = STEP.lastIndex) {
    const match = STEP.exec(text);
    if (!match || ++steps > MAX_STEPS) throw unreadable(text);
    const key = match[1] ?? match[2] ?? match[4];
    if (key === undefined) parts.push([]);
    else parts.at(-1)?.push(usable(key, text));
  }
  if (steps === 0 || parts[0]?.length === 0 || parts.length > MAX_LISTS + 1) throw unreadable(text);
  return parts;
}

/** Neither database can be asked for keys with these, so they are refused rather than misread. */
function usable(key: string, text: string): string {
  // oxlint-disable-next-line no-control-regex -- they are what is refused
  if (key === '' || /["\\\u0000-\u001f]/.test(key)) throw unreadable(text);
  return key;
}

function unreadable(text: string) {
  return badRequest(
    `cannot read the field ${JSON.stringify(text)}: write it as status.phase, metadata.annotations['a.io/b'] or spec.containers[].image, with at most ${MAX_STEPS} steps and ${MAX_LISTS} lists`,
  );
}
