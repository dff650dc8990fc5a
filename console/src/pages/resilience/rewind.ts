/** Where things stood after each decision. Pure. */
export interface Decided {
  readonly binding: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly at: number;
  readonly because: string;
  readonly apiVersion: string;
  /** What has no replicas is placed with none. */
  readonly clusters: readonly {
    readonly name: string;
    readonly replicas: number;
    readonly before: number;
    readonly placed: boolean;
  }[];
}

/** The last decision on each thing among the first so many, in the order of their names. */
export function stoodAt(decisions: readonly Decided[], count: number): readonly Decided[] {
  const last = new Map(decisions.slice(0, count).map((decision) => [decision.binding, decision]));
  return [...last.values()].sort((a, b) => a.binding.localeCompare(b.binding));
}

/** `frankfurt 3 · virginia 2`; only the names of what has no replicas, and nothing for what is nowhere. */
export function standsOn({ clusters }: Pick<Decided, 'clusters'>): string {
  return clusters
    .filter(({ placed }) => placed)
    .map(({ name, replicas }) => (replicas > 0 ? `${name} ${replicas}` : name))
    .join(' · ');
}

/** `frankfurt 3→5, virginia 2→0` */
export function movesOf({ clusters }: Pick<Decided, 'clusters'>): string {
  return clusters
    .filter(({ replicas, before }) => replicas !== before)
    .map(({ name, replicas, before }) => `${name} ${before}→${replicas}`)
    .join(', ');
}
