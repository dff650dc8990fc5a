/**
 * Failover on a real Karmada and on ours, both with everything switched on that is off by default.
 *
 *     SCENARIO=evict npm run test:real
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { compare } from './compare.ts';
import { realMissing } from './real-kube.ts';
import { FAILOVER } from './scenarios/failover.ts';
import { ourSide, realSide, type Side } from './side.ts';

const only = process.env['SCENARIO'] ?? '';

describe('failover of a real Karmada and ours', { skip: realMissing() ?? false }, () => {
  let directory = '';
  let real: Side;
  let ours: Side;
  before(async () => {
    directory = mkdtempSync(join(tmpdir(), 'real-failover-'));
    const options = { failover: true };
    [real, ours] = await Promise.all([realSide(directory, options), ourSide(directory, options)]);
  });
  after(async () => {
    await Promise.all([real?.stop(), ours?.stop()]);
    rmSync(directory, { recursive: true, force: true });
  });

  for (const scenario of FAILOVER.filter(({ name }) => name.startsWith(only))) {
    it(`${scenario.name}: ${scenario.about}`, () => compare(real, ours, scenario));
  }
});
