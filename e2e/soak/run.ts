/**
 * The long proofs, run by hand before a release: `npm run test:soak`. Each prints its seed and what it found.
 *
 * Results are written into docs/verification.md, with date and commit.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { killLoop } from '#kube/store/kill-loop.ts';

const ROUNDS = 20;
const SEED = 1;

/** A writer killed in the middle of its work, again and again: what it was told is kept must be there. */
async function storeSurvives(durability: 'full' | 'normal'): Promise<void> {
  const directory = mkdtempSync(join(tmpdir(), 'kairship-soak-'));
  try {
    const result = await killLoop({ file: join(directory, 'store.db'), rounds: ROUNDS, seed: SEED, durability });
    console.log(`✓ store, durability ${durability}, ${ROUNDS} × kill -9, seed ${SEED}: ${JSON.stringify(result)}`);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

await storeSurvives('full');
await storeSurvives('normal');
