/** Revisions of a workload: each cluster counts its own, but people think of what was deployed. */
interface Told<T> {
  readonly cluster: string;
  readonly revision: bigint;
  readonly createdAt: bigint;
  readonly current: boolean;
  readonly images: readonly string[];
  readonly template?: T | undefined;
}

export interface Revision<T> {
  readonly id: string;
  /** One of the clusters that have it, and what it is called there. */
  readonly cluster: string;
  readonly revision: bigint;
  readonly clusters: readonly string[];
  readonly images: readonly string[];
  readonly template: T | undefined;
  readonly createdAt: number;
  readonly isCurrent: boolean;
}

/** One for each template there was, the newest first, with all the clusters that remember it. */
export function revisionsOf<T>(told: readonly Told<T>[]): readonly Revision<T>[] {
  const found = new Map<string, Revision<T>>();
  for (const { cluster, revision, createdAt, current, images, template } of told) {
    const key = JSON.stringify(template);
    const known = found.get(key);
    found.set(key, {
      id: known?.id ?? `${cluster}/${revision}`,
      cluster: known?.cluster ?? cluster,
      revision: known?.revision ?? revision,
      clusters: [...(known?.clusters ?? []), cluster],
      images,
      template,
      createdAt: Math.max(known?.createdAt ?? 0, Number(createdAt)),
      isCurrent: current || (known?.isCurrent ?? false),
    });
  }
  return [...found.values()].sort((a, b) => b.createdAt - a.createdAt);
}
