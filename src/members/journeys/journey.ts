/** For tests: a whole simulated cluster whose time flies, and a way to wait for what becomes of it. */
import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import type { CoreV1Event, Pod } from '#gen/kube/types.ts';
import { jsonLog } from '#base/log.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import type { Gvr } from '#kube/meta/gvk.ts';
import { type KubeObject, parseKey } from '#kube/meta/object.ts';
import { memoryStore } from '#kube/store/index.ts';
import { memberCluster, type MemberOptions } from '../member.ts';
import { PODS } from '../resources.ts';

export interface Journey {
  readonly client: KubeClient;
  /** Follows the object until it is as wanted; a watch, so no time is lost and none is assumed. */
  readonly until: <T extends KubeObject>(gvr: Gvr, key: string, is: (object: T) => boolean) => Promise<T>;
  readonly untilGone: (gvr: Gvr, key: string) => Promise<void>;
  readonly patch: (gvr: Gvr, key: string, body: object) => Promise<void>;
  readonly pods: (labelSelector?: string) => Promise<readonly Pod[]>;
  /** The reasons of an object's events, in order, once one of them is `last`. */
  readonly events: (name: string, last: string) => Promise<readonly string[]>;
  /** Resolves when nothing is written any more; a controller that never comes to rest is a failure. */
  readonly settles: () => Promise<void>;
}

export async function journey(t: TestContext, options: Partial<MemberOptions> = {}): Promise<Journey> {
  const nodes = { count: 3, cpu: '4', memory: '8Gi', region: 'r1', zone: 'z1', ...options.nodes };
  const noise: string[] = [];
  const log = jsonLog((line) => noise.push(line), 'warn');
  const member = await memberCluster({ store: memoryStore(), name: 'm1', speed: 150, log, ...options, nodes });
  t.after(() => member.close());
  // What a controller could not do is a failure of the test that saw it.
  t.after(() => assert.deepEqual(noise, []));
  const client = member.client();

  async function until<T extends KubeObject>(gvr: Gvr, key: string, is: (object: T) => boolean): Promise<T> {
    const { namespace, name } = parseKey(key);
    const stop = new AbortController();
    const watch = client.watch<T>(gvr, {
      ...(namespace === undefined ? {} : { namespace }),
      fieldSelector: `metadata.name=${name}`,
      signal: stop.signal,
    });
    for await (const { type, object } of watch) if (type !== 'DELETED' && is(object)) return object;
    throw new Error(`the watch of ${key} ended`);
  }

  const EVENTS = { group: '', version: 'v1', resource: 'events' };
  return {
    client,
    until,
    async untilGone(gvr, key) {
      const { namespace, name } = parseKey(key);
      const found = await client.list(gvr, {
        ...(namespace === undefined ? {} : { namespace }),
        fieldSelector: `metadata.name=${name}`,
      });
      if (found.items.length === 0) return;
      const stop = new AbortController();
      const { resourceVersion } = found.metadata;
      const scope = { ...(namespace === undefined ? {} : { namespace }), fieldSelector: `metadata.name=${name}` };
      for await (const { type } of client.watch(gvr, { ...scope, resourceVersion, signal: stop.signal })) {
        if (type === 'DELETED') return;
      }
    },
    async patch(gvr, key, body) {
      await client.patch(gvr, parseKey(key), { type: 'merge', body });
    },
    async pods(labelSelector) {
      const { items } = await client.list<Pod>(PODS, labelSelector ? { labelSelector } : {});
      return items.filter(({ metadata }) => metadata.deletionTimestamp === undefined);
    },
    async events(name, last) {
      const about = `involvedObject.name=${name}`;
      const stop = new AbortController();
      for await (const { object } of client.watch<CoreV1Event>(EVENTS, { fieldSelector: about, signal: stop.signal })) {
        if (object.reason === last) break;
      }
      const { items } = await client.list<CoreV1Event>(EVENTS, { fieldSelector: about });
      return items
        .toSorted((a, b) => Number(a.metadata.resourceVersion) - Number(b.metadata.resourceVersion))
        .map(({ reason }) => reason ?? '');
    },
    async settles() {
      const revision = async () => (await client.list(PODS)).metadata.resourceVersion;
      for (let looks = 0; looks < 30; looks++) {
        const before = await revision();
        await new Promise((resolve) => setTimeout(resolve, 100));
        if ((await revision()) === before) return;
      }
      assert.fail('something is written all the time');
    },
  };
}

/** What the template of any workload may look like. */
export const template = (image = 'web:1', more: { spec?: object; annotations?: object } = {}) => ({
  metadata: { labels: { app: 'web' }, ...(more.annotations ? { annotations: more.annotations } : {}) },
  spec: { containers: [{ name: 'web', image }], ...more.spec },
});

export const selector = { matchLabels: { app: 'web' } };

export function object(apiVersion: string, kind: string, name: string, spec: object): KubeObject {
  return { apiVersion, kind, metadata: { name, namespace: 'default' }, spec };
}
