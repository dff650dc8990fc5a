/** Lets so many actions run at once; the others wait, and begin in the order in which they came. */
export type Gate = <T>(action: () => Promise<T>) => Promise<T>;

/** A gate whose width changes; `look` says that it may have changed. */
export interface VariableGate extends Gate {
  look(): void;
}

/** `room` is how many, or tells it whenever somebody waits, knowing how many do. */
export function gate(room: number | ((waiting: number) => number)): VariableGate {
  const widthFor = typeof room === 'number' ? () => room : room;
  const waiting = new Set<() => void>();
  let inside = 0;

  function look(): void {
    for (const begin of waiting) {
      if (inside >= widthFor(waiting.size)) return;
      waiting.delete(begin);
      inside++;
      begin();
    }
  }

  async function enter<T>(action: () => Promise<T>): Promise<T> {
    await new Promise<void>((begin) => {
      waiting.add(begin);
      look();
    });
    try {
      return await action();
    } finally {
      inside--;
      look();
    }
  }

  return Object.assign(enter, { look });
}
