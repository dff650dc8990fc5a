/** The contract of {@link IndexWriter} and {@link IndexReader}, as a suite for any database. */
import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { hasReason } from '#base/status-error.ts';
import type { ApiResource } from '#kube/client/kube-client.ts';
import { parseLabelSelector } from '#kube/meta/label-selector.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { indexedObject } from '../indexed-object.ts';
import { parseFieldPath } from '#kube/meta/field-path.ts';
import type { Query } from '../query/query.ts';
import type { IndexReader, IndexWriter, StreamBatch } from './index-store.ts';
import { prepareIndex } from './open-index.ts';
import { schemaSql } from './schema-sql.ts';
import type { SqlDatabase } from './sql-database.ts';
import { sqlIndexReader } from './sql-index-reader.ts';
import { sqlIndexWriter } from './sql-index-writer.ts';

export const PODS: ApiResource = {
  group: '',
  version: 'v1',
  resource: 'pods',
  kind: 'Pod',
  namespaced: true,
  singular: 'pod',
  shortNames: ['po'],
  categories: ['all'],
  verbs: ['get', 'list', 'watch'],
  subresources: [],
};
export const DEPLOYMENTS: ApiResource = {
  ...PODS,
  group: 'apps',
  resource: 'deployments',
  kind: 'Deployment',
  singular: 'deployment',
  shortNames: ['deploy'],
};

export function podOf(
  name: string,
  rv: number,
  more: {
    namespace?: string;
    uid?: string;
    labels?: Record<string, string>;
    image?: string;
    phase?: string;
    owner?: string;
    created?: string;
    ready?: boolean;
  } = {},
): KubeObject {
  const {
    namespace = 'default',
    uid = `${namespace}-${name}`,
    labels,
    image = 'nginx:1',
    phase = 'Running',
    owner,
  } = more;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      namespace,
      uid,
      resourceVersion: String(rv),
      creationTimestamp: more.created ?? '2026-01-01T00:00:00Z',
      ...(labels ? { labels } : {}),
      ...(owner ? { ownerReferences: [{ apiVersion: 'apps/v1', kind: 'ReplicaSet', name: owner, uid: owner }] } : {}),
    },
    spec: {
      nodeName: 'n1',
      containers: [
        { name: 'web', image },
        { name: 'side', image: 'envoy:2' },
      ],
    },
    status: {
      phase,
      conditions: [{ type: 'Ready', status: more.ready === false ? 'False' : 'True' }],
      started: more.ready ?? true,
    },
  };
}

interface Opened {
  readonly database: SqlDatabase;
  readonly writer: IndexWriter;
  readonly reader: IndexReader;
  readonly pods: number;
  /** Commits pods of a cluster as a watch would tell them. */
  readonly put: (cluster: string, ...objects: readonly KubeObject[]) => Promise<void>;
  readonly commit: (batch: Partial<StreamBatch> & { readonly cluster: string }) => Promise<void>;
  /** `cluster/namespace/name` of what a query finds. */
  readonly found: (query?: Partial<Query>, access?: Parameters<IndexReader['page']>[1]) => Promise<readonly string[]>;
}

export function indexStoreContract(name: string, make: (t: TestContext) => Promise<SqlDatabase>): void {
  async function open(t: TestContext): Promise<Opened> {
    const database = await make(t);
    await prepareIndex(database);
    const writer = await sqlIndexWriter(database);
    const reader = sqlIndexReader(database);
    const pods = await writer.kind(PODS);
    const commit: Opened['commit'] = (batch) =>
      writer.commit([{ kind: pods, objects: [], deleted: [], at: 1, ...batch }]);
    return {
      database,
      writer,
      reader,
      pods,
      commit,
      put: (cluster, ...objects) => commit({ cluster, objects: objects.map((each) => indexedObject(cluster, each)) }),
      async found(query = {}, access = 'everything') {
        const { objects } = await reader.page({ kinds: [pods], ...query }, access);
        return objects.map((each) => `${each.cluster}/${each.namespace}/${each.name}`);
      },
    };
  }

  describe(`${name}: its tables`, () => {
    it('are made anew when somebody was killed while making them', async (t) => {
      const database = await make(t);
      await database.define(schemaSql(database.dialect).slice(0, 2));
      await prepareIndex(database);
      await prepareIndex(database);
      assert.equal(await sqlIndexReader(database).count({ kinds: [1] }, 'everything'), 0);
    });
  });

  describe(`${name}: writing`, () => {
    it('keeps an object, and replaces it only by a newer one', async (t) => {
      const { put, reader, pods } = await open(t);
      await put('a', podOf('web', 5, { phase: 'Pending' }));
      await put('a', podOf('web', 4, { phase: 'Failed' }));
      await put('a', podOf('web', 6));
      const { objects } = await reader.page({ kinds: [pods] }, 'everything');
      assert.deepEqual(
        objects.map(({ body }) => JSON.parse(body).status.phase),
        ['Running'],
      );
      assert.equal(JSON.parse(objects[0]?.body ?? '').metadata.annotations['shadow.clusterpedia.io/cluster-name'], 'a');
    });

    it('takes an object with another uid, however old its revision is', async (t) => {
      const { put, reader, pods } = await open(t);
      await put('a', podOf('web', 50));
      await put('a', podOf('web', 3, { uid: 'another' }));
      const { objects } = await reader.page({ kinds: [pods] }, 'everything');
      assert.equal(JSON.parse(objects[0]?.body ?? '').metadata.uid, 'another');
    });

    it('takes in a repair what the source says now, older or not', async (t) => {
      const { put, commit, reader, pods } = await open(t);
      await put('a', podOf('web', 50));
      await commit({ cluster: 'a', repair: true, objects: [indexedObject('a', podOf('web', 3, { phase: 'Failed' }))] });
      const { objects } = await reader.page({ kinds: [pods] }, 'everything');
      assert.equal(JSON.parse(objects[0]?.body ?? '').status.phase, 'Failed');
    });

    it('deletes an object with all that belongs to it, unless it is newer than its deletion', async (t) => {
      const { put, commit, found, database } = await open(t);
      await put('a', podOf('web', 5, { labels: { app: 'web' }, owner: 'rs' }), podOf('new', 9));
      await commit({
        cluster: 'a',
        deleted: [
          { namespace: 'default', name: 'web', rv: 7 },
          { namespace: 'default', name: 'new', rv: 8 },
        ],
      });
      assert.deepEqual(await found(), ['a/default/new']);
      for (const table of ['labels', 'owners'] as const) {
        const [rows = []] = await database.read([{ text: `SELECT * FROM ${table}`, params: [] }]);
        assert.equal(rows.length, 0, table);
      }
    });

    it('replaces labels, images and owners with the object', async (t) => {
      const { put, found } = await open(t);
      await put('a', podOf('web', 5, { labels: { app: 'web', tier: 'x' }, image: 'nginx:1' }));
      await put('a', podOf('web', 6, { labels: { app: 'api' }, image: 'nginx:2' }));
      assert.deepEqual(await found({ labels: parseLabelSelector('app=web') }), []);
      assert.deepEqual(await found({ labels: parseLabelSelector('!tier,app in (api,b)') }), ['a/default/web']);
      assert.deepEqual(await found({ words: ['nginx:1'] }), []);
    });

    it('keeps a batch and the position of its stream as one', async (t) => {
      const { commit, reader, pods } = await open(t);
      const state = { phase: 'Following' as const, position: '17', changedAt: 5, message: '' };
      await commit({ cluster: 'a', objects: [indexedObject('a', podOf('web', 17))], state });
      assert.deepEqual(await reader.stream({ cluster: 'a', kind: pods }), { cluster: 'a', kind: pods, ...state });
    });

    it('lets a writer that was replaced write nothing', async (t) => {
      const { database, put, found } = await open(t);
      const second = await sqlIndexWriter(database);
      await assert.rejects(put('a', podOf('web', 5)), (error) => hasReason(error, 'Conflict'));
      assert.deepEqual(await found(), []);
      await second.kind(DEPLOYMENTS);
    });

    it('tells what of a stream is not among those seen', async (t) => {
      const { put, writer, pods } = await open(t);
      await put('a', podOf('x', 1), podOf('y', 2), podOf('z', 3));
      const revision = await writer.revision();
      const known = await writer.known({ cluster: 'a', kind: pods }, [
        { namespace: 'default', name: 'x' },
        { namespace: 'default', name: 'q' },
      ]);
      assert.deepEqual(
        known.map(({ name: each, rv }) => [each, rv]),
        [['x', 1]],
      );
      await put('a', podOf('y', 4));
      const others = await writer.others(
        { cluster: 'a', kind: pods },
        revision,
        known.map(({ id }) => id),
        10,
      );
      assert.deepEqual(others, [{ namespace: 'default', name: 'z' }]);
    });

    it('forgets a source with everything it left', async (t) => {
      const { put, writer, found, reader, commit } = await open(t);
      await put('a', podOf('x', 1));
      await put('b', podOf('x', 1));
      await commit({ cluster: 'a', state: { phase: 'Following', position: '1', changedAt: 1, message: '' } });
      await writer.saySources([{ name: 'a', identity: 'i', reachable: true, heardAt: 1, message: '' }]);
      await writer.keepUsage([{ cluster: 'a', node: 'n', at: 5, cpuMillis: 1, memoryBytes: 2 }], 0);
      await writer.forgetSource('a');
      assert.deepEqual(await found(), ['b/default/x']);
      assert.deepEqual(await writer.sourceNames(), ['b']);
      assert.deepEqual(await reader.usage('a', 0), []);
    });

    it('keeps usage for as long as it is told to', async (t) => {
      const { writer, reader } = await open(t);
      const sample = { cluster: 'a', node: '', cpuMillis: 1500, memoryBytes: 2 ** 40 };
      await writer.keepUsage([{ ...sample, at: 10 }], 0);
      await writer.keepUsage(
        [
          { ...sample, at: 20 },
          { ...sample, at: 20 },
        ],
        15,
      );
      assert.deepEqual(await reader.usage('a', 0), [{ ...sample, at: 20 }]);
    });
  });

  describe(`${name}: finding`, () => {
    const cases: readonly (readonly [because: string, query: Partial<Query>, names: readonly string[]])[] = [
      [
        'all, clusters one after the other',
        {},
        ['a/default/db', 'a/default/web-1', 'a/kube-system/dns', 'b/default/web-2'],
      ],
      ['by cluster', { clusters: ['b'] }, ['b/default/web-2']],
      ['by clusters', { clusters: ['b', 'c'] }, ['b/default/web-2']],
      ['by namespace', { namespaces: ['kube-system'] }, ['a/kube-system/dns']],
      ['by name', { names: ['db', 'dns'] }, ['a/default/db', 'a/kube-system/dns']],
      ['by parts of the name, literally', { nameParts: ['eb-'] }, ['a/default/web-1', 'b/default/web-2']],
      ['without wildcards', { nameParts: ['w%1'] }, []],
      ['without parts of the name', { notNameParts: ['eb-', 'dn'] }, ['a/default/db']],
      ['by label', { labels: parseLabelSelector('app=web') }, ['a/default/web-1', 'b/default/web-2']],
      ['by labels of several values', { labels: parseLabelSelector('app in (db,dns)') }, ['a/default/db']],
      ['by a label that is not', { labels: parseLabelSelector('app!=web') }, ['a/default/db', 'a/kube-system/dns']],
      ['by a label that is absent', { labels: parseLabelSelector('!app') }, ['a/kube-system/dns']],
      [
        'by a label that is there',
        { labels: parseLabelSelector('app') },
        ['a/default/db', 'a/default/web-1', 'b/default/web-2'],
      ],
      ['by labels greater than a number', { labels: parseLabelSelector('gen>1') }, ['b/default/web-2']],
      ['by labels less than a number', { labels: parseLabelSelector('gen<2') }, ['a/default/web-1']],
      [
        'by a field with a column',
        { fields: [{ path: parseFieldPath('status.phase'), operator: 'in', values: ['Pending'] }] },
        ['a/default/db'],
      ],
      [
        'by any field',
        { fields: [{ path: parseFieldPath('.metadata.uid'), operator: 'notin', values: ['default-db'] }] },
        ['a/default/web-1', 'a/kube-system/dns', 'b/default/web-2'],
      ],
      [
        'by a field that is true',
        { fields: [{ path: parseFieldPath('status.started'), operator: 'in', values: ['false'] }] },
        ['a/kube-system/dns'],
      ],
      [
        'by a field of an annotation',
        {
          fields: [
            {
              path: parseFieldPath("metadata.annotations['shadow.clusterpedia.io/cluster-name']"),
              operator: 'in',
              values: ['b'],
            },
          ],
        },
        ['b/default/web-2'],
      ],
      [
        'by a field of a list',
        { fields: [{ path: parseFieldPath('spec.containers[].image'), operator: 'in', values: ['redis:7'] }] },
        ['a/default/db'],
      ],
      [
        'by a list without such a field',
        { fields: [{ path: parseFieldPath('spec.containers[].image'), operator: 'notin', values: ['nginx:1'] }] },
        ['a/default/db'],
      ],
      [
        'by a field that is there',
        { fields: [{ path: parseFieldPath('metadata.labels'), operator: '!', values: [] }] },
        ['a/kube-system/dns'],
      ],
      ['by the owner', { owner: { uid: 'rs-1', seniority: 0 } }, ['a/default/web-1']],
      ['by time', { since: Date.UTC(2026, 5, 1), before: Date.UTC(2026, 6, 1) }, ['a/default/db']],
      ['by words in name, labels and images', { words: ['REDIS'] }, ['a/default/db']],
      ['by several words', { words: ['web', 'nginx', 'app=web'] }, ['a/default/web-1', 'b/default/web-2']],
      [
        'in another order',
        { order: [{ by: 'name', descending: true }] },
        ['b/default/web-2', 'a/default/web-1', 'a/kube-system/dns', 'a/default/db'],
      ],
      [
        'by creation',
        {
          order: [
            { by: 'created_at', descending: true },
            { by: 'cluster', descending: false },
          ],
          limit: 1,
        },
        ['a/default/db'],
      ],
    ];
    it('finds', async (t) => {
      const { put, found, database, pods } = await open(t);
      await put(
        'a',
        podOf('web-1', 1, { labels: { app: 'web', gen: '1' }, owner: 'rs-1' }),
        podOf('db', 2, {
          labels: { app: 'db', gen: 'x' },
          image: 'redis:7',
          phase: 'Pending',
          created: '2026-06-15T00:00:00Z',
        }),
        podOf('dns', 3, { namespace: 'kube-system', ready: false }),
      );
      await put('b', podOf('web-2', 1, { labels: { app: 'web', gen: '20' } }));
      for (const [because, query, names] of cases) assert.deepEqual(await found(query), names, because);
      // The same where every label is too common to lead to anything, and counted.
      const walking = sqlIndexReader(database, { rareBelow: 0 });
      for (const [because, { limit = 0, ...asked }, names] of cases) {
        const query = { kinds: [pods], withRemaining: true, ...asked };
        const page = await walking.page({ ...query, limit }, 'everything');
        assert.equal(limit + (page.remaining ?? 0), await walking.count(query, 'everything'), because);
        const { objects } = await walking.page(query, 'everything');
        const walked = objects.map((each) => `${each.cluster}/${each.namespace}/${each.name}`);
        assert.deepEqual(limit > 0 ? walked.slice(0, limit) : walked, names, because);
      }
    });

    it('follows owners over generations', async (t) => {
      const { put, writer, commit, found } = await open(t);
      const deployments = await writer.kind(DEPLOYMENTS);
      const deployment = { ...podOf('web', 1, { uid: 'd-1' }), apiVersion: 'apps/v1', kind: 'Deployment' };
      await commit({ cluster: 'a', kind: deployments, objects: [indexedObject('a', deployment)] });
      await put(
        'a',
        podOf('rs', 2, { uid: 'rs-1', owner: 'd-1' }),
        podOf('pod', 3, { uid: 'p-1', owner: 'rs-1' }),
        podOf('other', 4),
      );
      assert.deepEqual(await found({ owner: { name: 'web', kinds: [deployments], seniority: 1 } }), ['a/default/pod']);
      assert.deepEqual(await found({ owner: { name: 'web', seniority: 0 } }), ['a/default/rs']);
    });

    it('pages through everything once, in any order, while others write', async (t) => {
      const { put, reader, pods } = await open(t);
      const name = (n: number) => `p-${String(n).padStart(2, '0')}`;
      for (const cluster of ['a', 'b', 'c']) {
        await put(
          cluster,
          ...Array.from({ length: 7 }, (_, n) => podOf(name(n), n + 1, { namespace: n % 2 ? 'x' : 'y' })),
        );
      }
      for (const order of [
        [],
        [
          { by: 'name' as const, descending: true },
          { by: 'cluster' as const, descending: false },
        ],
        [{ by: 'resource_version' as const, descending: true }],
      ]) {
        const seen: string[] = [];
        let after: string | undefined;
        for (let left = 21; left > 0; ) {
          const page = await reader.page(
            {
              kinds: [pods],
              limit: 4,
              withRemaining: true,
              ...(order.length > 0 ? { order } : {}),
              ...(after ? { after } : {}),
            },
            'everything',
          );
          seen.push(...page.objects.map((each) => `${each.cluster}/${each.name}`));
          left -= page.objects.length;
          assert.equal(page.remaining, left);
          assert.equal(page.next === undefined, left === 0);
          after = page.next;
          await put('a', podOf('p-00', 100 + left, { namespace: 'y' }));
          if (order.some(({ by }) => by === 'resource_version')) break;
        }
        assert.equal(new Set(seen).size, seen.length);
      }
    });

    it('finds only what the caller may read, in pages and counts', async (t) => {
      const { put, found, reader, pods } = await open(t);
      await put('a', podOf('x', 1), podOf('y', 2, { namespace: 'secret' }));
      await put('b', podOf('x', 1), podOf('z', 2, { namespace: 'team' }));
      assert.deepEqual(await found({}, []), []);
      assert.deepEqual(await found({}, [{ cluster: 'b' }]), ['b/default/x', 'b/team/z']);
      assert.deepEqual(await found({}, [{ cluster: 'a', namespace: 'default' }, { namespace: 'team' }]), [
        'a/default/x',
        'b/team/z',
      ]);
      assert.deepEqual(await found({}, [{ cluster: 'a', group: 'apps', resource: 'deployments' }]), []);
      assert.deepEqual(await found({}, [{ cluster: 'a', namespace: 'secret', resource: 'pods' }]), ['a/secret/y']);
      const many = Array.from({ length: 5_000 }, (_, n) => ({ cluster: 'b', namespace: `ns-${n}` }));
      assert.equal(await reader.count({ kinds: [pods] }, [...many, { cluster: 'b', namespace: 'team' }]), 1);
    });
  });

  describe(`${name}: changes`, () => {
    it('tells what changed after a revision, and what went', async (t) => {
      const { put, commit, reader, pods } = await open(t);
      await put('a', podOf('x', 1), podOf('y', 2));
      const start = await reader.revision();
      await put('a', podOf('x', 3), podOf('z', 4));
      await commit({ cluster: 'a', deleted: [{ namespace: 'default', name: 'y', rv: 5 }] });
      const { objects, revision } = await reader.changes({ kinds: [pods] }, 'everything', start, 100);
      assert.deepEqual(
        objects.map((each) => [each.name, each.deleted, each.born > start]),
        [
          ['x', false, false],
          ['z', false, true],
          ['y', true, false],
        ],
      );
      assert.equal(revision, await reader.revision());
      assert.equal(JSON.parse(objects[2]?.body ?? '').metadata.name, 'y');
    });

    it('tells changes in portions without a gap', async (t) => {
      const { put, commit, reader, pods } = await open(t);
      const start = await reader.revision();
      await put('a', ...Array.from({ length: 9 }, (_, n) => podOf(`p${n}`, n + 1)));
      await commit({
        cluster: 'a',
        deleted: [
          { namespace: 'default', name: 'p0', rv: 20 },
          { namespace: 'default', name: 'p5', rv: 21 },
        ],
      });
      const told: string[] = [];
      for (let after = start; after < (await reader.revision()); ) {
        const { objects, revision } = await reader.changes({ kinds: [pods] }, 'everything', after, 3);
        told.push(...objects.map((each) => `${each.name}${each.deleted ? ' gone' : ''}`));
        assert.ok(revision > after);
        after = revision;
      }
      assert.deepEqual(told, ['p1', 'p2', 'p3', 'p4', 'p6', 'p7', 'p8', 'p0 gone', 'p5 gone']);
    });

    it('says whether what changed still matches', async (t) => {
      const { put, reader, pods } = await open(t);
      await put('a', podOf('x', 1, { labels: { app: 'web' } }));
      const start = await reader.revision();
      await put('a', podOf('x', 2, { labels: { app: 'db' } }), podOf('y', 3, { labels: { app: 'web' } }));
      const query = { kinds: [pods], labels: parseLabelSelector('app=web') };
      const { objects } = await reader.changes(query, 'everything', start, 100);
      assert.deepEqual(
        objects.map((each) => [each.name, each.matches]),
        [
          ['x', false],
          ['y', true],
        ],
      );
    });

    it('tells callers nothing of what they may not read', async (t) => {
      const { put, commit, reader, pods } = await open(t);
      const start = await reader.revision();
      await put('a', podOf('x', 1), podOf('y', 2, { namespace: 'team' }));
      await commit({ cluster: 'a', deleted: [{ namespace: 'default', name: 'x', rv: 5 }] });
      const { objects } = await reader.changes({ kinds: [pods] }, [{ cluster: 'a', namespace: 'team' }], start, 100);
      assert.deepEqual(
        objects.map((each) => each.name),
        ['y'],
      );
    });

    it('says that it no longer knows what happened before its horizon', async (t) => {
      const { put, commit, writer, reader, pods } = await open(t);
      const start = await reader.revision();
      await put('a', podOf('x', 1), podOf('y', 2));
      for (const name of ['x', 'y']) await commit({ cluster: 'a', deleted: [{ namespace: 'default', name, rv: 9 }] });
      await writer.prune(1);
      await assert.rejects(reader.changes({ kinds: [pods] }, 'everything', start, 10), (error) =>
        hasReason(error, 'Expired'),
      );
    });

    it('wakes whoever waits for a commit', async (t) => {
      const { put, reader } = await open(t);
      const woken = new Promise<void>((resolve) => {
        const end = reader.onCommit(() => {
          end();
          resolve();
        });
      });
      await put('a', podOf('x', 1));
      await woken;
    });
  });

  describe(`${name}: freshness`, () => {
    it('says of every source whether it is reached and how far it has come', async (t) => {
      const { commit, writer, reader, pods } = await open(t);
      const state = { phase: 'Following' as const, position: '7', changedAt: 3, message: '' };
      await commit({ cluster: 'a', state });
      await commit({ cluster: 'b', state: { ...state, phase: 'Failing', message: 'refused' } });
      await writer.saySources([
        { name: 'a', identity: '', reachable: true, heardAt: 9, message: '' },
        { name: 'b', identity: '', reachable: false, heardAt: 4, message: 'cannot be reached' },
      ]);
      const all = await reader.freshness({ kinds: [pods] }, 'everything');
      assert.deepEqual([all.total, all.fresh], [2, 1]);
      assert.deepEqual(
        all.streams.map((each) => [each.cluster, each.reachable, each.heardAt, each.message]),
        [
          ['b', false, 4, 'refused'],
          ['a', true, 9, ''],
        ],
      );
      const own = await reader.freshness({ kinds: [pods] }, [{ cluster: 'a', namespace: 'x' }]);
      assert.deepEqual(
        own.streams.map(({ cluster }) => cluster),
        ['a'],
      );
    });

    it('ends a query that takes too long', async (t) => {
      const { put, reader, pods } = await open(t);
      await put('a', ...Array.from({ length: 1_500 }, (_, n) => podOf(`p${n}`, n + 1)));
      const slow = {
        kinds: [pods],
        fields: [{ path: parseFieldPath('spec.containers[].image'), operator: 'in' as const, values: ['none'] }],
      };
      await assert.rejects(reader.page(slow, 'everything', 1), (error) => hasReason(error, 'Timeout'));
      assert.equal((await reader.page({ kinds: [pods], limit: 1 }, 'everything')).objects.length, 1);
    });
  });
}
