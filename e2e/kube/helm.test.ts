/** A chart from installation to removal, with helm 3 and helm 4. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { join, resolve } from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { type KubectlVersion, kubectlPath } from '../../scripts/test-tools.ts';
import { tourOf, touring } from './kubectl.ts';

const CHART = resolve(import.meta.dirname, '../fixtures/chart');
const run = promisify(execFile);

/** The kubectl whose package carries this major version of helm. */
const HELMS = { 3: '1.32', 4: '1.35' } as const satisfies Record<number, KubectlVersion>;

describe('helm', () => {
  const tour = touring();

  function helmOf(version: KubectlVersion, namespace: string) {
    const path = kubectlPath(version, 'helm');
    if (path === undefined) throw new Error('helm is missing: run npm run test:tools');
    const home = (name: string) => join(tour().directory, `helm-${version}`, name);
    const env = {
      ...process.env,
      HELM_CACHE_HOME: home('cache'),
      HELM_CONFIG_HOME: home('config'),
      HELM_DATA_HOME: home('data'),
    };
    return async (...args: readonly string[]) => {
      const named = [...args, '--kubeconfig', tour().server.kubeconfig, '--namespace', namespace];
      return (await run(path, named, { env, timeout: 60_000 })).stdout;
    };
  }

  for (const [major, version] of Object.entries(HELMS)) {
    it(`${major} installs, upgrades, rolls back and uninstalls`, async () => {
      const namespace = `helm-${major}`;
      const helm = helmOf(version, namespace);
      const { ok } = tourOf(tour().server, tour().directory, '1.35', namespace);
      const value = (object: string, path: string) => ok('get', object, '-o', `jsonpath={${path}}`);
      assert.match(await helm('version', '--short'), new RegExp(`^v${major}\\.`));

      const installed = await helm('install', 'port', CHART, '--create-namespace');
      assert.match(installed, /STATUS: deployed\nREVISION: 1\n[^]*port greets with hello\./);
      assert.equal(await value('deploy/port', '.spec.replicas'), '2');
      assert.equal(await value('cm/port', '.data.workloads'), 'apps/v1');
      assert.equal(await value('cm/port-before', '.data.revision'), '1');
      assert.match(await helm('list'), /^port\s+helm-\d\s+1\s.*\sdeployed\s+harbour-0\.1\.0\s+1\.27/m);

      await helm('upgrade', 'port', CHART, '--set', 'replicas=3,greeting=ahoy');
      assert.equal(await value('deploy/port', '.spec.replicas'), '3');
      assert.equal(await value('cm/port', '.data.greeting'), 'ahoy');
      assert.match(await helm('get', 'values', 'port'), /greeting: ahoy\nreplicas: 3/);

      await helm('rollback', 'port', '1');
      assert.equal(await value('deploy/port', '.spec.replicas'), '2');
      assert.equal(await value('cm/port', '.data.greeting'), 'hello');
      const history = await helm('history', 'port');
      assert.match(history, /^1\s.*superseded[^]*^2\s.*superseded[^]*^3\s.*deployed.*Rollback to 1/m);
      assert.match(await helm('status', 'port'), /STATUS: deployed\nREVISION: 3/);
      await assert.rejects(helm('install', 'port', CHART), /cannot re-?use a name that is still in use/);

      assert.match(await helm('uninstall', 'port'), /release "port" uninstalled/);
      assert.equal(await ok('get', 'deploy,svc,secret', '-o', 'name'), '');
      assert.equal(await helm('list', '--short'), '');
    });
  }
});
