const PAGE_SIZE = 100;

interface Page<T> {
  readonly items: readonly T[];
  readonly pagination?: { readonly pages: number } | undefined;
}

/** Everything of a list that servers answer page by page. */
export async function allPages<T>(
  ask: (page: { readonly page: number; readonly pageSize: number }) => Promise<Page<T>>,
): Promise<readonly T[]> {
  const all: T[] = [];
  for (let page = 1; ; page++) {
    const { items, pagination } = await ask({ page, pageSize: PAGE_SIZE });
    all.push(...items);
    if (page >= (pagination?.pages ?? 0)) return all;
  }
}
