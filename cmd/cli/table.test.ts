import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { displayWidth, table } from './table.ts';

describe('table', () => {
  it('aligns columns and leaves nothing trailing', () => {
    assert.equal(
      table(
        ['NAME', 'READY', 'X'],
        [
          ['web', '1/1', ''],
          ['database', '0/1', 'y'],
        ],
      ),
      'NAME       READY   X\nweb        1/1\ndatabase   0/1     y',
    );
  });

  it('wraps the last column below itself', () => {
    const text = table(['A', 'REASON'], [['a', 'one two three four five six seven']], { width: 30 });
    assert.deepEqual(text.split('\n'), ['A   REASON', 'a   one two three four five', '    six seven']);
  });

  it('counts wide characters twice and colours not at all', () => {
    assert.equal(displayWidth('集群'), 4);
    assert.equal(displayWidth('\u001b[31mred\u001b[39m'), 3);
  });
});
