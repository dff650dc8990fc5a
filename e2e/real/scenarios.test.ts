/**
 * The same scenarios on a real Karmada and on ours, compared field by field.
 *
 *     npm run test:real
 *     SCENARIO=claim npm run test:real      only those whose names begin so
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { compare } from './compare.ts';
import { realMissing } from './real-kube.ts';
import { SCENARIOS } from './scenarios/index.ts';
import { ourSide, realSide, type Side } from './side.ts';

const missing = realMissing();
const only = process.env['SCENARIO'] ?? '';
const chosen = SCENARIOS.filter(({ name }) => name.startsWith(only));
const AT_ONCE = 5;

describe('a real Karmada and ours', { skip: missing ?? false }, () => {
  let directory = '';
  let real: Side;
  let ours: Side;
  before(async () => {
    directory = mkdtempSync(join(tmpdir(), 'real-'));
    [real, ours] = await Promise.all([realSide(directory), ourSide(directory)]);
  });
  after(async () => {
    await Promise.all([real?.stop(), ours?.stop()]);
    rmSync(directory, { recursive: true, force: true });
  });

  describe('one after the other', () => {
    for (const scenario of chosen.filter(({ alone }) => alone)) {
      it(`${scenario.name}: ${scenario.about}`, () => compare(real, ours, scenario));
    }
  });
  describe('side by side', { concurrency: AT_ONCE }, () => {
    for (const scenario of chosen.filter(({ alone }) => !alone)) {
      it(`${scenario.name}: ${scenario.about}`, () => compare(real, ours, scenario));
    }
  });
});
