/** For tests: things that end with a test, or with a suite whose tests share them. */
import { after } from 'node:test';

/** A test, or what {@link ofSuite} gives: told what to do when it is over. */
export interface Ending {
  after(end: () => void | Promise<void>): void;
}

/** For what all tests of a suite share: called in its `describe`, given to what its `before` starts. */
export function ofSuite(): Ending {
  const endings: (() => void | Promise<void>)[] = [];
  after(async () => {
    for (const end of endings.toReversed()) await end();
  });
  return { after: (end) => void endings.push(end) };
}
