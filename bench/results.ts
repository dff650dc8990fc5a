/** `RESULTS.md`: one section for each benchmark, replaced when it is run again. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { execFileSync } from 'node:child_process';

const FILE = join(import.meta.dirname, 'RESULTS.md');
const HEADER = `# Results

Figures of one run on one machine, with the peer measured in the same run. Compare within a table, not between tables.
`;

export function writeSection(name: string, text: string): void {
  const [begin, end] = [`<!-- ${name} -->`, `<!-- /${name} -->`];
  const known = existsSync(FILE) ? readFileSync(FILE, 'utf8') : HEADER;
  const section = `${begin}\n${text.trim()}\n${end}`;
  const from = known.indexOf(begin);
  const to = known.indexOf(end);
  writeFileSync(
    FILE,
    from < 0 || to < 0
      ? `${known.trim()}\n\n${section}\n`
      : known.slice(0, from) + section + known.slice(to + end.length),
  );
}

/** What a reader has to know to judge the figures. */
export function circumstances(): readonly string[] {
  const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8', cwd: import.meta.dirname });
  const [load = ''] = readFileSync('/proc/loadavg', 'utf8').split(' ');
  return [
    `${new Date().toISOString().slice(0, 10)}, commit ${commit.trim()}`,
    `${cpus().length} × ${cpus()[0]?.model.trim() ?? 'CPU'}, ${Math.round(totalmem() / 2 ** 30)} GB, Node ${process.versions.node}`,
    `load average before the run: ${load}${Number(load) > 0.7 ? ' (the machine was busy with other work, so figures per second are low; CPU per request is the steadier one)' : ''}`,
  ];
}
