/** What everyday work needs, with every kubectl that is kept. The other kubectl-*.test.ts go deeper with the newest. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { KUBECTL_VERSIONS } from '../../scripts/test-tools.ts';
import { configMap, deployment, shipDefinition, ship, tourOf, touring } from './kubectl.ts';

describe('kubectl', { concurrency: 2 }, () => {
  const base = touring();

  for (const version of KUBECTL_VERSIONS) {
    it(`${version} makes its everyday tour`, async () => {
      const name = `v${version.replace('.', '-')}`;
      const { ok, fails, run, file } = tourOf(base().server, base().directory, version, name);
      assert.match(await ok('version'), /Server Version: v1\.35/);
      assert.equal(await ok('create', 'namespace', name), `namespace/${name} created\n`);

      const web = file(`${name}-web`, deployment('web'));
      assert.equal(await ok('apply', '-f', web), 'deployment.apps/web created\n');
      assert.equal(await ok('apply', '-f', web), 'deployment.apps/web unchanged\n');
      const changed = file(`${name}-changed`, deployment('web', { image: 'nginx:1.28', env: ['A'] }));
      const difference = await run('diff', '-f', changed);
      assert.equal(difference.code, 1);
      assert.match(difference.stdout, /^-.*nginx:1\.27\n\+.*nginx:1\.28$/m);
      assert.equal(await ok('apply', '-f', changed), 'deployment.apps/web configured\n');
      assert.equal(await ok('get', 'deploy/web', '-o', 'jsonpath={..env[*].name}'), 'A');

      assert.equal(await ok('apply', '--server-side', '-f', changed), 'deployment.apps/web serverside-applied\n');
      const conflict = await fails('apply', '--server-side', '--field-manager=other', '-f', web);
      assert.match(conflict, /conflict with "kubectl": \.spec\.template\.spec\.containers\[name="web"\]\.image/);
      await ok('apply', '--server-side', '--field-manager=other', '--force-conflicts', '-f', web);

      await ok('scale', 'deploy/web', '--replicas=3');
      await ok('set', 'image', 'deploy/web', 'web=nginx:2');
      assert.match(await ok('get', 'deploy', '-o', 'wide'), /^web +0\/3 +0 +0 +\S+ +web +nginx:2 +app=web$/m);
      assert.match(await ok('describe', 'deploy', 'web'), /Replicas: +3 desired/);

      await ok('create', 'cm', 'seen', '--from-literal=k=1');
      assert.match(await fails('create', 'cm', 'seen'), /configmaps "seen" already exists/);
      await ok('patch', 'cm', 'seen', '-p', '{"data":{"k":"2"}}');
      await ok('label', 'cm', 'seen', 'a=b');
      await ok('wait', '--for=jsonpath={.data.k}=2', 'cm/seen', '--timeout=20s');
      await ok('delete', 'cm', 'seen');

      assert.equal(await ok('auth', 'can-i', 'create', 'pods'), 'yes\n');
      assert.match(await ok('auth', 'whoami'), /Username +admin/);
      await ok('create', 'serviceaccount', 'robot');
      assert.equal((await ok('create', 'token', 'robot')).split('.').length, 3);
      assert.match(await ok('explain', 'deployment.spec.replicas'), /FIELD: replicas <integer>/);
      assert.match(await ok('api-resources'), /^deployments +deploy +apps\/v1 +true +Deployment$/m);
      assert.match(await ok('delete', 'deploy', 'web', '--cascade=foreground'), /deployment.apps "web" deleted/);
      assert.match(await ok('delete', 'namespace', name), /namespace "\S+" deleted/);
    });
  }

  it('of every version takes a definition and an object of it, one right after the other', async () => {
    for (const version of KUBECTL_VERSIONS) {
      const { ok, file } = tourOf(base().server, base().directory, version);
      await ok('apply', '-f', file('definition', shipDefinition));
      await ok('apply', '-f', file('argo', ship('argo', 50)));
      assert.match(await ok('get', 'ships'), /^argo +50$/m);
      await ok('delete', 'crd', 'ships.sea.example.com');
    }
  });

  it('watches what it lists and what comes after', async () => {
    const { ok, file, follow } = base();
    await ok('apply', '-f', file('first', configMap('first', { k: '1' }, { watched: 'yes' })));
    const follower = follow('get', 'cm', '-l', 'watched=yes', '-w', '--output-watch-events', '--no-headers');
    await follower.printed(/^ADDED +first/m);
    await ok('patch', 'cm', 'first', '--type=merge', '-p', '{"data":{"l":"2"}}');
    await follower.printed(/^MODIFIED +first +2/m);
    await ok('label', 'cm', 'first', 'watched-');
    await follower.printed(/^DELETED +first/m);
    await follower.stop();
  });
});
