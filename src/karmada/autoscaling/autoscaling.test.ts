/** Autoscalers in a whole control plane with members that serve metrics, all in this process. */
import assert from 'node:assert/strict';
import { it, type TestContext } from 'node:test';
import { fakeClock } from '#base/clock.ts';
import { notFound } from '#base/status-error.ts';
import {
  CRON_FEDERATED_HPA,
  type CronFederatedHpa,
  FEDERATED_HPA,
  type FederatedHpa,
  PROPAGATION_POLICY,
  RESOURCE_BINDING,
  type ResourceBinding,
} from '#karmada/apis/index.ts';
import { CONTROLLERS, type ControllerName } from '#karmada/engine/index.ts';
import {
  appears,
  DEPLOYMENT,
  deployment,
  eventually,
  policy,
  register,
  startKarmada,
  testPlane,
} from '#karmada/engine/testing.ts';
import { type ApiExtension, staticTokens } from '#kube/apiserver/index.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import { controlPlane } from '#kube/control-plane/index.ts';
import { findCondition } from '#kube/meta/condition.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { memoryStore } from '#kube/store/index.ts';

const POD = { group: '', version: 'v1', resource: 'pods' };
const HPA = { group: 'autoscaling', version: 'v2', resource: 'horizontalpodautoscalers' };
const WEB = { namespace: 'default', name: 'web' };

interface Deployment extends KubeObject {
  readonly spec: { readonly replicas: number };
}

/** What the pods of all members use, in thousandths of a CPU; each member tells of its own. */
interface Load {
  millis: number;
  requests: number;
}

/** metrics.k8s.io for every pod of the member, and one custom metric. */
function metricsApi(client: () => KubeClient, load: Load): readonly ApiExtension[] {
  const timestamp = new Date().toISOString();
  async function pods() {
    return (await client().list(POD, { namespace: 'default' })).items.map(({ metadata }) => metadata.name);
  }
  const answer = (object: object) => ({ object });
  return [
    {
      group: 'metrics.k8s.io',
      version: 'v1beta1',
      resource: 'pods',
      kind: { kind: 'PodMetrics' },
      namespaced: true,
      verbs: ['get', 'list'],
      async serve() {
        const items = (await pods()).map((name) => ({
          metadata: { name, namespace: 'default' },
          timestamp,
          window: '15s',
          containers: [{ name: 'main', usage: { cpu: `${load.millis}m` } }],
        }));
        return answer({ kind: 'PodMetricsList', apiVersion: 'metrics.k8s.io/v1beta1', metadata: {}, items });
      },
    },
    {
      group: 'custom.metrics.k8s.io',
      version: 'v1beta1',
      resource: 'pods',
      subresource: 'requests',
      kind: { kind: 'MetricValueList' },
      namespaced: true,
      verbs: ['get'],
      async serve({ name }) {
        if (name !== '*') throw notFound('pods', name ?? '');
        const items = (await pods()).map((pod) => ({
          describedObject: { kind: 'Pod', name: pod },
          timestamp,
          value: String(load.requests),
        }));
        return answer({ kind: 'MetricValueList', apiVersion: 'custom.metrics.k8s.io/v1beta1', metadata: {}, items });
      },
    },
  ];
}

async function member(t: TestContext, load: Load | undefined) {
  const authenticators = [staticTokens({ engine: { name: 'engine', groups: ['system:masters'] } })];
  let client: KubeClient | undefined;
  const extensions = load ? metricsApi(() => client ?? assert.fail('too early'), load) : [];
  const server = await controlPlane({ store: memoryStore(), authenticators, extensions });
  t.after(() => server.close());
  client = server.client();
  const { url } = await server.listen({ port: 0 });
  return { client, url };
}

/** As the member's own controllers would: so many pods of `web`, up and ready for an hour. */
async function runPods(client: KubeClient, replicas: number): Promise<void> {
  const web = await appears<Deployment>(client, DEPLOYMENT, 'web', ({ spec }) => spec.replicas === replicas);
  const status = { observedGeneration: web.metadata.generation, replicas, readyReplicas: replicas };
  await client.update(DEPLOYMENT, { ...web, status }, { subresource: 'status' });
  const since = new Date(Date.now() - 3_600_000).toISOString();
  for (let at = 0; at < replicas; at++) {
    const metadata = { namespace: 'default', name: `web-${at}`, labels: { app: 'web' } };
    const resources = { requests: { cpu: '100m' } };
    const spec = { containers: [{ name: 'main', image: 'nginx', resources }] };
    const known = await client.get(POD, metadata).catch(() => undefined);
    const pod = known ?? (await client.create(POD, { apiVersion: 'v1', kind: 'Pod', metadata, spec }));
    const ready = { type: 'Ready', status: 'True', lastTransitionTime: since };
    const running = { phase: 'Running', startTime: since, conditions: [ready] };
    await client.update(POD, { ...pod, status: running }, { subresource: 'status' });
  }
}

function autoscaler(spec: Partial<FederatedHpa['spec']> = {}): FederatedHpa {
  return {
    apiVersion: FEDERATED_HPA.apiVersion,
    kind: 'FederatedHPA',
    metadata: { ...WEB },
    spec: { scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }, maxReplicas: 10, ...spec },
  };
}

const conditionIs =
  (type: string, reason: string) =>
  ({ status }: FederatedHpa) =>
    findCondition(status?.conditions, type)?.reason === reason;

/** Two members with two replicas each. */
async function plane(t: TestContext, loads: readonly (Load | undefined)[]) {
  const { client } = await testPlane(t, [], {
    engine: {
      autoscaling: { syncPeriodMs: 20, downscaleStabilizationMs: 0 },
      clusterStatus: { everyMs: 20, thresholds: { successMs: 0, failureMs: 0 } },
    },
  });
  const members = await Promise.all(loads.map((load) => member(t, load)));
  for (const [at, { url }] of members.entries()) await register(client, `m${at + 1}`, url);
  const replicaScheduling = { replicaSchedulingType: 'Divided', replicaDivisionPreference: 'Weighted' } as const;
  await client.create(PROPAGATION_POLICY, policy('p', { placement: { replicaScheduling } }));
  await client.create(DEPLOYMENT, deployment('web', 2 * members.length));
  await Promise.all(members.map((one) => runPods(one.client, 2)));
  return { client, members: members.map((one) => one.client) };
}

it('a workload grows and shrinks with what its pods use in all members together', async (t) => {
  const loads = [
    { millis: 50, requests: 0 },
    { millis: 50, requests: 0 },
  ];
  const { client, members } = await plane(t, loads);
  await client.create(FEDERATED_HPA, autoscaler({ minReplicas: 2 }));
  const made = await appears<FederatedHpa>(
    client,
    FEDERATED_HPA,
    'web',
    conditionIs('ScalingActive', 'ValidMetricFound'),
  );
  assert.deepEqual(made.spec.metrics, [
    { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } } },
  ]);
  // Half of what they asked for in one member, twice that in the other: more than 80 % of all.
  for (const [at, load] of loads.entries()) load.millis = at === 0 ? 100 : 200;
  await appears<Deployment>(client, DEPLOYMENT, 'web', ({ spec }) => spec.replicas === 8);
  const { status } = await appears<FederatedHpa>(
    client,
    FEDERATED_HPA,
    'web',
    ({ status: each }) => each?.desiredReplicas === 8,
  );
  assert.deepEqual(status?.currentMetrics, [
    { type: 'Resource', resource: { name: 'cpu', current: { averageUtilization: 150, averageValue: '150m' } } },
  ]);
  assert.ok(status?.lastScaleTime);
  for (const load of loads) load.millis = 10;
  await Promise.all(members.map((one) => runPods(one, 4)));
  await appears<Deployment>(client, DEPLOYMENT, 'web', ({ spec }) => spec.replicas === 2);
});

it('metrics of pods come from the custom metrics API, and members without it are named', async (t) => {
  const { client } = await plane(t, [{ millis: 0, requests: 30 }, undefined]);
  const target = { type: 'AverageValue', averageValue: '10' };
  await client.create(
    FEDERATED_HPA,
    autoscaler({ metrics: [{ type: 'Pods', pods: { metric: { name: 'requests' }, target } }] }),
  );
  await appears<Deployment>(client, DEPLOYMENT, 'web', ({ spec }) => spec.replicas > 4);
  const hpa = await client.get<FederatedHpa>(FEDERATED_HPA, WEB);
  assert.match(
    findCondition(hpa.status?.conditions, 'ScalingActive')?.message ?? '',
    /from pods metric requests, without cluster m2: does not serve it from custom\.metrics\.k8s\.io/,
  );
});

it('says what it lacks, and changes nothing', async (t) => {
  const { client } = await plane(t, [undefined]);
  await client.create(FEDERATED_HPA, autoscaler());
  const hpa = await appears<FederatedHpa>(
    client,
    FEDERATED_HPA,
    'web',
    conditionIs('ScalingActive', 'FailedGetResourceMetric'),
  );
  assert.match(
    findCondition(hpa.status?.conditions, 'ScalingActive')?.message ?? '',
    /^the HPA was unable to compute the replica count: failed to get cpu utilization: unable to get metrics for resource cpu: unable to fetch metrics from resource metrics API: cluster m1: does not serve it from metrics\.k8s\.io/,
  );
  assert.equal(hpa.status?.currentReplicas, 2);
  const missing = autoscaler({ scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'gone' } });
  await client.create(FEDERATED_HPA, { ...missing, metadata: { ...WEB, name: 'gone' } });
  const lost = await appears<FederatedHpa>(
    client,
    FEDERATED_HPA,
    'gone',
    conditionIs('AbleToScale', 'FailedGetScaleTargetRef'),
  );
  assert.equal(
    findCondition(lost.status?.conditions, 'AbleToScale')?.message,
    'the HPA controller was unable to get the target reference object: deployments.apps "gone" not found',
  );
  const bad = { ...autoscaler({ maxReplicas: 0 }), metadata: { ...WEB, name: 'bad' } };
  await assert.rejects(client.create(FEDERATED_HPA, bad), /admission webhook "federatedhpa.karmada.io" denied/);
});

/** Only these controllers, with a clock turned by hand. */
async function alone(t: TestContext, ...only: readonly ControllerName[]) {
  const clock = fakeClock(Date.UTC(2026, 0, 1, 7, 59, 50));
  const disabled = CONTROLLERS.filter((name) => !only.includes(name));
  const engine = { disabled, enabled: only, autoscaling: { timeZone: 'UTC' } };
  const { client } = await startKarmada(t, memoryStore(), { clock, engine });
  return { client, clock };
}

it('rules run when they are due, on workloads and on autoscalers, and tell what came of it', async (t) => {
  const { client, clock } = await alone(t, 'cronFederatedHorizontalPodAutoscaler');
  const cron = (
    name: string,
    scaleTargetRef: FederatedHpa['spec']['scaleTargetRef'],
    rule: object,
  ): CronFederatedHpa => ({
    apiVersion: CRON_FEDERATED_HPA.apiVersion,
    kind: 'CronFederatedHPA',
    metadata: { namespace: 'default', name },
    spec: { scaleTargetRef, rules: [{ name: 'morning', schedule: '0 8 * * *', ...rule }] },
  });
  const web = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' };
  const hpa = { apiVersion: FEDERATED_HPA.apiVersion, kind: 'FederatedHPA', name: 'web' };
  await client.create(DEPLOYMENT, deployment('web', 1));
  await client.create(FEDERATED_HPA, autoscaler());
  await client.create(CRON_FEDERATED_HPA, cron('replicas', web, { targetReplicas: 5 }));
  await client.create(CRON_FEDERATED_HPA, cron('bounds', hpa, { targetMinReplicas: 2, targetMaxReplicas: 9 }));
  await client.create(CRON_FEDERATED_HPA, cron('missing', { ...web, name: 'gone' }, { targetReplicas: 5 }));
  await client.create(CRON_FEDERATED_HPA, cron('asleep', web, { targetReplicas: 7, suspend: true }));
  const history = async (name: string) => {
    const { status } = await client.get<CronFederatedHpa>(CRON_FEDERATED_HPA, { namespace: 'default', name });
    return status?.executionHistories?.[0];
  };
  await eventually(async () => {
    const all = await Promise.all(['replicas', 'bounds', 'missing'].map(history));
    return all.every((each) => each?.nextExecutionTime === '2026-01-01T08:00:00Z');
  }, 'the plans');
  await clock.advance(10_000);
  const done = await eventually(async () => {
    const one = await history('replicas');
    return one?.successfulExecutions && one;
  }, 'the execution');
  assert.deepEqual(done, {
    ruleName: 'morning',
    nextExecutionTime: '2026-01-02T08:00:00Z',
    successfulExecutions: [
      { scheduleTime: '2026-01-01T08:00:00Z', executionTime: '2026-01-01T08:00:00Z', appliedReplicas: 5 },
    ],
  });
  assert.equal((await client.get<Deployment>(DEPLOYMENT, WEB)).spec.replicas, 5);
  await appears<FederatedHpa>(
    client,
    FEDERATED_HPA,
    'web',
    ({ spec }) => spec.minReplicas === 2 && spec.maxReplicas === 9,
  );
  const failed = await eventually(async () => (await history('missing'))?.failedExecutions?.[0], 'the failure');
  assert.equal(failed.message, 'deployments.apps "gone" not found');
  assert.deepEqual(await history('asleep'), { ruleName: 'morning' });
  const refused = cron('bad', web, { schedule: 'whenever', timeZone: 'Mars/Crater' });
  await assert.rejects(
    client.create(CRON_FEDERATED_HPA, refused),
    /spec\.rules\[0\]\.schedule: Invalid value: "whenever": invalid cron format.*timeZone.*targetReplicas cannot be nil/s,
  );
});

it('what a propagated autoscaler scales keeps the replicas that members choose', async (t) => {
  const { client, clock } = await alone(t, 'hpaScaleTargetMarker', 'deploymentReplicasSyncer');
  const made = await client.create(DEPLOYMENT, deployment('web', 2));
  const labels = { 'propagationpolicy.karmada.io/permanent-id': 'p' };
  const scaleTargetRef = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' };
  const metadata = { ...WEB, labels };
  const spec = { scaleTargetRef, maxReplicas: 9 };
  await client.create(HPA, { apiVersion: 'autoscaling/v2', kind: 'HorizontalPodAutoscaler', metadata, spec });
  const LABEL = 'resourcetemplate.karmada.io/retain-replicas';
  const marked = await appears<Deployment>(
    client,
    DEPLOYMENT,
    'web',
    (each) => each.metadata.labels?.[LABEL] === 'true',
  );
  const binding = await client.create<ResourceBinding>(RESOURCE_BINDING, {
    apiVersion: RESOURCE_BINDING.apiVersion,
    kind: 'ResourceBinding',
    metadata: { namespace: 'default', name: 'web-deployment' },
    spec: {
      resource: { apiVersion: 'apps/v1', kind: 'Deployment', ...WEB, uid: made.metadata.uid ?? '' },
      replicas: 2,
      clusters: [{ name: 'm1', replicas: 2 }],
      placement: { replicaScheduling: { replicaSchedulingType: 'Divided' } },
    },
  });
  const reported = {
    schedulerObservedGeneration: 1,
    aggregatedStatus: [{ clusterName: 'm1', status: { replicas: 6 } }],
  };
  await client.update(RESOURCE_BINDING, { ...binding, status: reported }, { subresource: 'status' });
  await client.update(DEPLOYMENT, { ...marked, status: { replicas: 6 } }, { subresource: 'status' });
  await eventually(async () => {
    await clock.advance(1_000);
    return (await client.get<Deployment>(DEPLOYMENT, WEB)).spec.replicas === 6;
  }, 'the replicas of the members');
  await client.delete(HPA, WEB);
  await appears(client, DEPLOYMENT, 'web', (each) => each.metadata.labels?.[LABEL] === undefined);
});
