/** Numbers over time, as a chart wants them: one axis of times for all lines. Pure. */
export interface Sample {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly value: number;
}

export interface Line {
  readonly label: string;
  readonly samples: readonly Sample[];
}

export interface Aligned {
  /** Seconds since 1970, rising. */
  readonly times: readonly number[];
  /** One list for each line; null where a line says nothing at that time. */
  readonly values: readonly (readonly (number | null)[])[];
}

/** Samples rarely come at the same moment: each falls into the slot it is in, and the last one there counts. */
export function aligned(lines: readonly Line[], slotMs: number): Aligned {
  const slotOf = ({ at }: Sample) => Math.floor(at / slotMs) * slotMs;
  const slots = [...new Set(lines.flatMap(({ samples }) => samples.map(slotOf)))].sort((a, b) => a - b);
  const values = lines.map(({ samples }) => {
    const bySlot = new Map(samples.map((sample) => [slotOf(sample), sample.value]));
    return slots.map((slot) => bySlot.get(slot) ?? null);
  });
  return { times: slots.map((slot) => slot / 1000), values };
}

/** How often something happened in each slot between two times, slots without anything included. */
export function counted(times: readonly number[], from: number, to: number, slotMs: number): readonly Sample[] {
  const first = Math.floor(from / slotMs) * slotMs;
  const slots = Math.max(1, Math.ceil((to - first) / slotMs));
  const counts = Array.from({ length: slots }, () => 0);
  for (const time of times) {
    const slot = Math.floor((time - first) / slotMs);
    if (slot >= 0 && slot < slots) counts[slot] = (counts[slot] ?? 0) + 1;
  }
  return counts.map((value, index) => ({ at: first + index * slotMs, value }));
}

/** What a chart says in one sentence: its last value, and the least and most it had. */
export function summed(samples: readonly Sample[]): {
  readonly last: number;
  readonly least: number;
  readonly most: number;
} {
  const values = samples.map(({ value }) => value);
  return { last: values.at(-1) ?? 0, least: Math.min(...values, Infinity), most: Math.max(...values, -Infinity) };
}
