/** The verbs that change one thing: create, patch, scale, rollout, set, label, taint, expose, wait and their refusals. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { deployment, node, pod, touring } from './kubectl.ts';

describe('kubectl', () => {
  const tour = touring();
  const ok = (...args: readonly string[]) => tour().ok(...args);
  const fails = (...args: readonly string[]) => tour().fails(...args);
  const value = (object: string, path: string) => ok('get', object, '-o', `jsonpath={${path}}`);

  before(async () => {
    await ok('create', '-f', tour().file('base', deployment('web'), node('n1'), pod('on-node', {}, 'n1')));
    await ok('create', 'cm', 'plain', '--from-literal=color=blue');
  });

  it('creates every everyday kind from flags', async () => {
    const creations = [
      ['secret', 'generic', 's', '--from-literal=p=w'],
      ['secret', 'docker-registry', 'reg', '--docker-username=u', '--docker-password=p'],
      ['job', 'j', '--image=busybox', '--', 'true'],
      ['cronjob', 'cj', '--image=busybox', '--schedule=*/5 * * * *', '--', 'true'],
      ['ingress', 'ing', '--rule=a.example.com/*=web:80'],
      ['pdb', 'pdb', '--selector=app=web', '--min-available=1'],
      ['quota', 'q', '--hard=pods=3'],
      ['role', 'r', '--verb=get', '--resource=pods'],
      ['rolebinding', 'rb', '--role=r', '--user=bob'],
      ['serviceaccount', 'robot'],
      ['priorityclass', 'pc', '--value=10'],
      ['service', 'nodeport', 'np', '--tcp=80'],
    ];
    for (const creation of creations) assert.match(await ok('create', ...creation), / created\n$/);
    assert.match(await ok('get', 'cj,ing,pdb'), /^cronjob\.batch\/cj +\*\/5 \* \* \* \* +<none> +False +0 +<none> /m);
    assert.match(await ok('describe', 'secret', 's'), /^p: +1 bytes$/m);
    assert.match(await ok('describe', 'job', 'j'), /^Completions: +1$/m);
    assert.equal(await value('svc/np', '.spec.type'), 'NodePort');
    assert.equal(await ok('run', 'runner', '--image=nginx'), 'pod/runner created\n');
    assert.match(await ok('run', 'dry', '--image=nginx', '--dry-run=server', '-o', 'yaml'), /^ {2}phase: Pending$/m);
  });

  it('is told exactly what is wrong with what it creates', async () => {
    const wrong = {
      ...deployment('Bad_Name', { replicas: -1 }),
      spec: {
        replicas: -1,
        selector: { matchLabels: { app: 'web' } },
        template: { metadata: { labels: { app: 'other' } }, spec: { containers: [{ name: 'web' }] } },
      },
    };
    const said = await fails('create', '-f', tour().file('wrong', wrong));
    assert.equal(said, REFUSED);
    assert.equal(
      await fails('create', 'cm', 'plain'),
      'error: failed to create configmap: configmaps "plain" already exists\n',
    );
    assert.equal(
      await fails('create', 'cronjob', 'x', '--image=x', '--schedule=nonsense'),
      'error: failed to create cronjob: CronJob.batch "x" is invalid: spec.schedule: Invalid value: "nonsense": ' +
        'expected exactly 5 fields, found 1: [nonsense]\n',
    );
    assert.match(
      await fails('create', 'cm', 'lost', '-n', 'nowhere'),
      /^error: failed to create configmap: namespaces "nowhere" not found$/m,
    );
  });

  it('patches in four ways', async () => {
    await ok('patch', 'cm', 'plain', '-p', '{"data":{"a":"1"}}');
    await ok('patch', 'cm', 'plain', '--type=merge', '-p', '{"data":{"color":null}}');
    await ok('patch', 'cm', 'plain', '--type=json', '-p', '[{"op":"add","path":"/data/b","value":"2"}]');
    assert.equal(await value('cm/plain', '.data'), '{"a":"1","b":"2"}');
    assert.match(
      await fails('patch', 'cm', 'plain', '--type=json', '-p', '[{"op":"test","path":"/data/b","value":"3"}]'),
      /The request is invalid: the server rejected our request due to an error in our request/,
    );
    await ok('patch', 'deploy', 'web', '-p', JSON.stringify(image('nginx:1.29')));
    assert.equal(await value('deploy/web', '..containers[*].image'), 'nginx:1.29');
    assert.equal(await value('deploy/web', '..env[*].name'), 'A B');
    assert.match(
      await ok('patch', 'deploy', 'web', '-p', JSON.stringify(image('nginx:1.29'))),
      /patched \(no change\)/,
    );
    await ok('patch', 'deploy', 'web', '--subresource=status', '--type=merge', '-p', '{"status":{"replicas":2}}');
    assert.equal(await value('deploy/web', '.status.replicas'), '2');
  });

  it('scales, on a condition too', async () => {
    await ok('scale', 'deploy/web', '--replicas=5');
    assert.equal(await value('deploy/web', '.spec.replicas'), '5');
    assert.match(
      await fails('scale', 'deploy/web', '--replicas=4', '--current-replicas=9'),
      /Expected replicas to be 9, was 5/,
    );
    await ok('autoscale', 'deploy', 'web', '--min=1', '--max=3', '--cpu=50%');
    assert.match(await ok('get', 'hpa', 'web'), /^web +Deployment\/web +cpu: <unknown>\/50% +1 +3 +0 /m);
    assert.match(await ok('describe', 'hpa', 'web'), /^Min replicas: +1$/m);
  });

  it('rolls out objects: status, history, pause, restart, undo', async () => {
    await ok('create', '-f', tour().file('rolled', deployment('rolled')));
    assert.match(await ok('rollout', 'pause', 'deploy/rolled'), /deployment.apps\/rolled paused/);
    assert.match(await fails('rollout', 'pause', 'deploy/rolled'), /is already paused/);
    await ok('rollout', 'resume', 'deploy/rolled');
    await ok('rollout', 'restart', 'deploy/rolled');
    assert.match(await value('deploy/rolled', '.spec.template.metadata.annotations'), /restartedAt/);
    assert.match(await ok('rollout', 'status', 'deploy/rolled', '--watch=false'), /Waiting for deployment spec update/);

    const uid = await value('deploy/rolled', '.metadata.uid');
    const revisions = ['nginx:1', 'nginx:2'].map((tag, i) => replicaSet(i + 1, tag, uid));
    await ok('create', '-f', tour().file('revisions', ...revisions));
    assert.match(await ok('rollout', 'history', 'deploy/rolled'), /REVISION +CHANGE-CAUSE\n1 +<none>\n2 +<none>/);
    assert.match(await ok('rollout', 'history', 'deploy/rolled', '--revision=1'), /Image:\s+nginx:1/);
    await ok('rollout', 'undo', 'deploy/rolled', '--to-revision=1');
    assert.equal(await value('deploy/rolled', '..containers[*].image'), 'nginx:1');

    const generation = Number(await value('deploy/rolled', '.metadata.generation'));
    const done = {
      observedGeneration: generation,
      replicas: 2,
      updatedReplicas: 2,
      readyReplicas: 2,
      availableReplicas: 2,
    };
    await ok(
      'patch',
      'deploy',
      'rolled',
      '--subresource=status',
      '--type=merge',
      '-p',
      JSON.stringify({ status: done }),
    );
    assert.match(await ok('rollout', 'status', 'deploy/rolled'), /successfully rolled out/);
  });

  it('sets images, variables and resources', async () => {
    await ok('set', 'image', 'deploy/web', 'web=nginx:3');
    await ok('set', 'env', 'deploy/web', 'C=3', 'B-');
    await ok('set', 'resources', 'deploy/web', '--limits=cpu=1');
    assert.equal(await value('deploy/web', '..containers[*].image'), 'nginx:3');
    assert.equal(await value('deploy/web', '..env[*].name'), 'A C');
    assert.equal(await value('deploy/web', '..limits.cpu'), '1');
  });

  it('exposes, with an address of its own', async () => {
    await ok('expose', 'deploy', 'web', '--port=80', '--name=exposed');
    assert.match(await value('svc/exposed', '.spec.clusterIP'), /^\d+\.\d+\.\d+\.\d+$/);
    assert.equal(await value('svc/exposed', '.spec.selector.app'), 'web');
  });

  it('labels and annotates, and refuses what is no label', async () => {
    await ok('label', 'cm', 'plain', 'x=y');
    assert.match(await fails('label', 'cm', 'plain', 'x=z'), /already has a value/);
    await ok('label', 'cm', 'plain', 'x=z', '--overwrite');
    assert.equal(await value('cm/plain', '.metadata.labels.x'), 'z');
    await ok('label', 'cm', 'plain', 'x-');
    await ok('annotate', 'cm', 'plain', 'note=hi');
    assert.equal(await value('cm/plain', '.metadata.annotations.note'), 'hi');
    assert.match(
      await fails('patch', 'cm', 'plain', '-p', '{"metadata":{"labels":{"x":"no spaces"}}}'),
      /metadata\.labels: Invalid value: "no spaces": a valid label must be/,
    );
  });

  it('taints, cordons and drains nodes', async () => {
    await ok('taint', 'node', 'n1', 'k=v:NoSchedule');
    assert.equal(await value('node/n1', '.spec.taints[0].key'), 'k');
    await ok('taint', 'node', 'n1', 'k-');
    await ok('cordon', 'n1');
    assert.match(await ok('get', 'nodes'), /^n1 +Ready,SchedulingDisabled/m);
    await ok('uncordon', 'n1');
    const drained = await ok('drain', 'n1', '--dry-run=server', '--ignore-daemonsets', '--force');
    assert.match(drained, /evicting pod tour\/on-node \(server dry run\)/);
  });

  it('waits for conditions, values, creation and deletion', async () => {
    const waiting = ok('wait', '--for=condition=Ready', 'pod/on-node', '--timeout=30s');
    const ready = { status: { conditions: [{ type: 'Ready', status: 'True' }] } };
    await ok('patch', 'pod', 'on-node', '--subresource=status', '-p', JSON.stringify(ready));
    assert.equal(await waiting, 'pod/on-node condition met\n');
    await ok('wait', '--for=jsonpath={.data.a}=1', 'cm/plain', '--timeout=30s');
    await ok('wait', '--for=create', 'cm/plain', '--timeout=30s');
    await ok('wait', '--for=delete', 'cm/absent', '--timeout=30s');
    assert.match(await fails('wait', '--for=condition=Available', 'deploy/web', '--timeout=10ms'), /timed out/);
  });
});

const REFUSED = `${[
  'The Deployment "Bad_Name" is invalid: ',
  `* metadata.name: Invalid value: "Bad_Name": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`,
  '* spec.replicas: Invalid value: -1: must be greater than or equal to 0',
  '* spec.template.metadata.labels: Invalid value: {"app":"other"}: `selector` does not match template `labels`',
  '* spec.template.spec.containers[0].image: Required value',
].join('\n')}\n`;

const image = (tag: string) => ({ spec: { template: { spec: { containers: [{ name: 'web', image: tag }] } } } });

const replicaSet = (revision: number, tag: string, uid: string) => {
  const { spec } = deployment('rolled', { image: tag });
  return {
    apiVersion: 'apps/v1',
    kind: 'ReplicaSet',
    metadata: {
      name: `rolled-${revision}`,
      labels: { app: 'rolled' },
      annotations: { 'deployment.kubernetes.io/revision': String(revision) },
      ownerReferences: [{ apiVersion: 'apps/v1', kind: 'Deployment', name: 'rolled', uid, controller: true }],
    },
    spec,
  };
};
