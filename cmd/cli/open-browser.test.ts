import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { browserProgram } from './open-browser.ts';

describe('the browser of whoever sits here', () => {
  const cases: readonly [string, Parameters<typeof browserProgram>, string | undefined][] = [
    ['is the one they name, wherever they are', [{ BROWSER: 'links' }, 'linux', false], 'links'],
    ['is asked of the desktop', [{ DISPLAY: ':0' }, 'linux', true], 'xdg-open'],
    ['is asked of macOS', [{}, 'darwin', true], 'open'],
    ['is not there without a desktop, as over ssh', [{}, 'linux', true], undefined],
    ['is left alone by scripts', [{ DISPLAY: ':0' }, 'linux', false], undefined],
  ];
  for (const [because, given, program] of cases) it(because, () => assert.equal(browserProgram(...given), program));
});
