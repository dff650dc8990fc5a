/**
 * The same scenarios on a real Karmada and on ours, compared field by field.
 *
 *     npm run test:real
 *     SCENARIO=claim npm run test:real      only those whose names begin so
 */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { differences, report } from './differences.ts';
import { isIntended } from './intended.ts';
import { realMissing } from './real-kube.ts';
import { run, type Scenario } from './scenario.ts';
import { SCENARIOS } from './scenarios/index.ts';
import { ourSide, realSide, type Side } from './side.ts';

const missing = realMissing();
const only = process.env['SCENARIO'] ?? '';
const chosen = SCENARIOS.filter(({ name }) => name.startsWith(only));
const AT_ONCE = 5;
/** The namespace is there and everywhere, whatever a scenario does. */
const MEMBERS_AND_CONTROL = 4;

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

  async function compare(scenario: Scenario): Promise<void> {
    const [theirs, own] = await Promise.all([run(real, scenario), run(ours, scenario)]);
    // Two that saw nothing would agree too.
    assert.ok(Object.keys(theirs[0] ?? {}).length > MEMBERS_AND_CONTROL, 'the real side has made hardly anything');
    const found = theirs.flatMap((snapshot, phase) =>
      differences(snapshot, own[phase] ?? {})
        .filter((difference) => !isIntended(difference))
        .map((difference) => ({ ...difference, path: `phase ${phase}: ${difference.path}` })),
    );
    assert.ok(found.length === 0, `${found.length} differences\n${report(found)}`);
  }

  describe('one after the other', () => {
    for (const scenario of chosen.filter(({ alone }) => alone)) {
      it(`${scenario.name}: ${scenario.about}`, () => compare(scenario));
    }
  });
  describe('side by side', { concurrency: AT_ONCE }, () => {
    for (const scenario of chosen.filter(({ alone }) => !alone)) {
      it(`${scenario.name}: ${scenario.about}`, () => compare(scenario));
    }
  });
});
