/** Federated autoscalers through the API, each call seen from the other side too. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { edit, lists, ok, SPACE, text } from './asking.ts';
import { eventually, type Stage } from './harness.ts';

const ALL = `${SPACE}/federatedhpas`;
const ONE = `${ALL}/busy`;

const scaler = (maxReplicas: number) =>
  text({
    metadata: { name: 'busy' },
    spec: {
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'storefront' },
      minReplicas: 1,
      maxReplicas,
      metrics: [
        { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 60 } } },
      ],
      behavior: { scaleDown: { stabilizationWindowSeconds: 300 } },
    },
  });

export function autoscalers(stage: Stage): void {
  describe('Federated autoscalers of an instance', () => {
    const most = () => stage.instance('get', 'federatedhpa', 'busy', '-o', 'jsonpath={.spec.maxReplicas}');

    it('are created and told with what they measure', async () => {
      await ok(stage, 'POST', ALL, { data: scaler(6) });
      assert.equal(await most(), '6');
      const { fhpa } = await ok(stage, 'GET', ONE);
      assert.deepEqual(fhpa.spec.scaleTargetRef, { kind: 'Deployment', name: 'storefront', apiVersion: 'apps/v1' });
      const [metric] = fhpa.spec.metrics;
      assert.equal(metric.resource.name, 'cpu');
      assert.equal(metric.resource.target.averageUtilization, 60);
      assert.equal(fhpa.spec.behavior.scaleDown.stabilizationWindowSeconds, 300);
    });

    it('are listed, all or those of a kind of workload', async () => {
      await lists(stage, '/instances/demo/federatedhpas', 'busy');
      await lists(stage, `${ALL}?kind=Deployment&name=bus`, 'busy');
      await lists(stage, `${ALL}?kind=StatefulSet`);
      await lists(stage, '/instances/demo/federatedhpas?kind=StatefulSet');
    });

    it('say whether they work', () =>
      eventually(async () => {
        const { fhpa } = await ok(stage, 'GET', ONE);
        assert.match(fhpa.status.phase, /^(Ready|NotReady)$/);
        assert.ok(fhpa.status.conditions.length > 0);
      }));

    it('are changed', async () => {
      await edit(stage, ONE, (manifest) => {
        manifest.spec.maxReplicas = 8;
        delete manifest.metadata.resourceVersion;
      });
      assert.equal(await most(), '8');
    });

    it('are nothing to those who have no rights there', async () => {
      const nobody = await stage.person('nobody');
      await stage.refusesAll(nobody, 'federatedhpas', [
        ['GET', '/instances/demo/federatedhpas'],
        ['GET', ALL],
        ['GET', ONE],
        ['GET', `${ONE}/json`],
        ['POST', ALL, { data: scaler(9) }],
        ['PUT', ONE, { data: scaler(9) }],
        ['DELETE', ONE],
      ]);
    });

    it('are deleted', async () => {
      await ok(stage, 'DELETE', ONE);
      assert.equal(await stage.instance('get', 'federatedhpas', '-o', 'name'), '');
    });
  });
}
