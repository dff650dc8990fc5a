/** Names that clusters serve, each with the clusters that do, in the order of names. Pure. */
export function servedBy(
  answers: readonly (readonly [cluster: string, items: readonly { readonly name: string }[]])[],
): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const [cluster, items] of answers)
    for (const { name } of items) found.set(name, [...(found.get(name) ?? []), cluster]);
  return new Map([...found].sort(([a], [b]) => a.localeCompare(b)));
}
