import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { testServer } from '#kube/apiserver/testing.ts';
import { rbac } from '#kube/auth/rbac/index.ts';
import type { AuditEvent } from './audit-event.ts';
import { auditLog } from './audit-log.ts';
import { rotatingFile } from './rotating-file.ts';

async function directory(t: TestContext): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'audit-'));
  t.after(() => rm(path, { recursive: true }));
  return path;
}

async function audited(t: TestContext) {
  const file = join(await directory(t), 'audit.log');
  const audit = await auditLog({ file });
  const completed = new Map<string, () => void>();
  const access = rbac();
  const { server, call } = await testServer(t, {
    authorizer: access.authorizer,
    witness(notes, stage, code) {
      audit.witness(notes, stage, code);
      if (stage === 'ResponseComplete') completed.get(notes.id)?.();
    },
  });
  await access.start(server);
  t.after(() => audit.close());

  /** One request, and what was recorded of it. */
  async function recorded(...[method, path, body, headers]: Parameters<typeof call>) {
    const id = `request-${completed.size}`;
    const done = new Promise<void>((resolve) => completed.set(id, resolve));
    const answer = await call(method, path, body, { ...headers, 'audit-id': id });
    await done;
    await audit.flush();
    assert.equal(answer.headers['audit-id'], id);
    const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
    const events = lines.map((line) => JSON.parse(line) as AuditEvent).filter(({ auditID }) => auditID === id);
    return { events, event: events.at(-1) as AuditEvent, file };
  }
  return { recorded, server };
}

const ALICE = { authorization: 'Bearer tok-alice' };

describe('the audit log', () => {
  it('tells who did what to which object, and how it went', async (t) => {
    const { recorded } = await audited(t);
    const body = { apiVersion: 'v1', kind: 'ConfigMap', metadata: { generateName: 'c-' } };
    const agent = { 'user-agent': 'test/1' };
    const { event } = await recorded('POST', '/api/v1/namespaces/default/configmaps?pretty=true', body, agent);
    const { requestReceivedTimestamp, stageTimestamp, objectRef, auditID: _, ...rest } = event;
    assert.deepEqual(rest, {
      kind: 'Event',
      apiVersion: 'audit.k8s.io/v1',
      level: 'Metadata',
      stage: 'ResponseComplete',
      requestURI: '/api/v1/namespaces/default/configmaps?pretty=true',
      verb: 'create',
      user: { username: 'admin', uid: 'admin-uid', groups: ['system:masters', 'system:authenticated'] },
      sourceIPs: ['127.0.0.1'],
      userAgent: 'test/1',
      responseStatus: { metadata: {}, code: 201 },
      annotations: { 'authorization.k8s.io/decision': 'allow', 'authorization.k8s.io/reason': '' },
    });
    assert.match(objectRef?.name ?? '', /^c-/);
    assert.deepEqual(
      { ...objectRef, name: '' },
      { resource: 'configmaps', namespace: 'default', name: '', apiVersion: 'v1' },
    );
    assert.ok(requestReceivedTimestamp <= stageTimestamp);
  });

  it('tells why somebody was let in, refused, or not known', async (t) => {
    const { recorded } = await audited(t);
    const allowed = await recorded('GET', '/version', undefined, ALICE);
    assert.equal(
      allowed.event.annotations?.['authorization.k8s.io/reason'],
      'RBAC: allowed by ClusterRoleBinding "system:discovery" of ClusterRole "system:discovery" to Group "system:authenticated"',
    );
    const refused = await recorded('GET', '/apis/apps/v1/deployments', undefined, ALICE);
    assert.equal(refused.event.responseStatus.reason, 'Forbidden');
    assert.match(
      refused.event.responseStatus.message ?? '',
      /^deployments.apps is forbidden: User "alice" cannot list/,
    );
    assert.deepEqual(refused.event.annotations, { 'authorization.k8s.io/decision': 'forbid' });
    assert.deepEqual(refused.event.objectRef, { resource: 'deployments', apiGroup: 'apps', apiVersion: 'v1' });
    const unknown = await recorded('GET', '/api/v1/pods', undefined, { authorization: 'Bearer who' });
    assert.deepEqual([unknown.event.responseStatus.code, unknown.event.user], [401, {}]);
  });

  it('tells who acts as whom', async (t) => {
    const { recorded } = await audited(t);
    const { event } = await recorded('GET', '/version', undefined, { 'impersonate-user': 'bob' });
    assert.equal(event.user.username, 'admin');
    assert.deepEqual(event.impersonatedUser, { username: 'bob', groups: ['system:authenticated'], extra: {} });
  });

  it('tells when a watch begins and when it ends', async (t) => {
    const { recorded } = await audited(t);
    const { events } = await recorded('GET', '/api/v1/pods?watch=true&timeoutSeconds=1');
    assert.deepEqual(
      events.map(({ stage, verb }) => [stage, verb]),
      [
        ['ResponseStarted', 'watch'],
        ['ResponseComplete', 'watch'],
      ],
    );
  });

  it('never holds what was sent, what was answered, or a credential', async (t) => {
    const { recorded } = await audited(t);
    const secrets = '/api/v1/namespaces/default/secrets';
    const metadata = { name: 's' };
    const data = { password: Buffer.from('hunter2').toString('base64') };
    await recorded('POST', secrets, { apiVersion: 'v1', kind: 'Secret', metadata, data });
    await recorded('GET', `${secrets}/s`);
    await recorded('POST', secrets, `{"metadata":{"name":"x"},"data":{"password":"hunter2 is no base64"}}`);
    await recorded('POST', secrets, '{"metadata":{"name":"x"},"data":"hunter2"}');
    const { file } = await recorded('GET', '/version', undefined, ALICE);
    const text = await readFile(file, 'utf8');
    for (const secret of ['hunter2', data.password, 'tok-alice', 'Bearer']) assert.ok(!text.includes(secret), secret);
    assert.equal((await stat(file)).mode & 0o777, 0o600);
  });
});

describe('a rotating file', () => {
  const options = { maxBytes: 100, keep: 2, maxWaitingBytes: 10_000, onLoss: () => assert.fail('lost') };
  const lineOf = (number: number) => `${String(number).padStart(29, '0')}\n`;
  const read = async (path: string) => (await readFile(path, 'utf8')).split('\n').filter(Boolean).map(Number);

  it('is set aside when full, and the oldest goes', async (t) => {
    const path = join(await directory(t), 'log');
    const file = await rotatingFile({ ...options, path });
    for (let i = 1; i <= 11; i++) file.append(lineOf(i));
    await file.close();
    assert.deepEqual(await read(path), [10, 11]);
    assert.deepEqual(await read(`${path}.1`), [7, 8, 9]);
    assert.deepEqual(await read(`${path}.2`), [4, 5, 6]);
    assert.deepEqual((await readdir(join(path, '..'))).sort(), ['log', 'log.1', 'log.2']);
  });

  it('is continued after a restart', async (t) => {
    const path = join(await directory(t), 'log');
    for (let i = 1; i <= 4; i++) {
      const file = await rotatingFile({ ...options, path });
      file.append(lineOf(i));
      await file.close();
    }
    assert.deepEqual([await read(`${path}.1`), await read(path)], [[1, 2, 3], [4]]);
  });

  it('takes a line that is larger than itself', async (t) => {
    const path = join(await directory(t), 'log');
    const file = await rotatingFile({ ...options, path });
    file.append(`${'1'.repeat(200)}\n`);
    file.append(lineOf(2));
    await file.close();
    assert.deepEqual(await read(path), [2]);
  });

  it('drops lines rather than keep them without bound, and says so', async (t) => {
    const path = join(await directory(t), 'log');
    let dropped = 0;
    const onLoss = (lines: number) => (dropped += lines);
    const file = await rotatingFile({ ...options, path, maxBytes: 10_000, maxWaitingBytes: 60, onLoss });
    for (let i = 1; i <= 50; i++) file.append(lineOf(i));
    await file.close();
    const written = await read(path);
    assert.ok(written.length >= 2);
    assert.equal(written.length + dropped, 50);
  });
});
