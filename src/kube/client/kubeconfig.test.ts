import assert from 'node:assert/strict';
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fakeClock } from '#base/clock.ts';
import {
  kubeconfigFor,
  kubeconfigText,
  mergeKubeconfigs,
  parseKubeconfig,
  readKubeconfig,
  saveKubeconfig,
} from './kubeconfig.ts';
import { clusterConfig, fileToken, inClusterConfig, loadKubeconfig } from './load-config.ts';

const TEXT = `
apiVersion: v1
kind: Config
current-context: dev
clusters:
- name: one
  cluster: {server: 'https://one:6443', certificate-authority-data: ${btoa('CA')}, tls-server-name: inner}
- name: two
  cluster: {server: 'https://two/prefix', insecure-skip-tls-verify: true, proxy-url: 'http://proxy:3128'}
users:
- name: token
  user: {token: abc}
- name: cert
  user: {client-certificate-data: ${btoa('CERT')}, client-key-data: ${btoa('KEY')}, as: bob, as-groups: [g]}
- name: none
contexts:
- name: dev
  context: {cluster: one, user: token, namespace: apps}
- name: prod
  context: {cluster: two, user: cert}
- name: open
  context: {cluster: two, user: none}
`;

describe('a kubeconfig', () => {
  it('says where to connect and as whom, for each context', async () => {
    const config = parseKubeconfig(TEXT);
    assert.deepEqual(await clusterConfig(config), {
      context: 'dev',
      namespace: 'apps',
      server: 'https://one:6443',
      ca: 'CA',
      tlsServerName: 'inner',
      token: 'abc',
    });
    assert.deepEqual(await clusterConfig(config, { context: 'prod' }), {
      context: 'prod',
      namespace: 'default',
      server: 'https://two/prefix',
      insecureSkipTlsVerify: true,
      proxyUrl: 'http://proxy:3128',
      clientCert: { cert: 'CERT', key: 'KEY' },
      impersonate: { user: 'bob', groups: ['g'] },
    });
    assert.equal('token' in (await clusterConfig(config, { context: 'open' })), false);
  });

  const refused: [because: string, text: string, message: RegExp][] = [
    ['it is no YAML', '{', /is no YAML/],
    ['it is empty', '', /empty or no mapping/],
    ['its current context is missing', 'current-context: x', /has no context "x"/],
    [
      'its context names no cluster of it',
      'current-context: x\ncontexts: [{name: x, context: {cluster: y}}]',
      /no cluster "y"/,
    ],
    ['its server is no URL', TEXT.replace('https://one:6443', 'one'), /has no http or https server/],
    [
      'a certificate lacks its key',
      TEXT.replace('token: abc', `client-certificate-data: ${btoa('x')}`),
      /without its key/,
    ],
    [
      'it wants a removed kind of plugin',
      TEXT.replace('token: abc', 'auth-provider: {name: gcp}'),
      /"gcp" is not supported/,
    ],
    ['it would run a program', TEXT.replace('token: abc', 'exec: {command: rm}'), /runs an exec plugin/],
    [
      'it would read a file',
      TEXT.replace('token: abc', 'tokenFile: /etc/passwd'),
      /refers to the file "\/etc\/passwd"/,
    ],
  ];
  for (const [because, text, message] of refused) {
    it(`is refused when ${because}`, async () => {
      await assert.rejects(async () => clusterConfig(parseKubeconfig(text)), { reason: 'BadRequest', message });
    });
  }

  it('merged with others, the first to name something has its way', () => {
    const first = kubeconfigFor({ name: 'a', server: 'https://first' });
    const second = kubeconfigFor({ name: 'a', server: 'https://second' }, { name: 'b', server: 'https://b' });
    const merged = mergeKubeconfigs([first, second]);
    assert.equal(merged['current-context'], 'a');
    assert.deepEqual(merged.clusters?.map(({ name, cluster }) => [name, cluster.server]).sort(), [
      ['a', 'https://first'],
      ['b', 'https://b'],
    ]);
  });

  it('written by us says the same when read again', async () => {
    const text = kubeconfigText(
      kubeconfigFor(
        { name: 'a', server: 'https://a', ca: 'CA', token: 't', namespace: 'n' },
        { name: 'b', server: 'https://b', insecureSkipTlsVerify: true, cert: { cert: 'CERT', key: 'KEY' } },
      ),
    );
    const config = parseKubeconfig(text);
    const a = { context: 'a', namespace: 'n', server: 'https://a', ca: 'CA', token: 't' };
    assert.deepEqual(await clusterConfig(config), a);
    const { clientCert, insecureSkipTlsVerify } = await clusterConfig(config, { context: 'b' });
    assert.deepEqual(
      { clientCert, insecureSkipTlsVerify },
      { clientCert: { cert: 'CERT', key: 'KEY' }, insecureSkipTlsVerify: true },
    );
  });
});

describe('a kubeconfig file', () => {
  let directory: string;
  before(async () => {
    directory = await mkdtemp(join(tmpdir(), 'kubeconfig-'));
  });
  after(() => rm(directory, { recursive: true }));

  it('is readable by its owner only', async () => {
    const path = join(directory, 'saved', 'config');
    await saveKubeconfig(path, kubeconfigFor({ name: 'a', server: 'https://a', token: 't' }));
    assert.equal((await stat(path)).mode & 0o777, 0o600);
    assert.equal((await loadKubeconfig(path)).token, 't');
  });

  it('finds the files it names beside it', async () => {
    await writeFile(join(directory, 'ca.crt'), 'CA FILE');
    await writeFile(join(directory, 'token'), 'from-file\n');
    const path = join(directory, 'files');
    await writeFile(
      path,
      TEXT.replace(/certificate-authority-data: \S+,/, 'certificate-authority: ca.crt,').replace(
        'token: abc',
        'tokenFile: token',
      ),
    );
    assert.equal(
      (await readKubeconfig(path)).clusters?.[0]?.cluster['certificate-authority'],
      join(directory, 'ca.crt'),
    );
    const { ca, token } = await loadKubeconfig(path);
    assert.equal(ca, 'CA FILE');
    assert.ok(typeof token === 'function');
    assert.equal(await token(), 'from-file');
  });

  it('with an exec plugin runs it for a credential, again when that ends or is refused', async () => {
    const plugin = join(directory, 'plugin.sh');
    const runs = join(directory, 'runs');
    await writeFile(
      plugin,
      `#!/bin/sh
echo "$KUBERNETES_EXEC_INFO" >> ${runs}
n=$(wc -l < ${runs})
echo '{"apiVersion":"client.authentication.k8s.io/v1","kind":"ExecCredential","status":{"token":"'$EXTRA$n'","expirationTimestamp":"2026-01-01T01:00:00Z"}}'
`,
    );
    await chmod(plugin, 0o755);
    const exec =
      'exec: {apiVersion: client.authentication.k8s.io/v1, command: ./plugin.sh, provideClusterInfo: true, env: [{name: EXTRA, value: t}]}';
    const clock = fakeClock();
    const config = parseKubeconfig(TEXT.replace('token: abc', exec));
    const { token, clientCert } = await clusterConfig(config, { trusted: true, directory, clock });
    assert.ok(typeof token === 'function' && typeof clientCert === 'function');
    assert.deepEqual(await Promise.all([token(), token(), token()]), ['t1', 't1', 't1']);
    assert.equal(await clientCert(), undefined);
    assert.equal(await token('t1'), 't2');
    assert.equal(await token('t1'), 't2');
    await clock.advance(3_600_000);
    assert.equal(await token(), 't3');
    const [info = ''] = (await readFile(runs, 'utf8')).split('\n');
    assert.equal(JSON.parse(info).spec.cluster.server, 'https://one:6443');
  });

  it('with a failing exec plugin says which, and how to install it', async () => {
    const exec =
      'exec: {apiVersion: client.authentication.k8s.io/v1, command: no-such-plugin, installHint: install it first}';
    const { token } = await clusterConfig(parseKubeconfig(TEXT.replace('token: abc', exec)), { trusted: true });
    assert.ok(typeof token === 'function');
    const failure = { reason: 'Unauthorized', message: 'exec plugin "no-such-plugin" failed: install it first' };
    await assert.rejects(token(), failure);
    await assert.rejects(token(), failure);
  });

  it('with an exec plugin of an unknown version is refused when used', async () => {
    const exec = 'exec: {apiVersion: client.authentication.k8s.io/v1alpha1, command: x}';
    const { token } = await clusterConfig(parseKubeconfig(TEXT.replace('token: abc', exec)), { trusted: true });
    assert.ok(typeof token === 'function');
    await assert.rejects(token(), { message: /unsupported version/ });
  });

  it('holds a token that is read again after a minute or when refused', async () => {
    const clock = fakeClock();
    const path = join(directory, 'rotating');
    const token = fileToken(path, clock);
    await writeFile(path, 'one');
    assert.equal(await token(), 'one');
    await writeFile(path, 'two');
    assert.equal(await token(), 'one');
    assert.equal(await token('one'), 'two');
    await writeFile(path, 'three');
    await clock.advance(61_000);
    assert.equal(await token(), 'three');
  });

  it('is not needed in a pod', async () => {
    for (const [name, text] of [
      ['ca.crt', 'POD CA'],
      ['token', 'pod-token'],
      ['namespace', 'mine'],
    ] as const) {
      await writeFile(join(directory, name), text);
    }
    assert.equal(await inClusterConfig({}, directory), undefined);
    const config = await inClusterConfig(
      { KUBERNETES_SERVICE_HOST: 'fd00::1', KUBERNETES_SERVICE_PORT: '443' },
      directory,
    );
    assert.ok(config && typeof config.token === 'function');
    const { server, ca, namespace } = config;
    assert.deepEqual({ server, ca, namespace }, { server: 'https://[fd00::1]:443', ca: 'POD CA', namespace: 'mine' });
    assert.equal(await config.token(), 'pod-token');
  });
});
