/**
 * How fast an instance is, and a real Karmada beside it in the same run; `--help` says what can be asked for.
 *
 * Prints a table and writes it to RESULTS.md. Members are simulated clusters in processes of their own, the same for both.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { realMissing } from '#e2e/real/real-kube.ts';
import { coldStart, manyMembers } from './karmada/large.ts';
import { memberLoss } from './karmada/member-loss.ts';
import { ourFailoverPlane, ourPlane, type Plane, realFailoverPlane, realPlane } from './karmada/planes.ts';
import { list, table } from './karmada/report.ts';
import { type Figure, workload } from './karmada/workload.ts';
import { circumstances, writeSection } from './results.ts';

const HELP = `npm run bench -- karmada [--real] [--long] [--defaults]
npm run bench -- karmada --large

  --real      measures the programs of npm run real:setup too, with their client limits raised
  --defaults  leaves the client limits of the real ones as they are installed
  --long      sends 2,000 ConfigMaps through the real one as well, which takes five minutes
  --large     only these, of ours alone, for some five minutes and 4 GB: a start with 5,000 templates in 2 members
              (until it serves, until what was lost meanwhile is there again), and 500 templates to 100 members, 25
              in each of four processes`;

const has = (flag: string) => process.argv.includes(flag);
if (has('--help')) {
  console.log(HELP);
  process.exit(0);
}
const missing = has('--real') ? realMissing() : undefined;
if (missing !== undefined) {
  console.error(missing);
  process.exit(1);
}
const directory = mkdtempSync(join(tmpdir(), 'bench-karmada-'));
const OVERRIDDEN = 200;

type Tell = (figure: Figure) => void;

/** Starts a plane, has it measured and ends it; the figures in the order in which they were known. */
async function measure(
  name: string,
  start: (directory: string) => Promise<Plane>,
  act: (plane: Plane, tell: Tell) => Promise<void>,
): Promise<readonly Figure[]> {
  const path = mkdtempSync(join(directory, 'plane-'));
  const plane = await start(path);
  const figures: Figure[] = [];
  const tell = (figure: Figure) => {
    figures.push(figure);
    console.error(`${name}: ${figure.what}: ${figure.value.toFixed(1)} ${figure.unit}`);
  };
  try {
    await act(plane, tell);
  } finally {
    await plane.stop();
  }
  return figures;
}

const withCounts = (counts: readonly number[]) => (plane: Plane, tell: Tell) =>
  workload(plane, { counts, overridden: OVERRIDDEN, tell });

/** The section that `--large` writes. */
async function large(): Promise<void> {
  const about = [...circumstances(), 'ours alone'];
  const figures: Figure[] = [];
  const tell = (figure: Figure) => {
    figures.push(figure);
    console.error(`${figure.what}: ${figure.value.toFixed(1)} ${figure.unit}`);
  };
  for (const act of [coldStart, manyMembers]) await act(mkdtempSync(join(directory, 'large-')), tell);
  write('karmada-large', '## A large instance (`npm run bench -- karmada --large`)', about, list(figures));
}

function write(section: string, title: string, about: readonly string[], rows: string): void {
  console.log(`${about.join('\n')}\n\n${rows}`);
  const lines = about.map((line) => `- ${line}`).join('\n');
  writeSection(section, `${title}\n\n${lines}\n\n${rows}`);
}

/** The section with a real Karmada beside ours, if it is asked for. */
async function beside(): Promise<void> {
  const about = [...circumstances()];
  const ours = [
    ...(await measure('ours', ourPlane, withCounts([500, 2000]))),
    ...(await measure('ours', ourFailoverPlane, memberLoss)),
  ];
  const counts = has('--long') ? [500, 2000] : [500];
  const real = has('--real')
    ? [
        ...(await measure('Karmada', (path) => realPlane(path, !has('--defaults')), withCounts(counts))),
        ...(await measure('Karmada', realFailoverPlane, memberLoss)),
      ]
    : undefined;
  const limits = has('--defaults') ? 'as installed' : 'client limits raised to 1,000 requests a second';
  about.push(real ? `compared with Karmada v1.18.2, Kubernetes v1.35.8, etcd v3.5.21, ${limits}` : 'ours alone');
  const rows = table(ours, real);
  write('karmada', '## An instance (`npm run bench -- karmada --real`)', about, rows);
}

try {
  await (has('--large') ? large() : beside());
} finally {
  rmSync(directory, { recursive: true, force: true });
}
