/** Runs one scenario on both sides and demands that they come to the same. */
import assert from 'node:assert/strict';
import { differences, report } from './differences.ts';
import { isIntended } from './intended.ts';
import { run, type Scenario } from './scenario.ts';
import type { Side } from './side.ts';

/** The namespace is there and everywhere, whatever a scenario does. */
const MEMBERS_AND_CONTROL = 4;

export async function compare(real: Side, ours: Side, scenario: Scenario): Promise<void> {
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
