/** `kairship open` and the console agree on where things are: its addresses are routes of the console. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { clusterPage, instancePage, objectPage } from '#cmd/commands/console-pages.ts';
import { kindOf, POLICIES, WORKLOADS } from '../console/src/api/kinds.ts';

const ROUTES = readFileSync(join(import.meta.dirname, '../console/src/app/routes.tsx'), 'utf8');

/** Below an instance: `/workloads/$kind/$namespace/$name/{-$tab}` matches what has a word for each `$`. */
const PATTERNS = [...ROUTES.matchAll(/getParentRoute: \(\) => instance,\s+path: '([^']+)'/g)].map(
  ([, path = '']) =>
    new RegExp(`^/i/[^/]+${path.replaceAll(/\/\{-\$\w+\}/g, '').replaceAll(/\$\w+/g, '[^/]+')}$`.replace('/$', '/?$')),
);

const hasRoute = (address: string | undefined) =>
  assert.ok(
    PATTERNS.some((pattern) => pattern.test(address ?? '')),
    `the console has no page ${address}`,
  );

describe('kairship open', () => {
  it('finds pages of the console', () => {
    assert.ok(PATTERNS.length > 5, 'the routes of the console are written otherwise now');
    assert.match(ROUTES, /path: '\/i\/\$instance'/);
    hasRoute(instancePage('demo'));
    hasRoute(clusterPage('demo', 'frankfurt'));
  });

  for (const kind of [...WORKLOADS, ...POLICIES])
    it(`finds the page of a ${kind.kind}`, () => {
      const page = objectPage('demo', kind, { ...(kind.namespaced ? { namespace: 'default' } : {}), name: 'nginx' });
      hasRoute(page);
      assert.equal(kindOf(page?.split('/')[4] ?? '')?.resource, kind.resource);
    });

  it('finds the page of any other kind by the word that the console reads', () => {
    for (const kind of [
      { kind: 'ConfigMap', group: '', version: 'v1', resource: 'configmaps' },
      { kind: 'CronTab', group: 'example.io', version: 'v1', resource: 'crontabs' },
    ]) {
      const page = objectPage('demo', kind, { namespace: 'default', name: 'a' });
      hasRoute(page);
      const known = kindOf(page?.split('/')[4] ?? '');
      assert.deepEqual([known?.group, known?.version, known?.resource], [kind.group, kind.version, kind.resource]);
    }
  });

  it('knows that there is no page for what belongs to no namespace and is no policy', () => {
    const kind = { kind: 'Namespace', group: '', version: 'v1', resource: 'namespaces' };
    assert.equal(objectPage('demo', kind, { name: 'default' }), undefined);
  });
});
