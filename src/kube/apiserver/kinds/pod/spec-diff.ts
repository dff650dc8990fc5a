/**
 * What changed between two specs, as a unified diff of their lines.
 *
 * Kubernetes prints its own structs there, with fields no client knows by those names; this prints the fields as they
 * are written in a manifest.
 */
const CONTEXT = 3;

export function specDiff(before: object, after: object): string {
  const [a, b] = [linesOf(before), linesOf(after)];
  const changes = compare(a, b);
  return hunks(changes)
    .map((hunk) => formatHunk(hunk))
    .join('');
}

function linesOf(value: object): string[] {
  return JSON.stringify(value, undefined, 1).split('\n').slice(1, -1);
}

interface Line {
  readonly sign: ' ' | '-' | '+';
  readonly text: string;
  /** Where the line is in each of the two, counted from one. */
  readonly old: number;
  readonly new: number;
}

/** The longest common lines stay; all others were taken out or put in. */
function compare(a: readonly string[], b: readonly string[]): Line[] {
  const common = commonLengths(a, b);
  const lines: Line[] = [];
  let [i, j] = [0, 0];
  while (i < a.length || j < b.length) {
    const at = { old: i + 1, new: j + 1 };
    if (i < a.length && a[i] === b[j]) {
      lines.push({ sign: ' ', text: a[i++] ?? '', ...at });
      j++;
    } else if (i < a.length && (j === b.length || (common[i + 1]?.[j] ?? 0) >= (common[i]?.[j + 1] ?? 0))) {
      lines.push({ sign: '-', text: a[i++] ?? '', ...at });
    } else lines.push({ sign: '+', text: b[j++] ?? '', ...at });
  }
  return lines;
}

function commonLengths(a: readonly string[], b: readonly string[]): Uint16Array[] {
  const lengths = Array.from({ length: a.length + 1 }, () => new Uint16Array(b.length + 1));
  for (let i = a.length - 1; i >= 0; i--) {
    const [row, below] = [lengths[i], lengths[i + 1]];
    if (!row || !below) continue;
    for (let j = b.length - 1; j >= 0; j--) {
      row[j] = a[i] === b[j] ? (below[j + 1] ?? 0) + 1 : Math.max(below[j] ?? 0, row[j + 1] ?? 0);
    }
  }
  return lengths;
}

/** Changes with the lines around them; those near each other share a hunk. */
function hunks(lines: readonly Line[]): Line[][] {
  const found: { from: number; to: number }[] = [];
  for (const [at, { sign }] of lines.entries()) {
    if (sign === ' ') continue;
    const last = found.at(-1);
    if (last && at - CONTEXT <= last.to + CONTEXT) last.to = at;
    else found.push({ from: at, to: at });
  }
  return found.map(({ from, to }) => lines.slice(Math.max(0, from - CONTEXT), to + CONTEXT + 1));
}

function formatHunk(lines: readonly Line[]): string {
  const count = (sign: string) => lines.filter((line) => line.sign !== sign).length;
  const header = `@@ -${lines[0]?.old ?? 0},${count('+')} +${lines[0]?.new ?? 0},${count('-')} @@\n`;
  return `${header}${lines.map(({ sign, text }) => `${sign}${text}\n`).join('')}`;
}
