/** What a rule of an override policy must say, and where it does not. Pure. */
import { type Path, valueAt } from './policy-text.ts';

type Item = Readonly<Record<string, unknown>>;

/** What each kind of change needs; a value only unless something is removed. */
const NEEDS: Readonly<
  Record<string, { readonly always: readonly string[]; readonly unlessRemoved: readonly string[] }>
> = {
  imageOverrider: { always: ['component'], unlessRemoved: ['value'] },
  plaintext: { always: ['path'], unlessRemoved: ['value'] },
  commandOverrider: { always: ['containerName'], unlessRemoved: [] },
  argsOverrider: { always: ['containerName'], unlessRemoved: [] },
  labelsOverrider: { always: ['value'], unlessRemoved: [] },
  annotationsOverrider: { always: ['value'], unlessRemoved: [] },
  fieldOverrider: { always: ['fieldPath'], unlessRemoved: [] },
};

const listAt = (object: unknown, path: Path): readonly unknown[] => {
  const found = valueAt(object, path);
  return Array.isArray(found) ? found : [];
};

/** The places of a policy where something is missing. */
export function missingIn(object: unknown): readonly Path[] {
  return listAt(object, ['spec', 'overrideRules']).flatMap((rule, index) => {
    const at = ['spec', 'overrideRules', index, 'overriders'];
    return Object.entries(NEEDS).flatMap(([kind, { always, unlessRemoved }]) =>
      listAt(rule, ['overriders', kind]).flatMap((item, position) => {
        const { operator } = (item ?? {}) as Item;
        const needed = [...always, ...(operator === 'remove' ? [] : unlessRemoved)];
        return needed.filter((key) => isEmpty(valueAt(item, [key]))).map((key) => [...at, kind, position, key]);
      }),
    );
  });
}

function isEmpty(value: unknown): boolean {
  return (
    value === undefined ||
    value === null ||
    value === '' ||
    (typeof value === 'object' && Object.keys(value).length === 0)
  );
}

/** Nothing is nothing; `3` is a number, `true` a truth, `{"a":1}` an object, `"3"` text; anything else is text as it is. */
export function valueOf(text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}

/** The other way round: a text that would be taken for something else is quoted. */
export function textOf(value: unknown): string {
  if (value === undefined) return '';
  if (typeof value !== 'string') return JSON.stringify(value);
  return valueOf(value) === value ? value : JSON.stringify(value);
}
