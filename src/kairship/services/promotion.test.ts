import assert from 'node:assert/strict';
import { describe, it, type TestContext } from 'node:test';
import { createContextValues } from '@connectrpc/connect';
import { StatusError } from '#base/status-error.ts';
import { installCrds } from '#kube/crds/index.ts';
import { systemClock } from '#base/clock.ts';
import { karmadaCrds, PROPAGATION_POLICY, type PropagationPolicy } from '#karmada/apis/index.ts';
import { type AdmissionPlugin, apiServer } from '#kube/apiserver/index.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import { memoryStore } from '#kube/store/index.ts';
import { CALLER } from '#rpc/index.ts';
import type { ServiceDeps } from './deps.ts';
import { CONFIG_MAP, DEPLOYMENT, NAMESPACE } from './kinds.ts';
import { promote, references, template } from './promotion.ts';

const metadata = {
  name: 'web',
  namespace: 'shop',
  labels: { app: 'web' },
  uid: 'u',
  resourceVersion: '7',
  generation: 3,
  creationTimestamp: '2026-01-01T00:00:00Z',
  managedFields: [],
  ownerReferences: [{ apiVersion: 'v1', kind: 'X', name: 'x', uid: 'y' }],
  annotations: {
    'kubectl.kubernetes.io/last-applied-configuration': '{}',
    'deployment.kubernetes.io/revision': '4',
    team: 'blue',
  },
};

describe('A template of what runs in a member', () => {
  it('is the manifest without what the cluster added', () => {
    const spec = { replicas: 2 };
    const made = template({ apiVersion: 'apps/v1', kind: 'Deployment', metadata, spec, status: { replicas: 2 } });
    assert.deepEqual(made, {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'web', namespace: 'shop', labels: { app: 'web' }, annotations: { team: 'blue' } },
      spec,
    });
  });

  it('of a service leaves its addresses, which are of one cluster', () => {
    const spec = { clusterIP: '10.0.0.1', clusterIPs: ['10.0.0.1'], healthCheckNodePort: 1, type: 'ClusterIP' };
    const made = template({ apiVersion: 'v1', kind: 'Service', metadata: { name: 'web' }, spec });
    assert.deepEqual(made['spec'], { type: 'ClusterIP' });
    const other = template({ apiVersion: 'example.io/v1', kind: 'Widget', metadata: { name: 'web' }, spec });
    assert.deepEqual(other['spec'], spec);
  });
});

describe('What a workload cannot start without', () => {
  const named = (spec: unknown) =>
    references({ apiVersion: 'apps/v1', kind: 'Deployment', metadata, spec })
      .map(({ kind, name }) => `${kind.kind}/${name}`)
      .toSorted();

  it('are the config maps and secrets of its volumes, variables and registries, each once', () => {
    const spec = {
      template: {
        spec: {
          imagePullSecrets: [{ name: 'registry' }],
          volumes: [
            { name: 'a', configMap: { name: 'settings' } },
            { name: 'b', secret: { secretName: 'keys' } },
            { name: 'c', projected: { sources: [{ configMap: { name: 'extra' } }] } },
          ],
          containers: [
            {
              name: 'web',
              envFrom: [{ configMapRef: { name: 'settings' } }, { secretRef: { name: 'login' } }],
              env: [
                { name: 'X', valueFrom: { configMapKeyRef: { name: 'single', key: 'x' } } },
                { name: 'Y', valueFrom: { secretKeyRef: { name: 'keys', key: 'y' } } },
              ],
            },
          ],
        },
      },
    };
    assert.deepEqual(named(spec), [
      'ConfigMap/extra',
      'ConfigMap/settings',
      'ConfigMap/single',
      'Secret/keys',
      'Secret/login',
      'Secret/registry',
    ]);
  });

  it('are nothing when it refers to nothing, or to nothing by name', () => {
    assert.deepEqual(named(undefined), []);
    assert.deepEqual(named({ volumes: [{ configMap: {} }, { emptyDir: {} }] }), []);
  });

  it('is not what it may do without, unless something else needs it', () => {
    const env = (name: string, optional: boolean) => ({ configMapRef: { name, optional } });
    const containers = [{ name: 'a', envFrom: [env('extra', true), env('both', true), env('both', false)] }];
    const spec = {
      template: { spec: { containers, volumes: [{ name: 'v', secret: { secretName: 'maybe', optional: true } }] } },
    };
    const found = references({ apiVersion: 'apps/v1', kind: 'Deployment', metadata, spec });
    assert.deepEqual(
      found.filter(({ optional }) => optional).map(({ name }) => name),
      ['extra', 'maybe'],
    );
  });
});

describe('A promotion', () => {
  const container = { name: 'web', image: 'nginx:1.27', envFrom: [{ configMapRef: { name: 'settings' } }] };
  const labels = { app: 'web' };
  const spec = {
    selector: { matchLabels: labels },
    template: { metadata: { labels }, spec: { containers: [container] } },
  };

  /** An instance in which `refuses` stands for what changes between the question and the deed. */
  async function stage(t: TestContext, refuses: (resource: string, operation: string) => boolean) {
    const plugin: AdmissionPlugin = {
      name: 'refuses',
      handles: ({ gvr, operation }) => refuses(gvr.resource, operation),
      validate: async ({ gvr, dryRun }) => {
        if (!dryRun) throw new StatusError('Forbidden', `${gvr.resource} are full`);
      },
    };
    const servers = await Promise.all(
      [[], [plugin]].map((admission) => apiServer({ store: memoryStore(), admission })),
    );
    t.after(() => Promise.all(servers.map((server) => server.close())));
    const [member, control] = servers.map((server) => server.client()) as [KubeClient, KubeClient];
    await installCrds(control, karmadaCrds(), systemClock, t.signal);
    await member.create(NAMESPACE, { apiVersion: 'v1', kind: 'Namespace', metadata: { name: 'shop' } });
    const of = (name: string) => ({ name, namespace: 'shop' });
    await member.create(CONFIG_MAP, {
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: of('settings'),
      data: { a: '1' },
    });
    await member.create(DEPLOYMENT, { apiVersion: 'apps/v1', kind: 'Deployment', metadata: of('web'), spec });
    const deps = { clients: ({ cluster }: { cluster?: string }) => (cluster === undefined ? control : member) };
    const wish = { instance: 'demo', cluster: 'berlin', ...of('web'), kind: DEPLOYMENT };
    const context = { values: createContextValues().set(CALLER, { user: 'admin', groups: [] }), signal: t.signal };
    const names = async () =>
      (
        await Promise.all(
          [DEPLOYMENT, CONFIG_MAP, PROPAGATION_POLICY].map((kind) => control.list(kind, { namespace: 'shop' })),
        )
      ).flatMap(({ items }) => items.map(({ kind, metadata: { name } }) => `${kind}/${name}`));
    return { control, names, run: () => promote(deps as unknown as ServiceDeps, context, wish) };
  }

  it('leaves nothing in the instance when one of many is refused after all, and can be done again', async (t) => {
    let isFull = true;
    const { control, names, run } = await stage(
      t,
      (resource, what) => isFull && resource === 'configmaps' && what === 'CREATE',
    );
    await assert.rejects(run(), { reason: 'Forbidden', message: /configmaps are full/ });
    assert.deepEqual(await names(), []);
    isFull = false;
    await run();
    assert.deepEqual(await names(), ['Deployment/web', 'ConfigMap/settings', 'PropagationPolicy/web-deployment']);
    const policy = await control.get<PropagationPolicy>(PROPAGATION_POLICY, {
      namespace: 'shop',
      name: 'web-deployment',
    });
    assert.equal(policy.spec.preserveResourcesOnDeletion, undefined);
  });

  it('says what is left where it cannot be taken back either, and lets members keep what runs', async (t) => {
    const { control, names, run } = await stage(
      t,
      (resource, what) =>
        (resource === 'configmaps' && what === 'CREATE') || (resource === 'deployments' && what === 'DELETE'),
    );
    await assert.rejects(run(), {
      reason: 'InternalError',
      message:
        /configmaps are full; .* delete deployment\/web, propagationpolicy\/web-deployment in the instance\. What runs in the member stays/,
    });
    assert.deepEqual(await names(), ['Deployment/web', 'PropagationPolicy/web-deployment']);
    const policy = await control.get<PropagationPolicy>(PROPAGATION_POLICY, {
      namespace: 'shop',
      name: 'web-deployment',
    });
    assert.equal(policy.spec.preserveResourcesOnDeletion, true);
  });
});
