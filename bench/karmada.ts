/**
 * How fast an instance is, and a real Karmada beside it in the same run.
 *
 *     npm run bench -- karmada [--real] [--long] [--defaults]
 *
 * `--real` measures the programs of `npm run real:setup` too, with their client limits raised, or with `--defaults` as
 * they are installed; `--long` sends 2,000 ConfigMaps through the real one as well, which takes five minutes. Prints a
 * table and writes it to RESULTS.md. Members are simulated clusters in processes of their own, the same for both.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { realMissing } from '#e2e/real/real-kube.ts';
import { memberLoss } from './karmada/member-loss.ts';
import { ourFailoverPlane, ourPlane, type Plane, realFailoverPlane, realPlane } from './karmada/planes.ts';
import { table } from './karmada/report.ts';
import { type Figure, workload } from './karmada/workload.ts';
import { circumstances, writeSection } from './results.ts';

const has = (flag: string) => process.argv.includes(flag);
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

const missing = has('--real') ? realMissing() : undefined;
if (missing !== undefined) {
  console.error(missing);
  process.exit(1);
}
try {
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
  console.log(`${about.join('\n')}\n\n${rows}`);
  const lines = about.map((line) => `- ${line}`).join('\n');
  writeSection('karmada', `## An instance (\`npm run bench -- karmada --real\`)\n\n${lines}\n\n${rows}`);
} finally {
  rmSync(directory, { recursive: true, force: true });
}
