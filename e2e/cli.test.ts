/** The command line without a terminal, as pipelines use it: signing in, looking, changing, and failing well. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { ofSuite } from '#base/testing.ts';
import { type Account, account, EXAMPLE } from './cli-account.ts';
import { signingInWithBrowser } from './cli-login.ts';
import { eventually } from './platform.ts';

describe('the command line', () => {
  let me: Account;
  before(async () => {
    me = await account();
  });
  after(() => me.leave());

  it('says in three lines that there is no platform to speak to', async () => {
    const { code, stdout, stderr } = await me.cli('status');
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(
      stderr,
      /^Error: no platform to speak to\n {2}Why: .+\n {2}Next: kairship up, or: kairship login URL\n$/,
    );
  });

  it('refuses a command line that makes no sense with code 2, and says what to read', async () => {
    const { code, stderr } = await me.cli('cluster', 'lst');
    assert.equal(code, 2);
    assert.match(stderr, /unknown command 'lst'\n.*Did you mean list\?.*\n {2}Next: kairship cluster --help/);
  });

  it('signs in with a link that works once, and knows who one is from then on', async () => {
    const link = (await me.ok('open', '--data-dir', me.data)).trim();
    const { code, stderr } = await me.cli('login', link, '--name', 'here');
    assert.equal(code, 0, stderr);
    assert.match(stderr, /as admin; context here is current/);
    assert.match(await me.ok('whoami'), /^admin\n.*context here/);
    const again = await me.cli('login', link);
    assert.equal(again.code, 4);
    assert.match(again.stderr, /the link has been used, or is too old/);
  });

  it('shows the whole platform on one screen, and finds nothing in the way', async () => {
    await eventually(async () => {
      const screen = await me.ok('status');
      assert.match(screen, /demo {2}running .* 2\/2 clusters ready {2}1\/1 applications healthy/);
      assert.match(screen, /frankfurt +True .*aws/);
    });
    const { code, stdout } = await me.cli('doctor');
    assert.equal(code, 0, stdout);
    assert.match(stdout, /cluster singapore +ok/);
  });

  it('lists in every form that programs read', async () => {
    assert.equal(await me.ok('instance', 'list', '-o', 'name'), 'instance/demo\n');
    const { items } = JSON.parse(await me.ok('cluster', 'list', '-o', 'json')) as {
      items: { metadata: { name: string } }[];
    };
    assert.deepEqual(
      items.map(({ metadata }) => metadata.name),
      ['frankfurt', 'singapore'],
    );
    assert.equal(
      await me.ok('cluster', 'list', '-o', 'jsonpath={.items[*].spec.region}'),
      'eu-central-1 ap-southeast-1\n',
    );
    assert.match(await me.ok('cluster', 'list', '--limit', '1', '--no-headers'), /^frankfurt +True[^\n]*\n$/);
  });

  it('applies, and watches until everything has arrived', async () => {
    const { code, stdout, stderr } = await me.cli('apply', '-f', EXAMPLE);
    assert.equal(code, 0, stderr);
    assert.equal(stdout, 'deployment.apps/nginx created\npropagationpolicy.policy.karmada.io/nginx created\n');
    assert.match(stderr, /frankfurt {2}▸ rendered .* ▸ applied .* ▸ ready/);
    assert.match(stderr, /Arrived everywhere in/);
    assert.match(await me.ok('apply', '-f', EXAMPLE), /nginx unchanged\n.*nginx unchanged/);
    assert.match(await me.ok('trace', 'deploy/nginx'), /^deploy\/nginx {2}Ready/);
    assert.match(await me.ok('why', 'deployment/nginx'), /Would it differ now\? {2}kairship plan deployment\/nginx/);
  });

  it('runs out of time with code 5, and says what is missing', async () => {
    const broken = readFileSync(EXAMPLE, 'utf8')
      .replaceAll('nginx', 'broken')
      .replace(/image: .*/, 'image: broken:missing');
    const { code, stderr } = await me.told(broken, 'apply', '-f', '-', '--timeout', '3s');
    assert.equal(code, 5, stderr);
    assert.match(
      stderr,
      /Error: not everything has arrived within 3.0 s\n {2}Why: {2}pending:\n {4}deployment\/broken/,
    );
  });

  it('plans without writing, and ends with 6 when it would disrupt what runs', async () => {
    assert.match(await me.ok('plan', 'deploy/nginx', '--replicas', '6'), /Would change 1 application; pods: 2 start\./);
    const lost = await me.cli('plan', '--lose', 'frankfurt', '-o', 'json');
    assert.equal(lost.code, 6, lost.stderr);
    assert.equal((JSON.parse(lost.stdout) as { disrupts: boolean }).disrupts, true);
    assert.match(
      await me.ok('rehearse', '--lose', 'frankfurt'),
      /^If frankfurt were lost now:[^]*deployment\/nginx.*singapore 2→4/,
    );
    assert.match(await me.ok('get', 'deploy', 'nginx', '-C', 'frankfurt'), /frankfurt +nginx +2\/2/);
  });

  it('looks into all clusters at once', async () => {
    const pods = await me.ok('get', 'pods', '-l', 'app=nginx');
    assert.match(pods, /^CLUSTER +NAME +READY/);
    assert.deepEqual(pods.match(/^(frankfurt|singapore)/gm), ['frankfurt', 'frankfurt', 'singapore', 'singapore']);
    assert.match(await me.ok('get', 'propagationpolicies', '--no-headers'), /^nginx /m);
    assert.match(await me.ok('get', 'deploy/nginx', '--scope', 'all'), /\(instance\) +nginx +4\/4/);
    assert.match(
      await me.ok('describe', 'deploy/nginx', '-C', 'singapore'),
      /^Deployment\/nginx\n {2}Cluster: +singapore/,
    );
    assert.match(
      await me.ok('logs', 'deploy/nginx', '--tail', '1'),
      /^frankfurt\/nginx-\S+ .+\n[^]*^singapore\/nginx-/m,
    );
    assert.match(await me.ok('events', '--for', 'deploy/nginx', '--scope', 'instance'), /\(instance\)/);
    const [name = ''] = (await me.ok('get', 'pods', '-l', 'app=nginx', '-o', 'name')).split('\n');
    assert.match(name, /^frankfurt\/pod\/nginx-/);
    const exec = await me.cli('exec', name, '--', 'sh', '-c', 'hostname; exit 3');
    assert.deepEqual([exec.code, exec.stdout], [3, `${name.split('/')[2]}\n`]);
    const missing = await me.cli('get', 'deploy', 'none');
    assert.equal(missing.code, 3, missing.stderr);
  });

  it('goes on with what changes when asked to watch', async (t) => {
    const watching = me.begin('kairship', ['get', 'deploy', 'storefront', '-C', 'frankfurt', '-w']);
    t.after(() => watching.kill('SIGKILL'));
    let seen = '';
    watching.stdout?.on('data', (chunk: Buffer) => (seen += chunk.toString()));
    await eventually(async () => assert.match(seen, /storefront +3\/3/));
    const scaled = await me.kubectl(
      '--kubeconfig',
      join(me.data, 'admin.kubeconfig'),
      'scale',
      'deployment/storefront',
      '--replicas=4',
    );
    assert.equal(scaled.code, 0, scaled.stderr);
    await eventually(async () => assert.match(seen, /storefront +4\/4/));
  });

  it('changes clusters, and tells what they are like', async () => {
    await me.ok('cluster', 'cordon', 'singapore');
    await me.ok('cluster', 'label', 'singapore', 'tier=test');
    await me.ok('cluster', 'taint', 'singapore', 'maintenance=true:NoSchedule');
    assert.match(
      await me.ok('cluster', 'list', '-l', 'tier=test', '-o', 'wide'),
      /singapore +True, cordoned .*maintenance=true:NoSchedule/,
    );
    await me.ok('cluster', 'taint', 'singapore', 'maintenance-');
    await me.ok('cluster', 'uncordon', 'singapore');
    assert.doesNotMatch(await me.ok('cluster', 'list'), /cordoned/);
  });

  it('invites a cluster that nobody reaches, with what starts its agent alone on stdout', async () => {
    const token = await me.ok('cluster', 'agent-token', 'edge', '--ttl', '1h');
    assert.match(token, /^kairship-agent\.[\w-]+\n$/);
    const joined = await me.cli(
      'cluster',
      'join',
      'edge',
      '--pull',
      '--no-wait',
      '--region',
      'eu',
      '--label',
      'at=sea',
    );
    assert.equal(joined.code, 0, joined.stderr);
    assert.match(
      joined.stdout,
      /^kairship agent --kubeconfig FILE --token kairship-agent\.\S+ --region eu --label at=sea\n$/,
    );
    assert.match(joined.stderr, /cluster\/edge waits for its agent/);
    assert.match(await me.ok('cluster', 'list', '--no-headers'), /^edge +\S.* Pull /m);
    const refused = await me.cli('cluster', 'agent-token', 'frankfurt');
    assert.equal(refused.code, 1);
    assert.match(
      refused.stderr,
      /^Error: cluster "frankfurt" gets no agent\n {2}Why: .*joins without an agent\n {2}Next: /,
    );
    await me.ok('cluster', 'remove', 'edge', '--yes');
    // Its token is worth nothing from then on.
    const late = await me.cli(
      'agent',
      '--token',
      token.trim(),
      '--kubeconfig',
      join(me.data, 'members/frankfurt/kubeconfig'),
    );
    assert.deepEqual([late.code, /does not take this agent of "edge"/.test(late.stderr)], [4, true], late.stderr);
  });

  it('backs an instance up, shows what would come back, and deletes the copy', async () => {
    const made = await me.cli('instance', 'backup', '--name', 'first');
    assert.deepEqual([made.code, made.stdout], [0, 'backup/first\n'], made.stderr);
    assert.match(await me.ok('instance', 'backups', 'demo', '--no-headers'), /^first +completed +\d+ /);
    const created = await me.kubectl(
      '--kubeconfig',
      join(me.data, 'admin.kubeconfig'),
      'create',
      'configmap',
      'since-first',
    );
    assert.equal(created.code, 0, created.stderr);
    assert.match(
      await me.ok('instance', 'restore', 'first', '--dry-run', '--timeout', '1m'),
      /^CHANGE [^]*^is forgotten +ConfigMap +default +since-first$/m,
    );
    const unasked = await me.cli('instance', 'restore', 'first');
    assert.equal(unasked.code, 2);
    assert.match(unasked.stderr, /since-first\n[^]*Why: .*no terminal to ask at\n {2}Next: say it with --yes\n$/);
    assert.match((await me.cli('instance', 'delete-backup', 'first', '--yes')).stderr, /^backup\/first deleted\n$/);
    const gone = await me.cli('instance', 'restore', 'first', 'demo', '--yes');
    assert.equal(gone.code, 3);
    assert.match(
      gone.stderr,
      /^Error: there is no backup "first" of demo\n {2}Why: .+\n {2}Next: .+--from INSTANCE\n$/,
    );
  });

  it('lets people in, gives them rights, and says no with code 4', async () => {
    const created = await me.told('correct horse battery', 'user', 'create', 'alice', '--password-stdin');
    assert.equal(created.code, 0, created.stderr);
    const wrong = await me.told('guess', 'login', me.server, '--user', 'alice', '--password-stdin');
    assert.equal(wrong.code, 4);
    assert.match(wrong.stderr, /the name or the password is wrong/);
    const signed = await me.told(
      'correct horse battery',
      'login',
      me.server,
      '--user',
      'alice',
      '--password-stdin',
      '--name',
      'alice',
    );
    assert.equal(signed.code, 0, signed.stderr);
    const denied = await me.cli('get', 'deploy', '-i', 'demo');
    assert.equal(denied.code, 4, denied.stderr);
    assert.equal((await me.cli('role', 'can', 'kairship/workload/create', '--in', 'instance/demo')).code, 4);
    await me.ok('role', 'grant', 'instance-viewer', '--to', 'user/alice', '--in', 'instance/demo', '--context', 'here');
    await eventually(async () => assert.match(await me.ok('get', 'deploy', 'nginx'), /frankfurt +nginx/));
    assert.match(await me.ok('audit', '--user', 'admin', '--context', 'here'), /ghippo\/user\/create/);
    const out = await me.cli('logout');
    assert.match(out.stderr, /context alice is gone/);
    assert.match(await me.ok('whoami'), /^admin\n/);
  });

  it('makes tokens for programs, which work until they are taken back', async () => {
    const token = (await me.ok('token', 'create', 'ci', '--ttl', '1h')).trim();
    const ca = join(me.data, 'ca.crt');
    const program = ['--server', me.server, '--token', token, '--certificate-authority', ca];
    assert.equal(await me.ok('instance', 'list', '-o', 'name', ...program), 'instance/demo\n');
    const tokens = JSON.parse(await me.ok('token', 'list', '-o', 'json')) as {
      items: { id: string; description: string }[];
    };
    await me.ok('token', 'delete', tokens.items.find(({ description }) => description === 'ci')?.id ?? '');
    const refused = await me.cli('instance', 'list', ...program);
    assert.equal(refused.code, 4, refused.stderr);
  });

  it('completes commands, options and names of the server', async () => {
    assert.equal(await me.ok('__complete', 'clu'), 'cluster\n');
    assert.equal(await me.ok('__complete', 'get', 'pods', '-C', 'frankfurt,s'), 'frankfurt,singapore\n');
    assert.equal(await me.ok('__complete', 'why', 'deployments/n'), 'deployments/nginx\n');
    assert.match(await me.ok('__complete', 'logs', '--f'), /^--follow\n$/);
    assert.match(await me.ok('completion', 'bash'), /complete -o default -F _kairship kairship/);
  });

  describe('signing in with a browser', () => signingInWithBrowser(ofSuite(), () => me));
});
