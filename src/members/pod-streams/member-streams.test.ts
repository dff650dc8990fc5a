import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Pod } from '#gen/kube/types.ts';
import { staticTokens } from '#kube/apiserver/index.ts';
import { call } from '#kube/apiserver/testing.ts';
import { memoryStore } from '#kube/store/index.ts';
import { memberCluster } from '../member.ts';
import { PODS } from '../resources.ts';

describe('a pod of a simulated cluster', { timeout: 120_000 }, () => {
  it('that crashes tells of its life before, and of the one it has', async (t) => {
    const member = await memberCluster({
      store: memoryStore(),
      name: 'm1',
      nodes: { count: 1, cpu: '4', memory: '8Gi' },
      speed: 50,
      authenticators: [staticTokens({ admin: { name: 'admin', uid: 'u', groups: ['system:masters'] } })],
    });
    t.after(() => member.close());
    const { url } = await member.listen();
    const client = member.client();
    await client.create<Pod>(PODS, {
      apiVersion: 'v1',
      kind: 'Pod',
      metadata: {
        name: 'web',
        namespace: 'default',
        annotations: { 'members.kairship.io/fail': 'CrashLoopBackOff', 'members.kairship.io/run': '2s' },
      },
      spec: { containers: [{ name: 'main', image: 'app:1' }] },
    });
    const stop = new AbortController();
    for await (const { object } of client.watch<Pod>(PODS, { namespace: 'default', signal: stop.signal })) {
      const { state, lastState } = object.status?.containerStatuses?.[0] ?? {};
      if (lastState?.terminated && state?.running) break;
    }
    const log = '/api/v1/namespaces/default/pods/web/log';
    const [now, before] = [await call(url, 'GET', log), await call(url, 'GET', `${log}?previous=true`)];
    assert.match(now.text, /^starting main from app:1 in default\/web on m1-\S+\n/);
    assert.match(before.text, /^starting main [^\n]*\n(.*\n)*main ended with exit code 1 \(Error\)\n$/);
  });
});
