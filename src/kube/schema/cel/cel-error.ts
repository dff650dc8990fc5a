/** What goes wrong with an expression: when it is compiled, and when it is evaluated. */

/** An error of evaluation, in the words of cel-go (`no such key: x`). */
export class CelError extends Error {
  override readonly name = 'CelError';
}

/** A mistake in an expression, and where it is (an offset into the source). */
export interface Issue {
  readonly at: number;
  readonly message: string;
}

/** The issues as cel-go shows them, each with its line and a mark below it. */
export function formatIssues(source: string, issues: readonly Issue[]): string {
  return issues
    .toSorted((a, b) => a.at - b.at)
    .map((issue) => formatIssue(source, issue))
    .join('\n');
}

function formatIssue(source: string, { at, message }: Issue): string {
  const before = source.slice(0, at);
  const line = before.split('\n').length;
  const start = before.lastIndexOf('\n') + 1;
  const end = source.indexOf('\n', start);
  const text = source.slice(start, end < 0 ? undefined : end).replaceAll('\t', ' ');
  const lead = Array.from(source.slice(start, at), (char) => (isWide(char) ? '．' : '.'));
  const mark = isWide(source.charAt(at)) ? '＾' : '^';
  return `ERROR: <input>:${line}:${lead.length + 1}: ${message}\n | ${text}\n | ${lead.join('')}${mark}`;
}

function isWide(char: string): boolean {
  return (char.codePointAt(0) ?? 0) > 0x7f;
}
