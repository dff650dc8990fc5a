/** Scheduling by priority: who matters most is placed first. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { systemClock } from '#base/clock.ts';
import { silentLog } from '#base/log.ts';
import { PROPAGATION_POLICY, RESOURCE_BINDING, type ResourceBinding } from '#karmada/apis/index.ts';
import { eventRecorders } from '#karmada/events/index.ts';
import { schedulerController } from '#karmada/scheduler/scheduler-controller.ts';
import { informers as informersOf, manager } from '#kube/runtime/index.ts';
import { appears, CONFIG_MAP, configMap, policy, testPlane } from './testing.ts';

const PRIORITY_CLASS = { group: 'scheduling.k8s.io', version: 'v1', resource: 'priorityclasses' };
const CLASSES = { vital: 1_000, ordinary: 0, spare: -10 } as const;

it('of bindings that wait, those of a higher PriorityClass are scheduled first', async (t) => {
  const { client } = await testPlane(t, ['m1'], { engine: { disabled: ['scheduler'] } });
  for (const [name, value] of Object.entries(CLASSES)) {
    const priorityClass = { apiVersion: 'scheduling.k8s.io/v1', kind: 'PriorityClass', metadata: { name }, value };
    await client.create(PRIORITY_CLASS, priorityClass);
    const schedulePriority = { priorityClassSource: 'KubePriorityClass', priorityClassName: name } as const;
    const resourceSelectors = [{ apiVersion: 'v1', kind: 'ConfigMap', name: `${name}-1` }];
    resourceSelectors.push({ apiVersion: 'v1', kind: 'ConfigMap', name: `${name}-2` });
    await client.create(PROPAGATION_POLICY, policy(name, { schedulePriority, resourceSelectors, placement: {} }));
  }
  const names = ['spare-1', 'ordinary-1', 'vital-1', 'spare-2', 'ordinary-2', 'vital-2'];
  for (const name of names) {
    await client.create(CONFIG_MAP, configMap(name));
    const binding = await appears<ResourceBinding>(client, RESOURCE_BINDING, `${name}-configmap`);
    const className = name.slice(0, -2) as keyof typeof CLASSES;
    assert.equal(binding.spec.schedulePriority?.priority, CLASSES[className]);
  }

  const order: string[] = [];
  const stopping = new AbortController();
  const log = silentLog;
  const informers = informersOf(client, { signal: stopping.signal, clock: systemClock, log });
  const events = eventRecorders({ client, clock: systemClock, log }).of('default-scheduler');
  const decisions = {
    record: ({ resource }: { resource: { name: string } }) => void order.push(resource.name),
    forget: () => undefined,
  };
  const scheduler = schedulerController({ client, informers, events, decisions, clock: systemClock });
  const ended = manager({ client, informers, controllers: [scheduler] }).start(stopping.signal);
  t.after(async () => {
    stopping.abort();
    await ended;
  });
  const isPlaced = ({ spec }: ResourceBinding) => spec.clusters?.length === 1;
  for (const name of names) await appears(client, RESOURCE_BINDING, `${name}-configmap`, isPlaced);
  const classes = order.slice(0, names.length).map((name) => name.slice(0, -2));
  assert.deepEqual(classes, ['vital', 'vital', 'ordinary', 'ordinary', 'spare', 'spare']);
});
