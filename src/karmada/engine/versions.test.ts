/** Members of other Kubernetes releases: what they serve in another version is converted, or the reason is told. */
import assert from 'node:assert/strict';
import { createServer, type IncomingMessage, type ServerResponse, request as ask } from 'node:http';
import { createInterface } from 'node:readline';
import { describe, it } from 'node:test';
import {
  CLUSTER,
  type Cluster,
  PROPAGATION_POLICY,
  RESOURCE_BINDING,
  type ResourceBinding,
  type Work,
  WORK,
} from '#karmada/apis/index.ts';
import { httpClient } from '#kube/client/http-client.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import type { Gvr } from '#kube/meta/gvk.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { appears, type Ending, eventually, find, policy, register, startMember, testPlane } from './testing.ts';

const BUDGET: Gvr = { group: 'policy', version: 'v1', resource: 'poddisruptionbudgets' };
const OLD_BUDGET: Gvr = { ...BUDGET, version: 'v1beta1' };
const CRD: Gvr = { group: 'apiextensions.k8s.io', version: 'v1', resource: 'customresourcedefinitions' };
const WIDGET: Gvr = { group: 'example.com', version: 'v2', resource: 'widgets' };

interface Budget extends KubeObject {
  readonly spec: { readonly minAvailable?: number };
  readonly status?: { readonly disruptionsAllowed?: number };
}

/** A member as of Kubernetes 1.20: it knows `policy/v1beta1` and nothing of `policy/v1`. */
async function olderMember(t: Ending): Promise<{ readonly url: string; readonly client: KubeClient }> {
  const { url: newer } = await startMember(t);
  const aged = (text: string) => text.replaceAll('"policy/v1"', '"policy/v1beta1"');
  const relay = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const body = await Array.fromAsync(incoming as AsyncIterable<Buffer>);
    const path = (incoming.url ?? '').replace('/apis/policy/v1beta1', '/apis/policy/v1');
    const sent = Buffer.concat(body).toString().replaceAll('"policy/v1beta1"', '"policy/v1"');
    const { 'content-length': _length, host: _host, 'accept-encoding': _encoding, ...headers } = incoming.headers;
    const outer = ask(`${newer}${path}`, { method: incoming.method, headers }, (answer) => {
      const { 'content-length': _size, etag: _tag, ...answered } = answer.headers;
      outgoing.writeHead(answer.statusCode ?? 500, answered);
      outgoing.flushHeaders();
      const lines = createInterface({ input: answer });
      const discovers = incoming.url?.startsWith('/apis?') || incoming.url === '/apis';
      lines.on('line', (line) => void outgoing.write(`${discovers ? agedDiscovery(line) : aged(line)}\n`));
      lines.on('close', () => outgoing.end());
      lines.on('error', () => outgoing.destroy());
    });
    outer.on('error', () => outgoing.destroy());
    outgoing.on('close', () => outer.destroy());
    outer.end(sent);
  };
  const server = createServer((incoming, outgoing) => void relay(incoming, outgoing).catch(() => outgoing.destroy()));
  t.after(() => server.close());
  t.after(() => server.closeAllConnections());
  const port = await new Promise<number>((done) => {
    server.listen(0, '127.0.0.1', () => done((server.address() as { port: number }).port));
  });
  const url = `http://127.0.0.1:${port}`;
  const client = httpClient({ server: url, token: 'engine' });
  t.after(() => client.close());
  return { url, client };
}

function agedDiscovery(line: string): string {
  const list = JSON.parse(line) as { items: { metadata: { name?: string }; versions: { version: string }[] }[] };
  for (const { metadata, versions } of list.items) {
    if (metadata.name === 'policy') for (const each of versions) each.version = 'v1beta1';
  }
  return JSON.stringify(list);
}

const budget = (name: string, selector: object): KubeObject => ({
  apiVersion: 'policy/v1',
  kind: 'PodDisruptionBudget',
  metadata: { name, namespace: 'default' },
  spec: { minAvailable: 1, selector },
});

const toAll = (apiVersion: string, kind: string) =>
  policy('p', { resourceSelectors: [{ apiVersion, kind }], placement: {} });

describe('R78: a member that serves an older version', { concurrency: true }, () => {
  it('gets the template converted, reports its status, is repaired and cleared', async (t) => {
    const plane = await testPlane(t, []);
    const member = await olderMember(t);
    await register(plane.client, 'old', member.url);
    await plane.client.create(PROPAGATION_POLICY, toAll('policy/v1', 'PodDisruptionBudget'));
    await plane.client.create(BUDGET, budget('a', { matchLabels: { app: 'a' } }));
    const made = await appears<Budget>(member.client, OLD_BUDGET, 'a');
    assert.deepEqual([made.apiVersion, made.spec.minAvailable], ['policy/v1beta1', 1]);
    await member.client.update(OLD_BUDGET, { ...made, spec: { ...made.spec, minAvailable: 7 } });
    await appears<Budget>(member.client, OLD_BUDGET, 'a', ({ spec }) => spec.minAvailable === 1);
    const patch = { type: 'merge', body: { status: { disruptionsAllowed: 3 } } } as const;
    await member.client.patch(OLD_BUDGET, made.metadata, patch, { subresource: 'status' });
    await appears<Budget>(plane.client, BUDGET, 'a', ({ status }) => status?.disruptionsAllowed === 3);
    await plane.client.delete(BUDGET, made.metadata);
    await eventually(async () => !(await find(member.client, OLD_BUDGET, made.metadata)), 'the budget to go');
  });

  it('is not given what would mean something else there, and the Work says so', async (t) => {
    const plane = await testPlane(t, []);
    const member = await olderMember(t);
    await register(plane.client, 'old', member.url);
    await plane.client.create(PROPAGATION_POLICY, toAll('policy/v1', 'PodDisruptionBudget'));
    await plane.client.create(BUDGET, budget('all', {}));
    const message = await eventually(async () => {
      const { items } = await plane.client.list<Work>(WORK, { namespace: 'karmada-es-old' });
      const work = items.find(({ metadata }) => metadata.name.startsWith('all-'));
      return work?.status?.conditions?.find(({ type, status }) => type === 'Applied' && status === 'False')?.message;
    }, 'the Work to be refused');
    assert.match(message, /cannot be converted from policy\/v1 to policy\/v1beta1: spec.selector is empty/);
    await appears<ResourceBinding>(plane.client, RESOURCE_BINDING, 'all-poddisruptionbudget', ({ status }) =>
      /cannot be converted/.test(status?.aggregatedStatus?.[0]?.appliedMessage ?? ''),
    );
    assert.equal(await find(member.client, OLD_BUDGET, { namespace: 'default', name: 'all' }), undefined);
  });
});

describe('R78: a kind that a member has in a version nothing can be converted to', () => {
  const definition = (version: string) => ({
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.example.com' },
    spec: {
      group: 'example.com',
      scope: 'Namespaced',
      names: { plural: 'widgets', singular: 'widget', kind: 'Widget' },
      versions: [
        {
          name: version,
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', 'x-kubernetes-preserve-unknown-fields': true } },
        },
      ],
    },
  });

  it('is not scheduled there, and why is in the explanation', async (t) => {
    const plane = await testPlane(t, [], { engine: { clusterStatus: { everyMs: 20 } } });
    const member = await startMember(t);
    await member.client.create(CRD, definition('v1'));
    await register(plane.client, 'm1', member.url);
    await appears<Cluster>(plane.client, CLUSTER, { name: 'm1' }, ({ status }) =>
      (status?.apiEnablements ?? []).some(({ groupVersion }) => groupVersion === 'example.com/v1'),
    );
    await plane.client.create(CRD, definition('v2'));
    await plane.client.create(PROPAGATION_POLICY, toAll('example.com/v2', 'Widget'));
    const widget = { apiVersion: 'example.com/v2', kind: 'Widget', metadata: { name: 'w', namespace: 'default' } };
    await eventually(() => plane.client.create(WIDGET, widget), 'widgets to be served');
    const isDecided = ({ status }: ResourceBinding) => status?.conditions !== undefined;
    const binding = await appears<ResourceBinding>(plane.client, RESOURCE_BINDING, 'w-widget', isDecided);
    assert.match(binding.status?.conditions?.[0]?.message ?? '', /1 cluster\(s\) did not have the API resource/);
    const explanation = plane.karmada.engine.decisions.of('default/w-widget')[0];
    assert.equal(
      explanation?.attempts.at(-1)?.clusters[0]?.reason,
      'example.com/v2 Widget is not served, only example.com/v1, and no conversion is known',
    );
  });
});
