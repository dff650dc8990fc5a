/** Everything kubectl reads: tables, other outputs, selectors, pages, descriptions, explanations, discovery. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { configMap, deployment, node, pod, touring } from './kubectl.ts';

describe('kubectl reads', () => {
  const tour = touring();
  const ok = (...args: readonly string[]) => tour().ok(...args);

  before(async () => {
    const objects = [
      node('n1'),
      pod('front', { app: 'web', tier: 'front' }, 'n1'),
      pod('back', { app: 'web', tier: 'back' }),
      configMap('blue', { color: 'blue' }, { rank: '2' }),
      configMap('amber', { color: 'amber', size: '3' }, { rank: '1' }),
      deployment('web'),
    ];
    await ok('create', '-f', tour().file('objects', ...objects));
    await ok('expose', 'deployment', 'web', '--port=80', '--target-port=8080');
  });

  it('tables, wide ones and those of several kinds', async () => {
    assert.match(
      await ok('get', 'pods'),
      /^NAME +READY +STATUS +RESTARTS +AGE\nback +0\/1 +Pending +0 +\S+\nfront +0\/1/,
    );
    assert.match(await ok('get', 'pods', '-o', 'wide'), /^front .* n1 +<none> +<none>$/m);
    assert.match(await ok('get', 'nodes'), /^n1 +Ready +<none> +\S+ *$/m);
    assert.match(await ok('get', 'deploy,svc'), /^deployment\.apps\/web +0\/2 .*\n\nNAME .*\nservice\/web +ClusterIP/m);
    assert.match(await ok('get', 'cm', '--show-labels'), /^amber +2 +\S+ +rank=1$/m);
    assert.match(await ok('get', 'cm', '-L', 'rank'), /^blue +1 +\S+ +2$/m);
  });

  it('YAML, JSON, names, paths, columns and templates', async () => {
    const yaml = await ok('get', 'cm', 'blue', '-o', 'yaml');
    assert.match(yaml, /^apiVersion: v1\ndata:\n {2}color: blue\nkind: ConfigMap\nmetadata:\n/);
    assert.ok(!yaml.includes('managedFields'));
    assert.ok((await ok('get', 'cm', 'blue', '-o', 'yaml', '--show-managed-fields')).includes('f:color: {}'));
    assert.equal(JSON.parse(await ok('get', 'cm', '-o', 'json')).items.length, 3);
    assert.equal(await ok('get', 'cm', 'blue', '-o', 'name'), 'configmap/blue\n');
    assert.equal(await ok('get', 'pods', '-o', 'jsonpath={.items[*].metadata.name}'), 'back front');
    const columns = await ok('get', 'cm', '-l', 'rank', '-o', 'custom-columns=NAME:.metadata.name,COLOR:.data.color');
    assert.equal(columns, 'NAME    COLOR\namber   amber\nblue    blue\n');
    assert.equal(await ok('get', 'cm', 'blue', '-o', 'go-template={{.data.color}}'), 'blue');
  });

  it('by label, by field, sorted, everywhere and in pages', async () => {
    assert.equal(await ok('get', 'pods', '-l', 'app=web,tier!=back', '-o', 'name'), 'pod/front\n');
    assert.equal(await ok('get', 'pods', '-l', 'tier in (back,side)', '-o', 'name'), 'pod/back\n');
    assert.equal(await ok('get', 'pods', '--field-selector=spec.nodeName=n1', '-o', 'name'), 'pod/front\n');
    assert.match(await ok('get', 'pods', '--field-selector=metadata.name!=front', '-o', 'name'), /^pod\/back\n$/);
    assert.match(
      await tour().fails('get', 'pods', '--field-selector=spec.color=red'),
      /field label not supported: spec.color/,
    );
    const sorted = await ok('get', 'cm', '-l', 'rank', '--sort-by=.metadata.labels.rank', '-o', 'name');
    assert.equal(sorted, 'configmap/amber\nconfigmap/blue\n');
    assert.match(await ok('get', 'ns,cm', '-A'), /^tour +configmap\/amber/m);
    const whole = await ok('get', 'cm', '-A', '-o', 'name');
    assert.equal(await ok('get', 'cm', '-A', '-o', 'name', '--chunk-size=2'), whole);
  });

  it('descriptions', async () => {
    const described = await ok('describe', 'pod', 'front');
    assert.match(described, /^Node: +n1\/$/m);
    assert.match(described, /^QoS Class: +Burstable$/m);
    assert.match(await ok('describe', 'deployment', 'web'), /^StrategyType: +RollingUpdate$/m);
    assert.match(await ok('describe', 'service', 'web'), /^TargetPort: +8080\/TCP$/m);
    assert.match(await ok('describe', 'node', 'n1'), /^ +cpu +100m \(2%\)/m);
    assert.match(await ok('describe', 'namespace', 'tour'), /^Status: +Active$/m);
    assert.match(await ok('describe', 'cm', 'blue'), /^color:\n----\nblue$/m);
  });

  it('events about an object', async () => {
    const uid = await ok('get', 'pod', 'front', '-o', 'jsonpath={.metadata.uid}');
    const event = {
      apiVersion: 'v1',
      kind: 'Event',
      metadata: { name: 'front.1', namespace: 'tour' },
      involvedObject: { apiVersion: 'v1', kind: 'Pod', name: 'front', namespace: 'tour', uid },
      reason: 'Started',
      message: 'it runs',
      type: 'Normal',
      lastTimestamp: new Date().toISOString().replace(/\.\d+/, ''),
    };
    await ok('create', '-f', tour().file('event', event));
    assert.match(await ok('events', '--for', 'pod/front'), /Normal +Started +Pod\/front +it runs$/m);
    assert.match(
      await ok('get', 'events', '--field-selector=involvedObject.name=front'),
      /Started +pod\/front +it runs/,
    );
    assert.match(await ok('describe', 'pod', 'front'), /Normal +Started .*it runs$/m);
  });

  it('explanations, resources and versions', async () => {
    const explained = await ok('explain', 'deployment.spec.strategy.rollingUpdate');
    assert.match(explained, /GROUP: +apps\nKIND: +Deployment\nVERSION: +v1/);
    assert.match(explained, /maxSurge\t<IntOrString>/);
    assert.match(await ok('explain', 'pod.spec.containers', '--recursive'), /containerPort\t<integer> -required-/);
    assert.match(await tour().fails('explain', 'pod.spec.nothing'), /field "nothing" does not exist/);
    assert.match(
      await ok('api-resources', '--namespaced=false', '-o', 'name'),
      /^clusterroles.rbac.authorization.k8s.io$/m,
    );
    assert.match(await ok('api-versions'), /^networking.k8s.io\/v1$/m);
  });

  it('what the server says of itself', async () => {
    assert.match(await ok('cluster-info'), /is running at https:\/\/127\.0\.0\.1/);
    assert.match(await ok('version', '-o', 'json'), /"major": "1"/);
    assert.equal(await ok('get', '--raw', '/readyz'), 'ok');
    assert.match(await ok('get', '--raw', '/readyz?verbose'), /\[\+\]ping ok/);
    assert.match(await ok('get', '--raw', '/metrics'), /^apiserver_request_total\{/m);
    assert.match(await tour().fails('get', '--raw', '/nothing'), /NotFound/);
  });

  it('what changes, and only that with --watch-only', async () => {
    const follower = tour().follow('get', 'cm', 'blue', '--watch-only', '--no-headers');
    // The watch has begun when one of the changes is seen.
    const changes = (async () => {
      for (let i = 0; ; i++) {
        const written = await tour().run('annotate', '--overwrite', 'cm', 'blue', `change=${i}`);
        if (written.code !== 0) return;
      }
    })();
    await follower.printed(/^blue +1 /m);
    await follower.stop();
    await ok('delete', 'cm', 'blue');
    await changes;
  });

  it('says plainly what is not there', async () => {
    assert.match(await tour().fails('get', 'cm', 'none'), /\(NotFound\): configmaps "none" not found/);
    assert.match(await tour().fails('get', 'nothings'), /the server doesn't have a resource type "nothings"/);
    assert.match((await tour().run('get', 'sts')).stderr, /No resources found in tour namespace/);
  });
});
