/**
 * Keys that wait to be taken: those of the highest priority first, among equals the one that waited longest.
 *
 * The priority of a key is asked for when it is pushed; pushed again with another one it waits there instead.
 */
export interface ReadyKeys {
  readonly length: () => number;
  push(key: string): void;
  /** Told when a waiting key may have another priority. */
  move(key: string): void;
  shift(): string | undefined;
}

export function readyKeys(priorityOf: ((key: string) => number) | undefined): ReadyKeys {
  return priorityOf ? byPriority(priorityOf) : { ...fifo(), move: () => undefined };
}

function byPriority(priorityOf: (key: string) => number): ReadyKeys {
  const levels = new Map<number, ReturnType<typeof fifo>>();
  /** Highest first. */
  let order: readonly number[] = [];
  const waiting = new Map<string, number>();

  function levelOf(priority: number) {
    let level = levels.get(priority);
    if (!level) {
      levels.set(priority, (level = fifo()));
      order = [...levels.keys()].sort((a, b) => b - a);
    }
    return level;
  }

  function push(key: string): void {
    const priority = priorityOf(key);
    waiting.set(key, priority);
    levelOf(priority).push(key);
  }

  function drop(priority: number): void {
    levels.delete(priority);
    order = order.filter((each) => each !== priority);
  }

  return {
    length: () => waiting.size,
    push,
    move(key) {
      const before = waiting.get(key);
      if (before !== undefined && before !== priorityOf(key)) push(key);
    },
    shift() {
      for (const priority of order) {
        const level = levelOf(priority);
        for (let key = level.shift(); key !== undefined; key = level.shift()) {
          // It waits on another level by now.
          if (waiting.get(key) !== priority) continue;
          waiting.delete(key);
          return key;
        }
        drop(priority);
      }
      return undefined;
    },
  };
}

/** First in, first out, without moving everything at each step as an array's shift does. */
function fifo() {
  let items: (string | undefined)[] = [];
  let head = 0;
  return {
    length: () => items.length - head,
    push: (key: string) => void items.push(key),
    shift(): string | undefined {
      if (head === items.length) return undefined;
      const key = items[head];
      items[head++] = undefined;
      if (head > 1_000 && head * 2 > items.length) {
        items = items.slice(head);
        head = 0;
      }
      return key;
    },
  };
}
