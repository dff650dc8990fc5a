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
