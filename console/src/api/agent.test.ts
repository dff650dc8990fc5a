import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { agentName } from './agent.ts';

describe('the name of a program', () => {
  it('is its own, not that of those it resembles', () => {
    const like = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko)';
    assert.equal(agentName(`${like} Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0`), 'Edge · Windows');
    assert.equal(agentName(`${like} Chrome/140.0.0.0 Safari/537.36`), 'Chrome · Windows');
    assert.equal(
      agentName(
        'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) HeadlessChrome/140.0.0.0 Safari/537.36',
      ),
      'Chrome · Linux',
    );
    assert.equal(
      agentName(
        'Mozilla/5.0 (Macintosh; Intel Mac OS X 14_5) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Safari/605.1.15',
      ),
      'Safari · macOS',
    );
    assert.equal(
      agentName('Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0'),
      'Firefox · Android',
    );
  });

  it('is what it told, where that is no browser', () => {
    assert.equal(agentName('curl/8.9.1'), 'curl/8.9.1');
    assert.equal(agentName(''), '');
  });
});
