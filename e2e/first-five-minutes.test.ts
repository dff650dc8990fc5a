/** The README's first five minutes, with the real kubectl, on the product as its user starts it. */
import assert from 'node:assert/strict';
import { statSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { after, before, describe, it } from 'node:test';
import {
  eventually,
  kairship,
  kubectl,
  type Platform,
  type Run,
  startPlatform,
  temporaryDirectory,
} from './platform.ts';

const CLUSTERS = ['frankfurt', 'singapore', 'virginia'];
const EXAMPLE = resolve(import.meta.dirname, '../docs/examples/nginx.yaml');

describe('the first five minutes', () => {
  const { path: directory, remove } = temporaryDirectory();
  let platform: Platform;
  let k: Run;

  before(async () => {
    platform = await startPlatform(directory);
    k = kubectl(join(directory, 'admin.kubeconfig'));
  });
  after(async () => {
    await platform.stop();
    remove();
  });

  const text = async (...args: readonly string[]) => {
    const { code, stdout, stderr } = await k(...args);
    assert.equal(code, 0, `kubectl ${args.join(' ')}: ${stderr}`);
    return stdout.trim();
  };
  const replicasIn = (cluster: string) =>
    text('--context', `demo/${cluster}`, 'get', 'deployment', 'nginx', '-o', 'jsonpath={.status.readyReplicas}');

  it('the clusters have joined and are ready', () =>
    eventually(async () => {
      const rows = (await text('get', 'clusters', '--no-headers')).split('\n');
      assert.deepEqual(
        rows.map((row) => row.split(/\s+/)[0]),
        ['frankfurt', 'singapore', 'virginia'],
      );
      for (const row of rows) assert.match(row, /\bTrue\b/);
      // All of their room is known: what is divided by it below comes out the same each time.
      assert.equal(await text('get', 'clusters', '-o', 'jsonpath={.items[*].status.nodeSummary.readyNum}'), '3 3 3');
    }));

  it('the sample application runs in all of them', () =>
    eventually(async () => {
      assert.equal(await text('get', 'deployment', 'storefront', '-o', 'jsonpath={.status.readyReplicas}'), '9');
    }));

  it('an applied Deployment with a policy runs in the clusters and its status comes back', async () => {
    assert.match(
      await text('apply', '-f', EXAMPLE),
      /deployment.apps\/nginx created\npropagationpolicy.policy.karmada.io\/nginx created/,
    );
    await eventually(async () =>
      assert.match(await text('get', 'deployment', 'nginx', '--no-headers'), /^nginx\s+4\/4\s+4\s+4/),
    );
    const shares = await Promise.all(CLUSTERS.map(replicasIn));
    assert.deepEqual(shares.toSorted(), ['1', '1', '2']);
    assert.match(await text('--context', 'demo/frankfurt', 'get', 'pods', '-l', 'app=nginx'), /Running/);
  });

  it('R51: the kubeconfig has a context for the instance and for each cluster', async () => {
    const contexts = (await text('config', 'get-contexts', '-o', 'name')).trim().split('\n');
    const behind = CLUSTERS.map((name) => `demo/${name}`);
    assert.deepEqual(contexts.sort(), ['demo', ...behind, 'global']);
    await text('config', 'use-context', 'demo/frankfurt');
    assert.match(await text('get', 'nodes', '--no-headers'), /Ready/);
    await text('config', 'use-context', 'demo');
    assert.match(await text('get', 'clusters', '--no-headers'), /frankfurt/);
    assert.match(await text('--context', 'global', 'get', 'instances', '--no-headers'), /^demo\s/);
  });

  it('keeps what opens it for its owner alone', () => {
    for (const file of ['admin.kubeconfig', 'admin.token', 'ca.crt', 'state.json'])
      assert.equal(statSync(join(directory, file)).mode & 0o077, 0, file);
  });

  it('prints commands that find it', () => {
    const hints = platform.output().match(/kairship (open|why) .*--data-dir (\S+)/g) ?? [];
    assert.equal(hints.length, 2, platform.output());
  });

  const refused = [
    {
      what: 'a port that is taken',
      args: () => ['--data-dir', join(directory, 'other'), '--port', new URL(platform.consoleUrl).port],
      says: () => new RegExp(`port ${new URL(platform.consoleUrl).port} is already in use`),
    },
    { what: 'a folder that is in use', args: () => ['--data-dir', directory], says: () => /is in use/ },
    {
      what: 'a file in place of a folder',
      args: () => ['--data-dir', join(directory, 'a-file')],
      says: () => /a-file cannot be the data directory/,
    },
    { what: 'more clusters than it can', args: () => ['--members', '99'], says: () => /at most 10 can be started/ },
  ];
  for (const { what, args, says } of refused) {
    it(`refuses ${what} at once, and says what to do`, async () => {
      writeFileSync(join(directory, 'a-file'), '');
      const { code, stderr } = await kairship('up', ...args());
      assert.notEqual(code, 0);
      assert.match(stderr, says());
    });
  }

  it('says why it runs there', async () => {
    const { code, stdout } = await kairship('why', 'deployment/nginx', '--data-dir', directory);
    assert.equal(code, 0);
    assert.match(stdout, /nginx {2}4\/4 ready/);
    for (const cluster of CLUSTERS) assert.match(stdout, new RegExp(`${cluster}\\s+placed\\s+[12]`));
  });

  it('scales, and the members follow', async () => {
    await text('scale', 'deployment/nginx', '--replicas=6');
    await eventually(async () =>
      assert.match(await text('get', 'deployment', 'nginx', '--no-headers'), /^nginx\s+6\/6/),
    );
    const shares = await Promise.all(CLUSTERS.map(replicasIn));
    assert.equal(
      shares.reduce((sum, share) => sum + Number(share), 0),
      6,
    );
  });

  it('deletes, and nothing is left in the members', async () => {
    await text('delete', '-f', EXAMPLE);
    await eventually(async () => {
      for (const cluster of CLUSTERS) {
        const left = await text(
          '--context',
          `demo/${cluster}`,
          'get',
          'deployments,replicasets,pods',
          '-l',
          'app=nginx',
          '-o',
          'name',
        );
        assert.equal(left, '');
      }
    });
    assert.equal(
      await text('get', 'resourcebindings,works', '-A', '-o', 'name').then((all) => all.includes('nginx')),
      false,
    );
  });

  it('a question about what is not there is answered in three lines', async () => {
    const { code, stderr } = await kairship('why', 'deployment/none', '--data-dir', directory);
    assert.equal(code, 3);
    assert.equal(stderr.trim().split('\n').length, 3);
  });
});
