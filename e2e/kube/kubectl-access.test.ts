/** Who may do what, as kubectl asks and tells it: can-i, whoami, impersonation, tokens, service accounts, certificates. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { touring } from './kubectl.ts';

describe('kubectl auth', () => {
  const tour = touring();
  const ok = (...args: readonly string[]) => tour().ok(...args);
  const fails = (...args: readonly string[]) => tour().fails(...args);

  before(async () => {
    await ok('create', 'role', 'reader', '--verb=get,list', '--resource=configmaps');
    await ok('create', 'rolebinding', 'bob-reads', '--role=reader', '--user=bob');
    await ok('create', 'serviceaccount', 'robot');
    await ok('create', 'rolebinding', 'robot-reads', '--role=reader', '--serviceaccount=tour:robot');
    await ok('create', 'clusterrole', 'nodes', '--verb=list', '--resource=nodes');
    await ok('create', 'clusterrolebinding', 'devs-see-nodes', '--clusterrole=nodes', '--group=devs');
  });

  it('can-i answers for oneself and for others', async () => {
    assert.equal(await ok('auth', 'can-i', 'delete', 'secrets'), 'yes\n');
    assert.equal(await ok('auth', 'can-i', 'get', 'cm', '--as', 'bob'), 'yes\n');
    assert.equal((await tour().run('auth', 'can-i', 'get', 'secrets', '--as', 'bob')).stdout, 'no\n');
    assert.equal(await ok('auth', 'can-i', 'list', 'nodes', '--as', 'eve', '--as-group', 'devs'), 'yes\n');
    assert.match(await ok('auth', 'can-i', '--list', '--as', 'bob'), /^configmaps +\[\] +\[\] +\[get list\]$/m);
  });

  it('is enforced, with a reason', async () => {
    await ok('get', 'cm', '--as', 'bob');
    assert.equal(
      await fails('get', 'secrets', '--as', 'bob'),
      'Error from server (Forbidden): secrets is forbidden: User "bob" cannot list resource "secrets" in API group "" ' +
        'in the namespace "tour"\n',
    );
    assert.match(await fails('get', 'nodes', '--as', 'bob'), /cannot list resource "nodes" .* at the cluster scope/);
  });

  it('whoami names users, groups and those they act as', async () => {
    assert.match(await ok('auth', 'whoami'), /Groups +\[system:masters system:authenticated\]/);
    assert.match(
      await ok('auth', 'whoami', '--as', 'bob', '--as-group', 'devs'),
      /Groups +\[devs system:authenticated\]/,
    );
  });

  it('takes the tokens it makes for service accounts', async () => {
    const token = (await ok('create', 'token', 'robot', '--duration=10m')).trim();
    // The administrator's own token is in the kubeconfig, so another is written beside it.
    const config = await ok('config', 'view', '--raw', '--minify');
    const path = join(tour().directory, 'robot.kubeconfig');
    writeFileSync(path, config.replace(/token: .*/, `token: ${token}`));
    const as = (...args: readonly string[]) => tour().run('--kubeconfig', path, ...args);
    assert.match((await as('auth', 'whoami')).stdout, /Username +system:serviceaccount:tour:robot/);
    assert.equal((await as('get', 'cm')).code, 0);
    assert.match(
      (await as('get', 'pods')).stderr,
      /User "system:serviceaccount:tour:robot" cannot list resource "pods"/,
    );
    assert.match(await fails('create', 'token', 'nobody'), /serviceaccounts "nobody" not found/);
    assert.match(
      await fails('create', 'token', 'robot', '--duration=1m'),
      /may not specify a duration less than 10 minutes/,
    );
  });

  it('does not let anybody give away what they have not got', async () => {
    await ok('create', 'role', 'granter', '--verb=create', '--resource=roles,rolebindings');
    await ok('create', 'rolebinding', 'bob-grants', '--role=granter', '--user=bob');
    assert.match(
      await fails('create', 'role', 'more', '--verb=get', '--resource=secrets', '--as', 'bob'),
      /user "bob" .*is attempting to grant RBAC permissions not currently held/,
    );
    await ok('create', 'role', 'same', '--verb=get', '--resource=configmaps', '--as', 'bob');
  });

  it('approves requests for certificates', async () => {
    const made = execFileSync(
      'openssl',
      'req -new -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -keyout /dev/null -subj /CN=carol'.split(' '),
    );
    const request = {
      apiVersion: 'certificates.k8s.io/v1',
      kind: 'CertificateSigningRequest',
      metadata: { name: 'carol' },
      spec: {
        request: made.toString('base64'),
        signerName: 'kubernetes.io/kube-apiserver-client',
        usages: ['client auth'],
      },
    };
    await ok('create', '-f', tour().file('csr', request));
    assert.match(
      await ok('get', 'csr', 'carol'),
      /^carol +\S+ +kubernetes.io\/kube-apiserver-client +admin +<none> +Pending$/m,
    );
    await ok('certificate', 'approve', 'carol');
    await ok('wait', 'csr/carol', '--for=jsonpath={.status.certificate}', '--timeout=10s');
    assert.match(await ok('get', 'csr', 'carol'), /Approved,Issued$/m);
  });
});
