import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { podOf } from '../testing.ts';
import { endOf, lifeOf } from './testing.ts';

const bound = (spec: object = {}, annotations: Record<string, string> = {}) =>
  lifeOf(
    podOf('p', {
      // The uid decides how fast a pod is; this one is as fast as its pace says.
      metadata: { uid: '7fff-', generation: 1, annotations },
      spec: { nodeName: 'n1', containers: [{ name: 'c', image: 'web:1' }], ...spec },
    }),
  );
const asked = (request: string, value: string, spec: object = {}) =>
  bound(spec, { [`members.kairship.io/${request}`]: value });
const condition = (life: ReturnType<typeof lifeOf>, type: string) =>
  life.pod.status?.conditions?.find((one) => one.type === type);

describe('the life of a simulated pod', () => {
  it('waits, starts, is ready and stays', () => {
    const life = bound().live(500);
    assert.equal(life.shown(), 'Pending: ContainerCreating');
    assert.equal(condition(life, 'Ready')?.message, 'containers with unready status: [c]');
    assert.equal(life.live().shown(), 'Running: running+ (ready)');
    assert.deepEqual(life.told, ['Pulled', 'Created', 'Started']);
    assert.equal(life.pod.status?.podIP, '10.0.0.9');
  });

  it('is not ready before its readiness probe is', () => {
    const life = bound({ containers: [{ name: 'c', readinessProbe: { initialDelaySeconds: 20 } }] }).live(10_000);
    assert.equal(life.shown(), 'Running: running');
    assert.equal(life.live(15_000).shown(), 'Running: running+ (ready)');
  });

  it('is set up by its init containers, one after the other, beside its sidecars', () => {
    const life = bound({
      initContainers: [{ name: 'proxy', restartPolicy: 'Always' }, { name: 'one' }, { name: 'two' }],
    });
    assert.equal(life.live(2500).shown(), 'Pending: running+, Completed+, PodInitializing, PodInitializing');
    assert.equal(condition(life, 'Initialized')?.message, 'containers with incomplete status: [two]');
    assert.equal(life.live().shown(), 'Running: running+, Completed+, Completed+, running+ (ready)');
  });

  it('ends when it is meant to', () => {
    assert.equal(bound({ restartPolicy: 'Never' }).live().shown(), 'Succeeded: Completed');
    assert.equal(asked('exit-code', '3', { restartPolicy: 'Never' }).live().shown(), 'Failed: Error');
  });

  it('understands the plainest of commands', () => {
    const commands: Array<[command: string[], shown: string]> = [
      [['sleep', '60'], 'Running: running+ (ready)'],
      [['sleep', '5'], 'Succeeded: Completed'],
      [['sleep', 'infinity'], 'Running: running+ (ready)'],
      [['false'], 'Failed: Error'],
      [['sh', '-c', 'sleep 2; exit 7'], 'Failed: Error'],
      [['sh', '-c', 'echo hello && sleep 2m'], 'Running: running+ (ready)'],
      [['perl', 'pi.pl'], 'Succeeded: Completed'],
    ];
    for (const [command, shown] of commands) {
      const life = bound({ restartPolicy: 'Never', containers: [{ name: 'c', command }] }).live(30_000);
      assert.equal(life.shown(), shown, command.join(' '));
    }
  });

  it('is restarted after failures: at once, then after ten seconds, then twice as long each time', () => {
    const life = asked('fail', 'Error', { restartPolicy: 'OnFailure' });
    assert.equal(life.live(1500).shown(), 'Running: running+ (ready)');
    assert.equal(life.live(1000).shown(), 'Running: running+ ×1 (ready)');
    assert.equal(life.live(1000).shown(), 'Running: CrashLoopBackOff ×1');
    assert.match(life.pod.status?.containerStatuses?.[0]?.state?.waiting?.message ?? '', /^back-off 10s restarting/);
    assert.equal(life.live(10_000).shown(), 'Running: running+ ×2 (ready)');
    assert.match(life.live(2000).pod.status?.containerStatuses?.[0]?.state?.waiting?.message ?? '', /^back-off 20s/);
  });

  it('fails as it is asked to, and recovers when it is no longer asked', () => {
    const life = asked('fail', 'ImagePullBackOff');
    assert.equal(life.live(1500).shown(), 'Pending: ErrImagePull');
    assert.equal(life.live().shown(), 'Pending: ImagePullBackOff');
    assert.deepEqual(life.told, ['Pulling', 'Failed', 'Failed', 'BackOff', 'Failed']);
    life.pod = { ...life.pod, metadata: { ...life.pod.metadata, annotations: {} } };
    assert.equal(life.live().shown(), 'Running: running+ (ready)');
    life.pod = {
      ...life.pod,
      metadata: { ...life.pod.metadata, annotations: { 'members.kairship.io/fail': 'NeverReady' } },
    };
    assert.equal(life.live().shown(), 'Running: running');
    assert.equal(life.told.at(-1), 'Unhealthy');
  });

  it('cannot pull an image that is tagged missing', () => {
    assert.equal(
      bound({ containers: [{ name: 'c', image: 'web:missing' }] })
        .live()
        .shown(),
      'Pending: ImagePullBackOff',
    );
  });

  it('runs out of memory on request', () => {
    const life = asked('fail', 'OOMKilled', { restartPolicy: 'Never' }).live();
    assert.equal(life.pod.status?.containerStatuses?.[0]?.state?.terminated?.exitCode, 137);
    assert.equal(life.shown(), 'Failed: OOMKilled');
  });

  it('is restarted as often as asked', () => {
    const life = bound().live();
    life.pod = {
      ...life.pod,
      metadata: { ...life.pod.metadata, annotations: { 'members.kairship.io/restarts': '2' } },
    };
    assert.equal(life.live().shown(), 'Running: running+ ×2 (ready)');
  });

  it('is restarted with another image, and given what it asks for while it runs', () => {
    const life = bound().live();
    const resources = { requests: { cpu: '1' } };
    life.pod = { ...life.pod, spec: { ...life.pod.spec, containers: [{ name: 'c', image: 'web:2', resources }] } };
    const [status] = life.live().pod.status?.containerStatuses ?? [];
    assert.deepEqual([status?.image, status?.restartCount, status?.resources], ['web:2', 1, resources]);
    const more = { requests: { cpu: '2' } };
    life.pod = {
      ...life.pod,
      spec: { ...life.pod.spec, containers: [{ name: 'c', image: 'web:2', resources: more }] },
    };
    const [resized] = life.live().pod.status?.containerStatuses ?? [];
    assert.deepEqual([resized?.restartCount, resized?.allocatedResources], [1, { cpu: '2' }]);
  });

  it('lets others look into it', () => {
    const life = bound().live();
    const ephemeralContainers = [{ name: 'debugger', image: 'busybox' }];
    life.pod = { ...life.pod, spec: { containers: [], ...life.pod.spec, ephemeralContainers } };
    const [status] = life.live().pod.status?.ephemeralContainerStatuses ?? [];
    assert.ok(status?.state?.running);
    assert.equal(life.shown(), 'Running: running+ (ready)');
  });

  it('waits for what its environment needs', () => {
    const life = bound();
    life.missing = { c: 'configmap "settings" not found' };
    assert.equal(life.live().shown(), 'Pending: CreateContainerConfigError');
    life.missing = {};
    assert.equal(life.live().shown(), 'Running: running+ (ready)');
  });

  it('is not ready on a node that is not, and stands still on one that is gone', () => {
    const life = bound().live();
    life.node = 'not ready';
    assert.equal(life.live().shown(), 'Running: running+');
    life.node = 'ready';
    assert.equal(life.live().shown(), 'Running: running+ (ready)');
    const other = asked('run', '10s', { restartPolicy: 'Never' }).live(2000);
    other.node = 'gone';
    assert.equal(other.live().shown(), 'Running: running+');
  });

  it('opens only when its readiness gates are open', () => {
    const life = bound({ readinessGates: [{ conditionType: 'balanced' }] }).live();
    assert.equal(condition(life, 'Ready')?.reason, 'ReadinessGatesNotReady');
    const gate = { type: 'balanced', status: 'True' };
    life.pod = {
      ...life.pod,
      status: { ...life.pod.status, conditions: [...(life.pod.status?.conditions ?? []), gate] },
    };
    assert.equal(life.live().shown(), 'Running: running+ (ready)');
  });

  it('is ended by its deadline', () => {
    const life = bound({ activeDeadlineSeconds: 30 }).live();
    assert.equal(life.shown(), 'Failed: Error');
    assert.equal(life.pod.status?.reason, 'DeadlineExceeded');
  });
});

describe('the end of a simulated pod', () => {
  const deleted = (grace: number) => {
    const life = bound().live();
    life.pod = {
      ...life.pod,
      metadata: { ...life.pod.metadata, deletionTimestamp: '2026-01-01T00:00:30Z', deletionGracePeriodSeconds: grace },
    };
    return life;
  };

  it('takes as long as its containers take', () => {
    const { ms, pod } = endOf(deleted(30), 400);
    assert.equal(ms, 400);
    assert.equal(pod.status?.phase, 'Succeeded');
    assert.equal(pod.status?.containerStatuses?.[0]?.state?.terminated?.exitCode, 0);
  });

  it('takes no longer than it is granted', () => {
    const { ms, pod } = endOf(deleted(5), 60_000);
    assert.equal(ms, 5000);
    assert.equal(pod.status?.phase, 'Failed');
    assert.equal(pod.status?.containerStatuses?.[0]?.state?.terminated?.exitCode, 137);
  });

  it('does not come on a node that is gone', () => {
    const life = deleted(30);
    life.node = 'gone';
    assert.equal(endOf(life, 400).pod.status?.phase, 'Running');
  });
});
