/** How SQLite goes about what is asked most: by the index that leads to few rows, never through a whole kind. */
import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { it } from 'node:test';
import { parseLabelSelector } from '#kube/meta/label-selector.ts';
import { parseFields } from '../query/parse-fields.ts';
import { DEFAULT_ORDER, type Query } from '../query/query.ts';
import { type Asked, conditionSql, orderSql, valuedLabels } from '../query/query-sql.ts';
import { sqliteDialect } from './dialect.ts';
import { schemaSql } from './schema-sql.ts';
import { type Sql, sql } from './sql.ts';
import type { SqlDatabase } from './sql-database.ts';
import { sqlIndexWriter } from './sql-index-writer.ts';

const database = new DatabaseSync(':memory:');
database.function('in_time', (_row) => 1);
for (const text of schemaSql(sqliteDialect)) database.exec(text);

function planOf({ text, params }: Sql): string {
  const steps = database.prepare(`EXPLAIN QUERY PLAN ${text}`).all(...params);
  return steps.map((step) => String(step['detail'])).join('\n');
}

function planOfPage(query: Query, rare?: Asked['rare']): string {
  const asked: Asked = { query, access: 'everything', kinds: [], dialect: sqliteDialect, ...(rare ? { rare } : {}) };
  return planOf(
    sql`SELECT o.id FROM objects o WHERE ${conditionSql(asked)} ORDER BY ${orderSql(DEFAULT_ORDER)} LIMIT 100`,
  );
}

it('a page by a rare label begins with the label, and looks other labels up for what it found', () => {
  const query = { kinds: [1], clusters: ['a'], labels: parseLabelSelector('tier=front,app in (web,shop)') };
  const rare = valuedLabels(query).find(({ key }) => key === 'app');
  assert.ok(rare);
  const plan = planOfPage(query, rare);
  assert.match(plan, /SEARCH o USING INTEGER PRIMARY KEY/);
  assert.match(plan, /SEARCH l USING COVERING INDEX labels_by_value \(kind=\? AND name=\? AND value=\?\)/);
  assert.match(plan, /SEARCH l (EXISTS )?USING PRIMARY KEY \(object=\? AND name=\?\)/);
});

it('a page by a common label goes through the kind in the order of the list', () => {
  const plan = planOfPage({ kinds: [1], labels: parseLabelSelector('tier=front') });
  assert.match(plan, /SEARCH o USING COVERING INDEX sqlite_autoindex_objects_1/);
  assert.doesNotMatch(plan, /USE TEMP B-TREE FOR ORDER BY/);
});

it('a page by node comes from its index, in order', () => {
  const plan = planOfPage({ kinds: [1], fields: parseFields('spec.nodeName=n1') });
  assert.match(plan, /USING COVERING INDEX objects_by_node \(kind=\? AND node=\?\)/);
  assert.doesNotMatch(plan, /TEMP B-TREE/);
  // What is on no node is not in it.
  assert.doesNotMatch(planOfPage({ kinds: [1], fields: parseFields('spec.nodeName=') }), /objects_by_node/);
});

it('a page of a namespace in all clusters comes from its index, in order', () => {
  const plan = planOfPage({ kinds: [1], namespaces: ['team'] });
  assert.match(plan, /USING COVERING INDEX objects_by_namespace \(kind=\? AND namespace=\?\)/);
  assert.doesNotMatch(plan, /TEMP B-TREE/);
});

it('what is known of a listed page is looked up object by object', async () => {
  const asked: Sql[] = [];
  const recording = {
    dialect: sqliteDialect,
    write: async () => [[{ epoch: 1 }]],
    read: async (statements: readonly Sql[]) => {
      asked.push(...statements);
      return [[]];
    },
  } as unknown as SqlDatabase;
  const writer = await sqlIndexWriter(recording);
  await writer.known({ cluster: 'a', kind: 1 }, [{ namespace: 'default', name: 'web' }]);
  const plan = planOf(asked[0] ?? sql`SELECT 1`);
  assert.match(
    plan,
    /SCAN json_each[^]*SEARCH o USING (COVERING )?INDEX sqlite_autoindex_objects_1 \(kind=\? AND cluster=\? AND namespace=\? AND name=\?\)/,
  );
});
