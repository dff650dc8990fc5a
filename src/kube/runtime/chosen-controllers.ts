/**
 * Which controllers run, in the syntax of `--controllers` of Kubernetes and Karmada: `*` is all that run by default, a
 * name is one more, a name after a minus sign is one less, wherever they stand. Unknown names are returned as such.
 */
export type ControllerChoice<Name extends string> =
  | { readonly runs: (name: Name) => boolean }
  | { readonly unknown: readonly string[] };

export function chosenControllers<Name extends string>(
  list: string,
  names: readonly Name[],
  offByDefault: readonly Name[] = [],
): ControllerChoice<Name> {
  const entries = list
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
  const named = entries.filter((entry) => entry !== '*').map((entry) => entry.replace(/^-/, ''));
  const unknown = named.filter((name) => !(names as readonly string[]).includes(name));
  if (unknown.length > 0) return { unknown };
  const all = entries.includes('*');
  return {
    runs: (name) => !entries.includes(`-${name}`) && (entries.includes(name) || (all && !offByDefault.includes(name))),
  };
}
