/** Every kind of workload alike: stateful and daemon sets, scaling, going back, logs, commands, claims and events. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { edit, lists, ok, policyFor, SPACE, text } from './asking.ts';
import { eventually, type Request, type Stage } from './harness.ts';

const pod = (app: string, image = 'nginx:1.27') => ({
  selector: { matchLabels: { app } },
  template: { metadata: { labels: { app } }, spec: { containers: [{ name: 'main', image }] } },
});
const WORKLOADS = `${SPACE}/workloads`;

interface Kind {
  readonly kind: string;
  readonly apiVersion: string;
  readonly plural: string;
  readonly spec: object;
  /** What a merge patch changes, and where that is seen. */
  readonly patch: object;
  readonly seen: readonly [jsonpath: string, value: string];
}

const KINDS: readonly Kind[] = [
  {
    kind: 'StatefulSet',
    apiVersion: 'apps/v1',
    plural: 'statefulsets',
    spec: { replicas: 2, serviceName: 'db', ...pod('db') },
    patch: { spec: { replicas: 1 } },
    seen: ['{.spec.replicas}', '1'],
  },
  {
    kind: 'DaemonSet',
    apiVersion: 'apps/v1',
    plural: 'daemonsets',
    spec: pod('agent'),
    patch: { spec: { minReadySeconds: 1 } },
    seen: ['{.spec.minReadySeconds}', '1'],
  },
  {
    kind: 'PersistentVolumeClaim',
    apiVersion: 'v1',
    plural: 'persistentvolumeclaims',
    spec: { storageClassName: 'standard', accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    patch: { metadata: { labels: { tier: 'gold' } } },
    seen: ['{.metadata.labels.tier}', 'gold'],
  },
];

export function running(stage: Stage): void {
  describe('Workloads of every kind', () => {
    const inMember = (...args: readonly string[]) => stage.member('frankfurt', ...args);
    const API = `${WORKLOADS}/deployments/api`;
    const images = () => stage.instance('get', 'deployment', 'api', '-o', 'jsonpath={..image}');

    before(async () => {
      await ok(stage, 'POST', `${SPACE}/deployments`, {
        data: text({ metadata: { name: 'api' }, spec: { replicas: 1, ...pod('api') } }),
      });
      await ok(stage, 'POST', `${SPACE}/propagationpolicies`, { data: policyFor('apps/v1', 'Deployment', 'api') });
    });

    for (const { kind, apiVersion, plural, spec, patch, seen } of KINDS) {
      it(`are created, listed, changed and deleted: ${plural}`, async () => {
        const [all, name] = [`${SPACE}/${plural}`, `mine-${plural}`];
        await ok(stage, 'POST', all, { data: text({ metadata: { name }, spec }) });
        await ok(stage, 'POST', `${SPACE}/propagationpolicies`, {
          data: policyFor(apiVersion, kind, name, 'frankfurt'),
        });
        await eventually(async () => void (await inMember('get', plural, name, '-o', 'name')));
        await lists(stage, `${all}?name=mine`, name);
        await lists(stage, `/instances/demo/${plural}?name=mine`, name);
        await eventually(async () => {
          const { status } = await ok(stage, 'GET', `${all}/${name}`);
          assert.deepEqual(status.clusters, [{ name: 'frankfurt', provider: 'AWS_EKS', applied: true }]);
          assert.match(status.state ?? status.phase, /RUNNING|Bound|Pending/);
        });
        await edit(stage, `${all}/${name}`, ({ metadata }) => (metadata.annotations = { note: 'edited' }));
        await ok(stage, 'PATCH', `${all}/${name}`, { data: text(patch) });
        assert.equal(await stage.instance('get', plural, name, '-o', `jsonpath=${seen[0]}`), seen[1]);
        assert.match(await stage.instance('get', plural, name, '-o', 'yaml'), /note: edited/);
        await ok(stage, 'DELETE', `${all}/${name}`);
        await eventually(async () => assert.doesNotMatch(await inMember('get', plural, '-o', 'name'), /mine/));
        assert.equal((await stage.admin('GET', `${all}?phase=Flying`)).status, 400);
      });
    }

    it('are scaled, restarted, paused and resumed', async () => {
      await ok(stage, 'POST', `${API}:scale`, { replicas: 2 });
      assert.equal(await stage.instance('get', 'deployment', 'api', '-o', 'jsonpath={.spec.replicas}'), '2');
      await eventually(async () =>
        assert.equal(await inMember('get', 'deployment', 'api', '-o', 'jsonpath={.status.readyReplicas}'), '2'),
      );
      await ok(stage, 'POST', `${API}:pause`, {});
      assert.equal(await stage.instance('get', 'deployment', 'api', '-o', 'jsonpath={.spec.paused}'), 'true');
      assert.equal((await stage.admin('POST', `${API}:rollback`, {})).status, 409);
      await ok(stage, 'POST', `${API}:resume`, {});
      await ok(stage, 'POST', `${API}:restart`, {});
      assert.match(await stage.instance('get', 'deployment', 'api', '-o', 'yaml'), /restartedAt/);
      const refused = async (path: string, body: object) => (await stage.admin('POST', path, body)).status;
      assert.deepEqual(
        [
          await refused(`${API}:scale`, { replicas: -1 }),
          await refused(`${WORKLOADS}/daemonsets/none:scale`, { replicas: 1 }),
          await refused(`${WORKLOADS}/statefulsets/none:pause`, {}),
          await refused(`${WORKLOADS}/secrets/none:restart`, {}),
          await refused(`${WORKLOADS}/statefulsets/none:restart`, {}),
        ],
        [400, 400, 400, 400, 404],
      );
    });

    it('go back to what they were, as the members remember it', async () => {
      await ok(stage, 'PATCH', `${SPACE}/deployments/api`, { data: text({ spec: pod('api', 'nginx:1.28') }) });
      await eventually(async () => {
        const { items } = await ok(stage, 'GET', `${API}/revisions?cluster=frankfurt`);
        assert.deepEqual([items[0].images, items[0].current], [['nginx:1.28'], true]);
        assert.ok(items.length >= 2);
      });
      assert.equal(await images(), 'nginx:1.28');
      await eventually(async () => void (await ok(stage, 'POST', `${API}:rollback`, { cluster: 'frankfurt' })));
      assert.equal(await images(), 'nginx:1.27');
      // Until the pods of before are gone too: what comes next asks one of those that stay.
      await eventually(async () => {
        const pods = await inMember(
          'get',
          'pods',
          '-l',
          'app=api',
          '-o',
          'jsonpath={.items[*].spec.containers[0].image}',
        );
        assert.equal(pods, 'nginx:1.27 nginx:1.27');
      });
      assert.equal((await stage.admin('POST', `${API}:rollback`, { revision: 99 })).status, 404);
    });

    it('tell what their pods write, from all clusters', async () => {
      await eventually(async () => {
        const heard = new Set<string>();
        for await (const { result } of stage.lines(`${API}/logs?tailLines=5`)) {
          assert.deepEqual([result.problem, result.container], ['', 'main']);
          heard.add(result.cluster);
        }
        assert.deepEqual([...heard].toSorted(), ['frankfurt', 'singapore']);
      });
      const [name] = (await inMember('get', 'pods', '-l', 'app=api', '-o', 'jsonpath={.items[*].metadata.name}')).split(
        ' ',
      );
      const followed = stage.lines(`${WORKLOADS}/pods/${name}/logs?clusters=frankfurt&follow=true`);
      assert.equal((await followed.next()).value?.result.pod, name);
      await followed.return(undefined);
    });

    it('run a command in a container', async () => {
      const [name] = (await inMember('get', 'pods', '-l', 'app=api', '-o', 'jsonpath={.items[*].metadata.name}')).split(
        ' ',
      );
      const path = `/instances/demo/clusters/frankfurt/namespaces/default/pods/${name}:exec`;
      const said = await ok(stage, 'POST', path, { command: ['echo', 'hello there'] });
      assert.deepEqual([said.stdout, said.exitCode], ['hello there\n', 0]);
      assert.equal((await ok(stage, 'POST', path, { command: ['sh', '-c', 'exit 3'] })).exitCode, 3);
      assert.equal((await stage.admin('POST', path, {})).status, 400);
      assert.equal((await stage.admin('POST', path.replace(String(name), 'none'), { command: ['ls'] })).status, 404);
      assert.equal((await stage.admin('POST', path.replace('frankfurt', 'k-demo'), { command: ['ls'] })).status, 404);
    });

    it('tell what happened to them in the members', () =>
      eventually(async () => {
        const { items } = await ok(stage, 'GET', '/instances/demo/member-events?kind=Deployment&name=api&pageSize=100');
        const clusters = new Set<string>(items.map(({ cluster }: { cluster: string }) => cluster));
        assert.deepEqual([...clusters].toSorted(), ['frankfurt', 'singapore']);
        assert.equal(items[0].event.involvedObject.name, 'api');
      }));

    it('tell what happened to them in the control plane as well, and of the engine only when asked', () =>
      eventually(async () => {
        const events = (query: string) => ok(stage, 'GET', `/instances/demo/member-events?pageSize=1000&${query}`);
        const { items, kinds } = await events('controlPlane=true&withoutEngine=true&kind=Deployment&name=api');
        const clusters = new Set<string>(items.map(({ cluster }: { cluster: string }) => cluster));
        assert.deepEqual([...clusters].toSorted(), ['', 'frankfurt', 'singapore']);
        assert.ok(kinds.includes('Pod') && !kinds.includes('ResourceBinding'), String(kinds));
        const { kinds: all } = await events('cluster=-&name=api');
        assert.ok(all.includes('ResourceBinding') && !all.includes('Pod'), String(all));
        assert.deepEqual((await events('controlPlane=true&text=no-event-says-this')).items, []);
      }));

    it('are nothing to those who have no rights there', async () => {
      const nobody = await stage.person('nobody');
      const data = text({ metadata: { name: 'stolen' } });
      await stage.refusesAll(nobody, 'deployments,statefulsets,daemonsets,persistentvolumeclaims', [
        ...KINDS.flatMap(({ plural }): Request[] => [
          ['GET', `/instances/demo/${plural}`],
          ['GET', `${SPACE}/${plural}`],
          ['POST', `${SPACE}/${plural}`, { data }],
          ['GET', `${SPACE}/${plural}/a`],
          ['GET', `${SPACE}/${plural}/a/json`],
          ['PUT', `${SPACE}/${plural}/a`, { data }],
          ['PATCH', `${SPACE}/${plural}/a`, { data }],
          ['DELETE', `${SPACE}/${plural}/a`],
        ]),
        ...['scale', 'restart', 'pause', 'resume', 'rollback'].map((verb): Request => ['POST', `${API}:${verb}`, {}]),
        ['GET', `${API}/revisions`],
        ['GET', '/instances/demo/member-events'],
        ['POST', '/instances/demo/clusters/frankfurt/namespaces/default/pods/a:exec', { command: ['ls'] }],
      ]);
    });
  });
}
