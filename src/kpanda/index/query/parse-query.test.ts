import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { StatusError } from '#base/status-error.ts';
import { parseQuery, type QueryScope } from './parse-query.ts';
import type { Query } from './query.ts';

const scope: QueryScope = { kinds: [1], kindsNamed: (name) => (name === 'deployments.apps' ? [7] : []) };
const read = (text: string): Query => parseQuery(new URLSearchParams(text), scope);

describe('parseQuery', () => {
  const equal: readonly (readonly [url: string, labels: string, expected: Partial<Query>])[] = [
    ['clusters=a,b', 'search.clusterpedia.io/clusters in (a,b)', { clusters: ['a', 'b'] }],
    ['namespaces=x', 'search.clusterpedia.io/namespaces=x', { namespaces: ['x'] }],
    ['names=n', 'search.clusterpedia.io/names=n', { names: ['n'] }],
    ['limit=10', 'search.clusterpedia.io/limit=10', { limit: 10 }],
    ['continue=20', 'search.clusterpedia.io/offset=20', { offset: 20 }],
    ['since=2026-01-02', 'search.clusterpedia.io/since=2026-01-02', { since: Date.UTC(2026, 0, 2) }],
    ['before=1767312000', 'search.clusterpedia.io/before=1767312000', { before: Date.UTC(2026, 0, 2) }],
    ['fuzzyName=web', 'internalstorage.clusterpedia.io/fuzzy-name=web', { nameParts: ['web'] }],
    [
      'orderby=namespace desc',
      'search.clusterpedia.io/orderby=namespace_desc',
      { order: [{ by: 'namespace', descending: true }] },
    ],
    [
      'ownerUID=u&ownerSeniority=1',
      'search.clusterpedia.io/owner-uid=u,search.clusterpedia.io/owner-seniority=1',
      { owner: { uid: 'u', seniority: 1 } },
    ],
    [
      'ownerName=web&ownerGR=deployments.apps',
      'search.clusterpedia.io/owner-name=web,search.clusterpedia.io/owner-gr=deployments.apps',
      { owner: { name: 'web', kinds: [7], seniority: 0 } },
    ],
    ['withRemainingCount=true', 'search.clusterpedia.io/with-remaining-count=true', { withRemaining: true }],
  ];
  for (const [url, labels, expected] of equal) {
    it(`reads ${url}, in the URL or as a search label`, () => {
      assert.deepEqual(read(url), { kinds: [1], ...expected });
      assert.deepEqual(read(`labelSelector=${encodeURIComponent(labels)}`), { kinds: [1], ...expected });
    });
  }

  it('keeps search labels apart from the labels of objects', () => {
    const query = read(
      `labelSelector=${encodeURIComponent('app=web,search.clusterpedia.io/clusters=a,tier in (x,y),!old')}`,
    );
    assert.deepEqual(query.clusters, ['a']);
    assert.equal(query.labels?.toString(), 'app=web,!old,tier in (x,y)');
  });

  it('lets the path decide about cluster, namespace and name', () => {
    const query = parseQuery(new URLSearchParams('clusters=x&namespaces=y&names=z'), {
      ...scope,
      cluster: 'a',
      namespace: 'b',
      name: 'c',
    });
    assert.deepEqual([query.clusters, query.namespaces, query.names], [['a'], ['b'], ['c']]);
  });

  it('reads field selectors on any path', () => {
    const fields = read(
      `fieldSelector=${encodeURIComponent("status.phase!=Running,metadata.annotations['a.io/b'] in (x, y),!spec.paused,spec.containers[].image=a\\,b")}`,
    ).fields;
    assert.deepEqual(fields, [
      { path: [['status', 'phase']], operator: 'notin', values: ['Running'] },
      { path: [['metadata', 'annotations', 'a.io/b']], operator: 'in', values: ['x', 'y'] },
      { path: [['spec', 'paused']], operator: '!', values: [] },
      { path: [['spec', 'containers'], ['image']], operator: 'in', values: ['a,b'] },
    ]);
  });

  const refused: readonly (readonly [url: string, words: RegExp])[] = [
    ['orderby=name;drop table objects', /cannot order by "name;drop table objects"/],
    ['orderby=(select 1)', /cannot order by/],
    ['whereSQL=1=1', /SQL is not taken/],
    ['colour=red', /unknown query parameter colour/],
    [`labelSelector=${encodeURIComponent('search.clusterpedia.io/colour=red')}`, /unknown search label/],
    [`labelSelector=${encodeURIComponent('search.clusterpedia.io/clusters!=a')}`, /takes =, == and in/],
    ['limit=1e9', /not a whole number up to/],
    ['limit=-1', /not a whole number/],
    ['since=yesterday', /is no time/],
    ['ownerUID=u&ownerSeniority=99', /not a whole number up to 5/],
    ['fieldSelector=status.replicas>3', /cannot understand the field selector/],
    [`fieldSelector=${encodeURIComponent(`a['"]=1`)}`, /cannot read the field/],
    [`fieldSelector=${Array.from({ length: 30 }, (_, n) => `a.b${n}=1`).join()}`, /at most 20 terms/],
    [`search=${'a+'.repeat(20)}`, /at most 10 words/],
    [`clusters=${Array.from({ length: 2_000 }, (_, n) => `c${n}`).join()}`, /at most 1000 values/],
    ['withRemainingCount=perhaps', /neither true nor false/],
    ['continue=100001', /offset/],
  ];
  for (const [url, words] of refused) {
    it(`refuses ${url.slice(0, 60)}`, () =>
      assert.throws(
        () => read(url),
        (error) => error instanceof StatusError && error.reason === 'BadRequest' && words.test(error.message),
      ));
  }

  it('answers whatever is sent with a query or a BadRequest', () => {
    const names = fc.constantFrom(
      'clusters',
      'names',
      'orderby',
      'limit',
      'continue',
      'since',
      'labelSelector',
      'fieldSelector',
      'search',
      'ownerName',
    );
    fc.assert(
      fc.property(
        fc.array(
          fc.tuple(
            names,
            fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom(...Array.from('a.[\'](),=!<> "\\;-')) })),
          ),
          { maxLength: 4 },
        ),
        (pairs) => {
          try {
            parseQuery(new URLSearchParams(pairs), scope);
          } catch (error) {
            assert.ok(error instanceof StatusError && error.reason === 'BadRequest', String(error));
          }
        },
      ),
      { seed: 1, numRuns: 500 },
    );
  });
});
