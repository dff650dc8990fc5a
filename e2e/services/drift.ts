/** Drift: what somebody changed in a member is found, with who and when, and settled in each way there is. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { ok, policyFor, SPACE, text } from './asking.ts';
import { type Answer, eventually, type Stage } from './harness.ts';

const DRIFT = '/instances/demo/drift?cluster=frankfurt&name=adrift';
const ONE = '/instances/demo/clusters/frankfurt/drift';
const resource = { apiVersion: 'apps/v1', kind: 'Deployment', namespace: 'default', name: 'adrift' };
const QUERY = Object.entries(resource)
  .map(([key, value]) => `resource.${key}=${encodeURIComponent(value)}`)
  .join('&');
const IMAGE = '/spec/template/spec/containers/0/image';

const deployment = text({
  metadata: { name: 'adrift' },
  spec: {
    replicas: 1,
    selector: { matchLabels: { app: 'adrift' } },
    template: {
      metadata: { labels: { app: 'adrift' } },
      spec: { containers: [{ name: 'main', image: 'nginx:1.27' }] },
    },
  },
});

type Field = Readonly<Record<string, unknown>> & { readonly path: string };

export function drift(stage: Stage): void {
  describe('Drift of an instance', () => {
    const inMember = (path: string) =>
      stage.member('frankfurt', 'get', 'deployment', 'adrift', '-o', `jsonpath={.spec.${path}}`);
    const image = () => inMember('template.spec.containers[0].image');
    const fields = async (): Promise<readonly Field[]> => (await ok(stage, 'GET', `${ONE}?${QUERY}`)).fields;
    const resolve = (verdict: string, path: string, more: object = {}): Promise<Answer['json']> =>
      ok(stage, 'POST', `${ONE}:resolve`, { resource, verdicts: [{ path, verdict }], ...more });
    const lists = (...counts: readonly number[]) =>
      eventually(async () => {
        const { items } = await ok(stage, 'GET', DRIFT);
        assert.deepEqual(
          items.map(({ count }: { count: number }) => count),
          counts,
        );
      });
    const setImage = (to: string) => stage.member('frankfurt', 'set', 'image', 'deployment/adrift', `main=${to}`);
    const dispatching = (suspended: boolean) =>
      stage.instance(
        'patch',
        'propagationpolicy',
        'adrift-deployment',
        '--type=merge',
        '-p',
        text({ spec: { suspension: { dispatching: suspended } } }),
      );

    before(async () => {
      await ok(stage, 'POST', `${SPACE}/deployments`, { data: deployment });
      const data = policyFor('apps/v1', 'Deployment', 'adrift', 'frankfurt');
      await ok(stage, 'POST', `${SPACE}/propagationpolicies`, { data });
      await eventually(async () => assert.equal(await image(), 'nginx:1.27'));
      // While nothing is sent, what is changed in the member stays changed.
      await dispatching(true);
      await eventually(async () =>
        assert.match(
          await stage.instance('get', 'works', '-n', 'karmada-es-frankfurt', '-o', 'yaml'),
          /suspendDispatching: true/,
        ),
      );
      await lists();
    });

    it('is listed, and told field by field with who wrote it and when', async () => {
      const since = Date.now() - 60_000;
      await setImage('nginx:1.28');
      await lists(1);
      const [field, ...more] = await fields();
      assert.deepEqual(more, []);
      const { template, sent, live, manager, writtenAt, keptBy } = field ?? { path: '' };
      assert.deepEqual(
        [field?.path, template, sent, live, manager, keptBy],
        [IMAGE, 'nginx:1.27', 'nginx:1.27', 'nginx:1.28', 'kubectl-set', ''],
      );
      assert.ok(Date.parse(String(writtenAt)) > since);
      assert.equal((await stage.admin('GET', `${ONE}?resource.kind=Deployment&resource.name=none`)).status, 404);
      assert.equal((await stage.admin('GET', `/instances/demo/clusters/nowhere/drift?${QUERY}`)).status, 404);
    });

    it('is put back in the member, or only rehearsed', async () => {
      const { written } = await resolve('VERDICT_PUT_BACK', IMAGE, { dryRun: true });
      assert.equal(written[0].spec.template.spec.containers[0].image, 'nginx:1.27');
      assert.equal(await image(), 'nginx:1.28');
      await resolve('VERDICT_PUT_BACK', IMAGE);
      assert.equal(await image(), 'nginx:1.27');
      assert.deepEqual(await fields(), []);
      await lists();
      const settled = { resource, verdicts: [{ path: IMAGE, verdict: 'VERDICT_PUT_BACK' }] };
      assert.equal((await stage.admin('POST', `${ONE}:resolve`, settled)).status, 400);
    });

    it('becomes an override for that cluster', async () => {
      await setImage('nginx:1.29');
      await eventually(async () => assert.equal((await fields()).length, 1));
      await resolve('VERDICT_OVERRIDE', IMAGE);
      const policy = JSON.parse(await stage.instance('get', 'overridepolicy', 'drift-adrift-deployment', '-o', 'json'));
      assert.deepEqual(policy.spec.overrideRules[0], {
        targetCluster: { clusterNames: ['frankfurt'] },
        overriders: { plaintext: [{ path: IMAGE, operator: 'replace', value: 'nginx:1.29' }] },
      });
      await eventually(async () => assert.deepEqual(await fields(), []));
      await lists();
      assert.equal(await image(), 'nginx:1.29');
    });

    it('is kept by a rule that the engine follows', async () => {
      await stage.member('frankfurt', 'scale', 'deployment/adrift', '--replicas=3');
      await stage.member(
        'frankfurt',
        'patch',
        'deployment',
        'adrift',
        '-p',
        text({ spec: { progressDeadlineSeconds: 77 } }),
      );
      await eventually(async () => assert.equal((await fields()).length, 2));
      await resolve('VERDICT_KEEP', '/spec/replicas');
      assert.match(await stage.instance('get', 'deployment', 'adrift', '-o', 'yaml'), /retain-replicas: "true"/);
      await resolve('VERDICT_KEEP', '/spec/progressDeadlineSeconds');
      assert.match(await stage.instance('get', 'resourceinterpretercustomizations', '-o', 'name'), /kairship-kept/);
      await eventually(async () => {
        const kept = (await fields()).map(({ keptBy }) => String(keptBy)).filter((rule) => rule !== '');
        assert.deepEqual(kept.toSorted(), [
          'ResourceInterpreterCustomization kairship-kept-deployment.apps',
          'label resourcetemplate.karmada.io/retain-replicas',
        ]);
      });
      await dispatching(false);
      await stage.instance('patch', 'deployment', 'adrift', '-p', text({ spec: { minReadySeconds: 1 } }));
      await eventually(async () => assert.equal(await inMember('minReadySeconds'), '1'));
      assert.deepEqual([await inMember('replicas'), await inMember('progressDeadlineSeconds')], ['3', '77']);
      await lists();
    });

    it('is nothing to those who have no rights there', async () => {
      const nobody = await stage.person('nobody');
      await stage.refusesAll(nobody, 'overridepolicies,deployments', [
        ['GET', DRIFT],
        ['GET', `${ONE}?${QUERY}`],
        ['POST', `${ONE}:resolve`, { resource, verdicts: [{ path: IMAGE, verdict: 'VERDICT_PUT_BACK' }] }],
      ]);
    });
  });
}
