import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { mergeTables, type ServerTable } from './cluster-table.ts';

const table = (
  columns: readonly (string | [string, number])[],
  rows: readonly (readonly unknown[])[],
  namespace = 'default',
): ServerTable => ({
  columnDefinitions: columns.map((each) =>
    typeof each === 'string' ? { name: each } : { name: each[0], priority: each[1] },
  ),
  rows: rows.map((cells) => ({ cells, object: { metadata: { name: String(cells[0]), namespace } } })),
});

describe('tables of several clusters', () => {
  const parts = [
    {
      cluster: 'b',
      table: table(
        ['Name', 'Ready', ['IP', 1]],
        [
          ['web', '1/1', '10.0.0.1'],
          ['api', '2/2', null],
        ],
      ),
    },
    { cluster: 'a', table: table(['Name', 'Zone', 'Ready'], [['web', 'z1', '0/1']], 'shop') },
  ];
  const shown = { wide: false, namespaces: false, clusters: true };

  it('are one, with columns matched by name and what belongs together side by side', () => {
    assert.deepEqual(mergeTables(parts, shown), {
      head: ['CLUSTER', 'NAME', 'READY', 'ZONE'],
      rows: [
        ['b', 'api', '2/2', '<none>'],
        ['a', 'web', '0/1', 'z1'],
        ['b', 'web', '1/1', '<none>'],
      ],
    });
  });

  it('show more when they may be wide, and the namespace when there are several', () => {
    const { head, rows } = mergeTables(parts, { wide: true, namespaces: true, clusters: true });
    assert.deepEqual(head, ['NAMESPACE', 'CLUSTER', 'NAME', 'READY', 'IP', 'ZONE']);
    assert.deepEqual(rows[2], ['shop', 'a', 'web', '0/1', '<none>', 'z1']);
  });

  it('keep the pods of one workload together, cluster by cluster', () => {
    const pods = (cluster: string, ...names: readonly string[]) => ({
      cluster,
      table: table(
        ['Name'],
        names.map((name) => [name]),
      ),
    });
    const { rows } = mergeTables([pods('b', 'web-7f6gszb5qs-8nkw2', 'db-0'), pods('a', 'web-7f6gszb5qs-zzzzz')], shown);
    assert.deepEqual(rows, [
      ['b', 'db-0'],
      ['a', 'web-7f6gszb5qs-zzzzz'],
      ['b', 'web-7f6gszb5qs-8nkw2'],
    ]);
  });
});
