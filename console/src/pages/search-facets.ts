/** What was found, counted by what it can be narrowed by; and queries narrowed or widened by it. Pure. */
export const FACETS = ['kind', 'cluster', 'namespace'] as const;
export type Facet = (typeof FACETS)[number];

export interface FoundLike {
  readonly cluster: string;
  readonly resource?: { readonly kind: string; readonly namespace: string } | undefined;
}

export interface Counted {
  readonly value: string;
  readonly count: number;
}

const valueOf: Readonly<Record<Facet, (found: FoundLike) => string>> = {
  kind: ({ resource }) => resource?.kind.toLowerCase() ?? '',
  // What is in the instance itself has no cluster, which the search writes with a dash.
  cluster: ({ cluster }) => cluster || '-',
  namespace: ({ resource }) => resource?.namespace ?? '',
};

/** The most frequent first. */
export function facetOf(facet: Facet, found: readonly FoundLike[], most = 8): readonly Counted[] {
  const counts = new Map<string, number>();
  for (const one of found) {
    const value = valueOf[facet](one);
    if (value !== '') counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return [...counts]
    .map(([value, count]) => ({ value, count }))
    .sort((a, b) => b.count - a.count || a.value.localeCompare(b.value))
    .slice(0, most);
}

export function hasFacet(query: string, facet: Facet, value: string): boolean {
  return query.split(/\s+/).includes(`${facet}:${value}`);
}

/** Adds it, or takes it away where it is there already. */
export function toggled(query: string, facet: Facet, value: string): string {
  const words = query.split(/\s+/).filter(Boolean);
  const word = `${facet}:${value}`;
  if (words.includes(word)) return words.filter((one) => one !== word).join(' ');
  return [...words.filter((one) => !one.startsWith(`${facet}:`)), word].join(' ');
}
