/**
 * A list, once or with `-w` for as long as one looks: it is asked for again every two seconds, and what has changed is
 * printed, as `kubectl get -w` does.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { chosen, type Listed, type ListOptions, printList, rowsOf, TABLE, write } from './output.ts';
import { displayWidth } from './table.ts';

const EVERY_MS = 2_000;

export async function follow<T>(
  listed: Listed<T>,
  ask: () => Promise<readonly T[]>,
  options: ListOptions,
  none: string,
): Promise<void> {
  let items = await ask();
  printList(listed, items, options, none);
  if (options.watch !== true) return;
  const known = new Map(items.map((item) => [listed.name(item), fingerprint(listed, item)]));
  const widths = widthsOf(listed, items, options);
  for (;;) {
    await sleep(EVERY_MS);
    items = await ask();
    for (const item of chosen(listed, items, options)) {
      const now = fingerprint(listed, item);
      if (known.get(listed.name(item)) === now) continue;
      known.set(listed.name(item), now);
      printRow(listed, item, options, widths);
    }
  }
}

/** What a reader would see of it; ages alone are no change. */
function fingerprint<T>({ columns }: Listed<T>, item: T): string {
  return JSON.stringify(
    columns.filter(({ head }) => !/AGE|ENDS|SEEN|USED|WHEN|SINCE/.test(head)).map(({ of }) => of(item)),
  );
}

function printRow<T>(listed: Listed<T>, item: T, { output = TABLE }: ListOptions, widths: readonly number[]): void {
  if (output.type !== 'table') return printList(listed, [item], { output }, '');
  const [row = []] = rowsOf(listed, [item], output.wide);
  write(
    row
      .map((cell, column) => cell + ' '.repeat(Math.max(0, (widths[column] ?? 0) - displayWidth(cell))))
      .join('   ')
      .trimEnd(),
  );
}

function widthsOf<T>(listed: Listed<T>, items: readonly T[], { output = TABLE }: ListOptions): readonly number[] {
  const wide = output.type === 'table' && output.wide;
  const head = listed.columns.filter((column) => wide || !column.wide).map((column) => column.head);
  const all = [head, ...rowsOf(listed, items, wide)];
  return head.map((_, column) => Math.max(...all.map((row) => displayWidth(row[column] ?? ''))));
}
