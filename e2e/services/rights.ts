/** R3, R11: the kubeconfig a person gets carries their rights and no more, in the instance and in its members. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { instanceScope, namespaceScope } from '#ghippo/apis/scope.ts';
import { kubectl, type Run } from '../platform.ts';
import { type Call, eventually, INSTANCE, type Stage } from './harness.ts';

export function kubeconfigRights(stage: Stage): void {
  describe('A kubeconfig from the platform', () => {
    async function kubectlOf(name: string, call: Call): Promise<Run> {
      const { status, json } = await call('POST', `/instances/${INSTANCE}/kubeconfig`, { expirationSeconds: 3600 });
      assert.equal(status, 200, JSON.stringify(json));
      const file = join(stage.directory, `${name}.kubeconfig`);
      writeFileSync(file, json.kubeConfigString, { mode: 0o600 });
      return kubectl(file);
    }

    const works = (run: Run, ...args: readonly string[]) =>
      eventually(async () => {
        const result = await run(...args);
        assert.equal(result.code, 0, result.stderr);
        return result;
      });
    const isRefused = async (run: Run, ...args: readonly string[]) => {
      const { code, stderr } = await run(...args);
      assert.notEqual(code, 0, `${args.join(' ')} worked`);
      assert.match(stderr, /[Ff]orbidden/);
    };

    it('R3: of an editor works as any other: kinds, apply, read, watch, delete', async () => {
      const scope = instanceScope(INSTANCE);
      const edna = await kubectlOf('edna', await stage.person('edna', { role: 'instance-editor', scope }));
      const { stdout: kinds } = await works(edna, 'api-resources', '-o', 'name');
      assert.match(kinds, /^deployments\.apps$[^]*^propagationpolicies\.policy\.karmada\.io$/m);
      const file = join(stage.directory, 'edna.yaml');
      writeFileSync(
        file,
        'apiVersion: v1\nkind: ConfigMap\nmetadata: {name: from-edna, namespace: default}\ndata: {a: b}\n',
      );
      await works(edna, 'apply', '-f', file);
      assert.equal(await stage.instance('get', 'configmap', 'from-edna', '-o', 'jsonpath={.data.a}'), 'b');
      // A watch ends with its time; that it has begun by then is all that is asked of it.
      await eventually(async () => {
        const { stdout } = await edna('get', 'configmap', 'from-edna', '--watch', '-o', 'name', '--request-timeout=3s');
        assert.match(stdout, /configmap\/from-edna/);
      });
      await works(edna, 'delete', '-f', file);
      assert.doesNotMatch(await stage.instance('get', 'configmaps', '-o', 'name'), /from-edna/);
    });

    it('R3, R11: of a viewer shows everything and changes nothing', async () => {
      const vera = await kubectlOf(
        'vera',
        await stage.person('vera', { role: 'instance-viewer', scope: instanceScope(INSTANCE) }),
      );
      await works(vera, 'get', 'deployments', '-A');
      await works(vera, 'get', 'propagationpolicies,clusters,explanations');
      await works(vera, '--context', `${INSTANCE}/frankfurt`, 'get', 'pods', '-n', 'default');
      await isRefused(vera, 'delete', 'deployment', 'storefront');
      await isRefused(vera, 'get', 'secrets', '-A');
      await isRefused(vera, '--context', `${INSTANCE}/frankfurt`, 'delete', 'pods', '--all', '-n', 'default');
    });

    it('of somebody with one namespace ends at its border', async () => {
      const scope = namespaceScope(INSTANCE, 'default');
      const ned = await stage.person('ned', { role: 'namespace-editor', scope });
      // Asked for by its name: the kubeconfig of an instance is for those who may see the instance.
      const { status } = await ned('POST', `/instances/${INSTANCE}/namespaces/default/deployments`, {
        data: DEPLOYMENT,
      });
      await eventually(async () => assert.ok(status === 200 || (await retried(ned)) === 200));
      assert.match(await stage.instance('get', 'deployment', 'from-ned', '-o', 'name'), /from-ned/);
      const elsewhere = await ned('POST', `/instances/${INSTANCE}/namespaces/kube-public/deployments`, {
        data: DEPLOYMENT,
      });
      assert.equal(elsewhere.status, 403);
    });

    const retried = async (call: Call) =>
      (await call('POST', `/instances/${INSTANCE}/namespaces/default/deployments`, { data: DEPLOYMENT })).status;
  });
}

const DEPLOYMENT = JSON.stringify({
  metadata: { name: 'from-ned' },
  spec: {
    selector: { matchLabels: { app: 'ned' } },
    template: { metadata: { labels: { app: 'ned' } }, spec: { containers: [{ name: 'c', image: 'example/ned:1' }] } },
  },
});
