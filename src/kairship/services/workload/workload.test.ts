import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { KubeObject } from '#kube/meta/object.ts';
import { framesOf } from './frames.ts';
import { containersOf, queryOf } from './logs.ts';
import { type Revision, revisionOf } from './revisions.ts';
import { templateToGoBackTo } from './rollback.ts';
import { exitCode } from './run-command.ts';
import { loggedKind, workloadKind } from './workload-kind.ts';

const template = (image: string) => ({ spec: { containers: [{ name: 'a', image }] } });
const workload = (image: string, more: object = {}): KubeObject => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web' },
  spec: { template: template(image), ...more },
});
const revision = (cluster: string, number: number, image: string, current: boolean): Revision => ({
  cluster,
  revision: number,
  createdAt: number,
  current,
  template: template(image),
});

describe('Going back', () => {
  const revisions = [
    revision('eu', 2, 'b', true),
    revision('eu', 1, 'a', false),
    revision('us', 5, 'own', true),
    revision('us', 4, 'own-a', false),
  ];
  const there: Readonly<Record<string, KubeObject>> = { eu: workload('b'), us: workload('own') };
  const back = (wanted: { cluster: string; revision: number }, object = workload('b')) =>
    templateToGoBackTo(object, revisions, wanted, (cluster) => there[cluster]);

  it('means the revision before the current one, unless one is named', () => {
    assert.deepEqual(back({ cluster: '', revision: 0 }), template('a'));
    assert.deepEqual(back({ cluster: 'eu', revision: 2 }), template('b'));
  });

  it('does not make what overrides did in one cluster the rule everywhere', () => {
    assert.throws(() => back({ cluster: 'us', revision: 0 }), { reason: 'Conflict', message: /"us"/ });
  });

  it('is refused where there is nothing to go back to, and while a rollout is paused', () => {
    assert.throws(() => back({ cluster: '', revision: 9 }), { reason: 'NotFound' });
    assert.throws(() => back({ cluster: '', revision: 0 }, workload('b', { paused: true })), { reason: 'Conflict' });
  });
});

describe('A revision', () => {
  it('is read from a replica set and from a controller revision, as its author wrote it', () => {
    const metadata = { name: 'r', annotations: { 'deployment.kubernetes.io/revision': '3' } };
    const labels = { app: 'web', 'pod-template-hash': 'x' };
    const set = { apiVersion: 'apps/v1', kind: 'ReplicaSet', metadata, spec: { template: { metadata: { labels } } } };
    assert.deepEqual(revisionOf('eu', set)[0]?.template, { metadata: { labels: { app: 'web' } } });
    const kept = { apiVersion: 'apps/v1', kind: 'ControllerRevision', metadata: { name: 'r' }, revision: 4 };
    const data = { spec: { template: { $patch: 'replace', ...template('a') } } };
    assert.deepEqual(revisionOf('eu', { ...kept, data }), [
      { cluster: 'eu', revision: 4, createdAt: 0, template: template('a') },
    ]);
    assert.deepEqual(revisionOf('eu', { ...kept, data: {} }), []);
  });
});

describe('Logs', () => {
  it('are asked for with times, a hundred lines each unless told', () => {
    const options = { container: '', follow: false, tailLines: 0, sinceSeconds: 0, previous: false };
    assert.equal(queryOf('a', options), 'container=a&timestamps=true&tailLines=100');
    assert.equal(queryOf('a', { ...options, tailLines: -1, follow: true }), 'container=a&timestamps=true&follow=true');
  });

  it('are those of every container, or of one', () => {
    const pod = { apiVersion: 'v1', kind: 'Pod', metadata: { namespace: 'n', name: 'p' } };
    const spec = { initContainers: [{ name: 'first' }], containers: [{ name: 'main' }] };
    const found = (wanted: string) =>
      containersOf([{ cluster: 'eu', pod: { ...pod, spec } }], wanted).map(({ container }) => container);
    assert.deepEqual([found(''), found('main')], [['first', 'main'], ['main']]);
  });
});

describe('Frames', () => {
  async function* chunks(...parts: readonly (readonly number[])[]): AsyncGenerator<Buffer> {
    for (const part of parts) yield Buffer.from(part);
  }
  const messages = async (...parts: readonly (readonly number[])[]) => {
    const found: string[] = [];
    for await (const frame of framesOf(chunks(...parts), 100)) found.push(frame.toString());
    return found;
  };

  it('are put together from what comes, up to the end', async () => {
    assert.deepEqual(await messages([0x82, 1], [65, 0x02, 1, 66, 0x89, 0], [0x80, 1, 67, 0x88, 0, 0x82, 1, 68]), [
      'A',
      'BC',
    ]);
  });

  it('are refused when they are too long, or masked', async () => {
    await assert.rejects(messages([0x82, 126, 1, 0]), { reason: 'InternalError' });
    await assert.rejects(messages([0x82, 0x81, 0, 0, 0, 0, 1]), { reason: 'InternalError' });
  });
});

describe('The end of a command', () => {
  it('is its code, or the reason why it could not be run', () => {
    assert.equal(exitCode('{"status":"Success"}'), 0);
    const details = { causes: [{ reason: 'ExitCode', message: '7' }] };
    assert.equal(exitCode(JSON.stringify({ status: 'Failure', reason: 'NonZeroExitCode', details })), 7);
    assert.throws(() => exitCode('{"status":"Failure","reason":"NotFound","message":"gone"}'), { reason: 'NotFound' });
  });
});

describe('kinds of workloads', () => {
  it('are known by either of their names', () => {
    assert.equal(workloadKind('deployments').kind, 'Deployment');
    assert.equal(workloadKind('DaemonSet').resource, 'daemonsets');
  });

  it('have logs where they have pods, jobs included', () => {
    assert.equal(loggedKind('jobs').kind, 'Job');
    assert.equal(loggedKind('CronJob').resource, 'cronjobs');
    assert.throws(() => workloadKind('jobs'), /none of deployments, statefulsets, daemonsets/);
    assert.throws(() => loggedKind('secrets'), /none of/);
  });
});
