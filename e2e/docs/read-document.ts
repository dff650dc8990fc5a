/**
 * What a document asks its reader to type, and what it says that comes of it. Pure.
 *
 * Fenced blocks of `sh` are commands; those of `console` are commands after a `$`, each followed by what it prints. A
 * block of `yaml` whose first line is a comment with a file's name is that file. What the runner must know and the reader
 * may is in the comment behind a command: `# ends with 6`, or `# until Ctrl-C`. A block below
 * `<!-- not run: why -->` is not run, and the reason is told.
 */
export interface Command {
  readonly line: number;
  readonly text: string;
  /** The code it ends with. */
  readonly code: number;
  /** It goes on until somebody ends it. */
  readonly endless: boolean;
  /** Lines it prints, among others; none when the document does not say. */
  readonly prints: readonly string[];
}

export interface Block {
  readonly line: number;
  readonly kind: 'commands' | 'file';
  /** Of a file. */
  readonly name: string;
  readonly content: string;
  readonly commands: readonly Command[];
  /** Why it is not run. */
  readonly excuse?: string;
}

const FENCE = /^ {0,3}```(\w*)\s*$/;
const EXCUSE = /^<!-- not run: (.+) -->$/;

export function readDocument(text: string): readonly Block[] {
  const blocks: Block[] = [];
  const lines = text.split('\n');
  let excuse: string | undefined;
  for (let at = 0; at < lines.length; at++) {
    const line = lines[at] ?? '';
    const language = FENCE.exec(line)?.[1];
    if (language === undefined) {
      const [, found] = EXCUSE.exec(line.trim()) ?? [];
      if (found !== undefined || line.trim() !== '') excuse = found;
      continue;
    }
    const end = lines.findIndex((each, index) => index > at && FENCE.test(each));
    const content = lines.slice(at + 1, end);
    const block = blockOf(language, content, at + 2);
    if (block) blocks.push({ ...block, ...(excuse === undefined ? {} : { excuse }) });
    excuse = undefined;
    at = end;
  }
  return blocks;
}

function blockOf(language: string, content: readonly string[], line: number): Block | undefined {
  const common = { line, name: '', content: content.join('\n') };
  if (language === 'sh') return { ...common, kind: 'commands', commands: typed(content, line) };
  if (language === 'console') return { ...common, kind: 'commands', commands: shown(content, line) };
  const [, name] = /^# (\S+\.ya?ml)$/.exec(content[0] ?? '') ?? [];
  return language === 'yaml' && name !== undefined ? { ...common, kind: 'file', name, commands: [] } : undefined;
}

function typed(lines: readonly string[], first: number): readonly Command[] {
  return statements(lines)
    .filter(({ text }) => text.trim() !== '' && !text.trimStart().startsWith('#'))
    .map(({ text, at }) => command(text, first + at, []));
}

/** Lines that belong together: ended by a backslash, or with a document within. */
function statements(lines: readonly string[]): readonly { readonly text: string; readonly at: number }[] {
  const found: { text: string; at: number }[] = [];
  for (let at = 0; at < lines.length; at++) {
    const from = at;
    const [, within] = /<<-? ?'?(\w+)'?/.exec(lines[at] ?? '') ?? [];
    if (within !== undefined) while (at < lines.length - 1 && lines[at] !== within) at++;
    while (lines[at]?.endsWith('\\')) at++;
    found.push({ text: lines.slice(from, at + 1).join('\n'), at: from });
  }
  return found;
}

function shown(lines: readonly string[], first: number): readonly Command[] {
  const starts = lines.flatMap((line, at) => (line.startsWith('$ ') ? [at] : []));
  return starts.map((at, index) => {
    const [{ text } = { text: '' }] = statements(lines.slice(at));
    const prints = lines.slice(at + text.split('\n').length, starts[index + 1]).filter((line) => line.trim() !== '');
    return command(text.replace(/^\$ /, ''), first + at, prints);
  });
}

function command(text: string, line: number, prints: readonly string[]): Command {
  const [, remark = ''] = /\s# (.*)$/.exec(text) ?? [];
  const [, code = '0'] = /\bends with (\d+)/.exec(remark) ?? [];
  return { line, text, code: Number(code), endless: /\buntil Ctrl-C/.test(remark), prints };
}

/** The same for every run: what is counted, timed or chosen anew each time is left out, and columns may be wider. */
export function normal(line: string): string {
  return (
    line
      .trim()
      .replaceAll(/\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}\b/g, 'UID')
      .replaceAll(/-[a-z0-9]{8,10}-[a-z0-9]{5}\b/g, '-POD')
      .replaceAll(/\b\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
      .replaceAll(/\b\d+(\.\d+)? ?(ms|s|m|h|d|min)(\d+s)?\b/g, 'SPAN')
      .replaceAll(/127\.0\.0\.1:\d+/g, 'HERE')
      // How much room there is depends on what else runs; who gets how much of it, too.
      .replaceAll(/\bplaced\s+\d+\s+\d+\s+\d+\/\d+ of the free capacity.*$/g, 'placed SHARE')
      .replaceAll(/\b(\w+\s+)\d+(\s+Ready\b)/g, '$1N$2')
      .replaceAll(/\b\d+% of /g, 'N% of ')
      .replaceAll(/\b\d+ arrivals/g, 'N arrivals')
      // Clusters that are as good as each other come in any order.
      .replaceAll(/\b[\w-]+:\d+(?:,[\w-]+:\d+)+/g, (list) => list.split(',').sort().join(','))
      .replaceAll(/code=\S+/g, 'code=CODE')
      .replaceAll(/\bkst_\S+/g, 'TOKEN')
      .replaceAll(/\s+/g, ' ')
  );
}

/** The first line that is said to be printed, and was not; `…` is any number of lines. Rows may come in another order. */
export function missing(prints: readonly string[], output: string): string | undefined {
  const lines = output.split('\n').map(normal);
  return prints.find((wanted) => wanted.trim() !== '…' && !lines.includes(normal(wanted)));
}
