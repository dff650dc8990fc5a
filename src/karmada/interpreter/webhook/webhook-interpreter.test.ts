import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage } from 'node:http';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { fakeClock } from '#base/clock.ts';
import { countingIds } from '#base/ids.ts';
import type { ResourceInterpreterWebhook, ResourceInterpreterWebhookConfiguration } from '#karmada/apis/index.ts';
import { createCa } from '#kube/pki/index.ts';
import { object, statuses } from '../testing.ts';
import type { FindService } from './hook-address.ts';
import { hookClient } from './hook-client.ts';
import { hookFor, hooksOf } from './hooks.ts';
import { webhookInterpreter } from './webhook-interpreter.ts';

const workload = object('workload.example.io/v1', 'Workload', { spec: { replicas: 2, paused: false } });
const ALL = { operations: ['*'], apiGroups: ['workload.example.io'], apiVersions: ['v1'], kinds: ['Workload'] };

function configuration(name: string, ...webhooks: readonly ResourceInterpreterWebhook[]) {
  const meta = { apiVersion: 'config.karmada.io/v1alpha1', metadata: { name } };
  const kind = 'ResourceInterpreterWebhookConfiguration';
  return { ...meta, kind, webhooks } satisfies ResourceInterpreterWebhookConfiguration;
}

/** A webhook server; `respond` makes the response of a request, or another body altogether. */
interface Stub {
  readonly server: Server;
  readonly requests: { readonly path: string; readonly body: Record<string, unknown> }[];
  respond: (request: Record<string, unknown>) => unknown;
  port(): number;
  ca: string;
}

async function stub(): Promise<Stub> {
  const ca = await createCa({ commonName: 'test' });
  const names = { dnsNames: ['hook.default.svc'], ips: ['127.0.0.1'] };
  const pair = await ca.issue({ commonName: 'hook', ...names, usages: ['server'], days: 1 });
  const server = createServer({ cert: pair.cert, key: pair.key }, (request, response) => {
    void bodyOf(request).then((body) => {
      made.requests.push({ path: request.url ?? '', body });
      const answer = made.respond(body['request'] as Record<string, unknown>);
      if (answer === undefined) return;
      response.writeHead(typeof answer === 'number' ? answer : 200, { 'content-type': 'application/json' });
      response.end(typeof answer === 'string' ? answer : JSON.stringify(answer));
    });
  });
  const made: Stub = {
    server,
    requests: [],
    respond: () => ({}),
    port: () => (server.address() as AddressInfo).port,
    ca: Buffer.from(ca.cert).toString('base64'),
  };
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return made;
}

async function bodyOf(request: IncomingMessage): Promise<Record<string, unknown>> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return JSON.parse(text) as Record<string, unknown>;
}

describe('the webhook that is asked', () => {
  const hook = (name: string, rules: Partial<typeof ALL>): ResourceInterpreterWebhook => ({
    name,
    clientConfig: { url: 'https://x' },
    rules: [{ ...ALL, ...rules }],
    interpreterContextVersions: ['v1alpha1'],
  });
  const kind = { group: 'workload.example.io', version: 'v1', kind: 'Workload' };
  const asked = (...configurations: readonly ResourceInterpreterWebhookConfiguration[]) =>
    hookFor(hooksOf(configurations), kind, 'Retain')?.uid;

  const cases: [because: string, found: string | undefined, wanted: string | undefined][] = [
    ['is one whose rules name everything', asked(configuration('a', hook('h', {}))), 'a/h'],
    ['may name the operation', asked(configuration('a', hook('h', { operations: ['Retain'] }))), 'a/h'],
    [
      'is not one for other operations',
      asked(configuration('a', hook('h', { operations: ['ReviseReplica'] }))),
      undefined,
    ],
    ['is not one for other groups', asked(configuration('a', hook('h', { apiGroups: ['apps'] }))), undefined],
    ['is not one for other versions', asked(configuration('a', hook('h', { apiVersions: ['v2'] }))), undefined],
    ['is not one for other kinds', asked(configuration('a', hook('h', { kinds: ['Other'] }))), undefined],
    ['may be one for any kind', asked(configuration('a', hook('h', { kinds: ['*'], apiGroups: ['*'] }))), 'a/h'],
    [
      'is the first by the names of configuration and webhook',
      asked(configuration('b', hook('a', {})), configuration('a', hook('z', {}), hook('c', {}))),
      'a/c',
    ],
  ];
  for (const [because, found, wanted] of cases) it(because, () => assert.equal(found, wanted));
});

describe('a webhook', () => {
  let remote: Stub;
  before(async () => (remote = await stub()));
  after(() => remote.server.close());

  const noService: FindService = () => Promise.resolve(undefined);

  function interpreter(
    changes: Partial<ResourceInterpreterWebhook> = {},
    findService = noService,
    clock = fakeClock(),
  ) {
    const webhook: ResourceInterpreterWebhook = {
      name: 'hook',
      clientConfig: { url: `https://127.0.0.1:${remote.port()}/interpret`, caBundle: remote.ca },
      rules: [ALL],
      interpreterContextVersions: ['v1alpha1'],
      ...changes,
    };
    const client = hookClient({ findService, clock, ids: countingIds() });
    after(() => client.close());
    return webhookInterpreter(() => hooksOf([configuration('config', webhook)]), client);
  }

  /** Answers every request with these fields. */
  function answering(fields: Record<string, unknown>): void {
    remote.respond = ({ uid }) => ({ response: { uid, successful: true, ...fields } });
  }

  const patch = (...operations: readonly unknown[]) => ({
    patchType: 'JSONPatch',
    patch: Buffer.from(JSON.stringify(operations)).toString('base64'),
  });

  it('is sent the object and what is asked about it', async () => {
    answering({ replicas: 2 });
    await interpreter().replicas(workload);
    assert.deepEqual(remote.requests.at(-1), {
      path: '/interpret?timeout=10s',
      body: {
        apiVersion: 'config.karmada.io/v1alpha1',
        kind: 'ResourceInterpreterContext',
        request: {
          uid: '00000000-0000-4000-8000-000000000001',
          kind: { group: 'workload.example.io', version: 'v1', kind: 'Workload' },
          name: 'x',
          namespace: 'default',
          operation: 'InterpretReplica',
          object: workload,
          replicas: 0,
        },
      },
    });
  });

  it('is sent the member object, the replicas or the statuses where they matter', async () => {
    answering({});
    const observed = { ...workload, spec: { replicas: 5 } };
    await interpreter().retain(workload, observed);
    const sent = () => remote.requests.at(-1)?.body['request'] as Record<string, unknown>;
    assert.deepEqual(sent()['observedObject'], observed);
    await interpreter().reviseReplica(workload, 7);
    assert.equal(sent()['replicas'], 7);
    await interpreter().aggregateStatus(workload, statuses({ ready: 1 }));
    assert.deepEqual(sent()['aggregatedStatus'], [{ clusterName: 'm1', status: { ready: 1 } }]);
  });

  it('tells replicas and what each needs', async () => {
    answering({ replicas: 3, replicaRequirements: { resourceRequest: { cpu: '1000m' } } });
    assert.deepEqual(await interpreter().replicas(workload), {
      replicas: 3,
      requirements: { resourceRequest: { cpu: '1' } },
    });
  });

  it('tells components, health, status and dependencies', async () => {
    answering({ components: [{ name: 'driver', replicas: 1 }] });
    assert.deepEqual(await interpreter().components(workload), [{ name: 'driver', replicas: 1 }]);
    answering({ healthy: false });
    assert.equal(await interpreter().health(workload), 'Unhealthy');
    answering({ rawStatus: { ready: 1 } });
    assert.deepEqual(await interpreter().reflectStatus(workload), { ready: 1 });
    const dependency = { apiVersion: 'v1', kind: 'Secret', namespace: 'default', name: 's' };
    answering({ dependencies: [dependency] });
    assert.deepEqual(await interpreter().dependencies(workload), [dependency]);
  });

  it('changes the object by a JSON patch', async () => {
    answering(patch({ op: 'replace', path: '/spec/replicas', value: 9 }));
    const revised = await interpreter().reviseReplica(workload, 9);
    assert.deepEqual(revised, { ...workload, spec: { replicas: 9, paused: false } });
    assert.equal((workload['spec'] as { replicas: number }).replicas, 2);
  });

  it('leaves the object as it is without a patch', async () => {
    answering({});
    assert.equal(await interpreter().retain(workload, workload), workload);
  });

  it('is reached through its Service, by the name in its certificate', async () => {
    answering({ healthy: true });
    const spec = { type: 'ClusterIP', clusterIP: '127.0.0.1', ports: [{ port: remote.port() }] };
    const service = { namespace: 'default', name: 'hook', path: '/by-service', port: remote.port() };
    const clientConfig = { service, caBundle: remote.ca };
    const found = interpreter({ clientConfig }, () => Promise.resolve(object('v1', 'Service', { spec })));
    assert.equal(await found.health(workload), 'Healthy');
    assert.equal(remote.requests.at(-1)?.path, '/by-service?timeout=10s');
  });

  describe('fails', () => {
    const failures: [because: string, respond: Stub['respond'], message: RegExp][] = [
      [
        'when it answers another request',
        () => ({ response: { uid: 'other', successful: true } }),
        /expected response\.uid "0{8}-.*", got "other"/,
      ],
      ['when it does not answer', () => ({}), /received invalid webhook response: webhook response was absent/],
      [
        'when it says so',
        ({ uid }) => ({ response: { uid, successful: false, status: { code: 409, message: 'not now' } } }),
        /^Internal error occurred: failed calling webhook "config\/hook": webhook call failed, get status code: 409, msg: not now$/,
      ],
      [
        'when it fails without a reason',
        ({ uid }) => ({ response: { uid, successful: false } }),
        /require response\.status/,
      ],
      [
        'when it says no health',
        ({ uid }) => ({ response: { uid, successful: true } }),
        /webhook returned nil response\.healthy/,
      ],
      ['when what it says is no JSON', () => 'nonsense', /failed to call webhook: .*JSON/],
      ['with the code of a refusal', () => 503, /failed to call webhook: the server answered 503/],
    ];
    for (const [because, respond, message] of failures) {
      it(because, async () => {
        remote.respond = respond;
        await assert.rejects(async () => interpreter().health(workload), { reason: 'InternalError', message });
      });
    }

    const patches: [because: string, fields: Record<string, unknown>, message: RegExp][] = [
      ['with a patch of no type', { patch: 'W10=' }, /nil response\.patchType/],
      ['with a type and no patch', { patchType: 'JSONPatch' }, /empty response\.patch/],
      [
        'with a patch of another type',
        { patch: 'W10=', patchType: 'MergePatch' },
        /invalid response\.patchType of "MergePatch"/,
      ],
      [
        'with a patch that does not fit',
        patch({ op: 'remove', path: '/spec/none' }),
        /received invalid webhook response/,
      ],
      ['with a patch that takes the kind away', patch({ op: 'remove', path: '/kind' }), /Object 'Kind' is missing/],
    ];
    for (const [because, fields, message] of patches) {
      it(because, async () => {
        answering(fields);
        await assert.rejects(async () => interpreter().retain(workload, workload), {
          reason: 'InternalError',
          message,
        });
      });
    }

    it('when its time is over', async () => {
      const clock = fakeClock();
      const arrived = Promise.withResolvers<undefined>();
      remote.respond = () => arrived.resolve(undefined);
      const waiting = Promise.resolve(interpreter({ timeoutSeconds: 3 }, noService, clock).health(workload));
      const failed = assert.rejects(waiting, /failed to call webhook: .* did not answer within 3 s/);
      await arrived.promise;
      await clock.advance(3_000);
      await failed;
    });

    it('when its certificate is signed by somebody else', async () => {
      const other = await createCa({ commonName: 'other' });
      const url = `https://127.0.0.1:${remote.port()}/`;
      const clientConfig = { url, caBundle: Buffer.from(other.cert).toString('base64') };
      await assert.rejects(
        async () => interpreter({ clientConfig }).health(workload),
        /failed to call webhook: .*certificate/,
      );
    });

    it('when it speaks no version of ours', async () => {
      const versions = { interpreterContextVersions: ['v9'] };
      await assert.rejects(
        async () => interpreter(versions).health(workload),
        /known ResourceInterpreterContext versions/,
      );
    });

    const services: [because: string, spec: Record<string, unknown>, message: RegExp][] = [
      ['without an address', { clusterIP: 'None' }, /cannot route to service with ClusterIP "None"/],
      [
        'without the port',
        { clusterIP: '127.0.0.1', ports: [{ port: 1 }] },
        /no service port 443 found for service "hook"/,
      ],
      ['of a type that leads nowhere', { type: 'Other' }, /unsupported service type "Other"/],
    ];
    for (const [because, spec, message] of services) {
      it(`through a Service ${because}`, async () => {
        const clientConfig = { service: { namespace: 'default', name: 'hook' } };
        const found = interpreter({ clientConfig }, () => Promise.resolve(object('v1', 'Service', { spec })));
        await assert.rejects(async () => found.health(workload), message);
      });
    }
  });
});
