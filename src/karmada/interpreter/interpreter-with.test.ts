import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import { systemClock } from '#base/clock.ts';
import {
  RESOURCE_INTERPRETER_CUSTOMIZATION,
  type ResourceInterpreterCustomization,
  type ResourceInterpreterWebhookConfiguration,
} from '#karmada/apis/index.ts';
import { installCrds } from '#karmada/engine/install-crds.ts';
import { SYSTEM_USER } from '#kube/apiserver/index.ts';
import { testServer } from '#kube/apiserver/testing.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { createCa } from '#kube/pki/index.ts';
import { informers } from '#kube/runtime/index.ts';
import { interpreterWith, liveInterpreter } from './interpreter-with.ts';
import { nativeInterpreter } from './native-interpreter.ts';
import { object } from './testing.ts';

const deployment = object('apps/v1', 'Deployment', { spec: { replicas: 2 } });
const DEPLOYMENT = { group: 'apps', version: 'v1', kind: 'Deployment' };

/** Says that every Deployment has so many replicas. */
function saying(replicas: number, name = 'custom'): ResourceInterpreterCustomization {
  return {
    apiVersion: 'config.karmada.io/v1alpha1',
    kind: 'ResourceInterpreterCustomization',
    metadata: { name },
    spec: {
      target: { apiVersion: 'apps/v1', kind: 'Deployment' },
      customizations: { replicaResource: { luaScript: `function GetReplicas(o) return ${replicas} end` } },
    },
  };
}

/** A webhook that says so too. */
async function webhookSaying(t: TestContext, replicas: number): Promise<ResourceInterpreterWebhookConfiguration> {
  const ca = await createCa({ commonName: 'test' });
  const pair = await ca.issue({ commonName: 'hook', ips: ['127.0.0.1'], usages: ['server'], days: 1 });
  const server = createServer({ cert: pair.cert, key: pair.key }, (request, response) => {
    let text = '';
    request.on('data', (chunk) => (text += String(chunk)));
    request.on('end', () => {
      const { uid } = (JSON.parse(text) as { request: { uid: string } }).request;
      response.end(JSON.stringify({ response: { uid, successful: true, replicas } }));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  const rule = { operations: ['InterpretReplica'], apiGroups: ['apps'], apiVersions: ['v1'], kinds: ['Deployment'] };
  const url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const clientConfig = { url, caBundle: Buffer.from(ca.cert).toString('base64') };
  return {
    apiVersion: 'config.karmada.io/v1alpha1',
    kind: 'ResourceInterpreterWebhookConfiguration',
    metadata: { name: 'hooks' },
    webhooks: [{ name: 'hook', clientConfig, rules: [rule], interpreterContextVersions: ['v1alpha1'] }],
  };
}

describe('who is asked', () => {
  it('is a customisation, then a webhook, then third parties, then what is built in', async (t) => {
    const webhooks = [await webhookSaying(t, 20)];
    const thirdParty = { ...nativeInterpreter, replicas: () => ({ replicas: 30 }) };
    const asked = async (options: Parameters<typeof interpreterWith>[0]) => {
      const interpreter = interpreterWith(options);
      t.after(() => interpreter.close());
      return (await interpreter.replicas(deployment)).replicas;
    };
    assert.equal(await asked({ customizations: [saying(10)], webhooks, thirdParty }), 10);
    assert.equal(await asked({ webhooks, thirdParty }), 20);
    assert.equal(await asked({ thirdParty }), 30);
    assert.equal(await asked({ thirdParty: [saying(40)] }), 40);
    assert.equal(await asked({}), 2);
  });

  it('is whoever comes next for what a customisation leaves open', async (t) => {
    const interpreter = interpreterWith({ customizations: [saying(10)] });
    t.after(() => interpreter.close());
    assert.deepEqual(await interpreter.reviseReplica(deployment, 4), { ...deployment, spec: { replicas: 4 } });
    assert.equal(interpreter.handles(DEPLOYMENT, 'InterpretComponent'), false);
  });

  it('changes when customisations do', async (t) => {
    let listeners = 0;
    let tell = () => {};
    let current = [saying(1)];
    const customizations = {
      list: () => current,
      subscribe(subscriber: (change: { type: 'added'; object: ResourceInterpreterCustomization }) => void) {
        listeners++;
        tell = () => subscriber({ type: 'added', object: saying(0) });
        return () => void listeners--;
      },
    };
    const interpreter = interpreterWith({ customizations });
    t.after(() => interpreter.close());
    assert.deepEqual(await interpreter.replicas(deployment), { replicas: 1 });
    current = [saying(5)];
    tell();
    assert.deepEqual(await interpreter.replicas(deployment), { replicas: 5 });
    current = [];
    tell();
    assert.deepEqual(await interpreter.replicas(deployment), { replicas: 2 });
    interpreter.close();
    assert.equal(listeners, 0);
  });
});

describe('the interpreter of an API server', () => {
  it('follows the customisations in it', async (t) => {
    const { server } = await testServer(t);
    const client = server.client(SYSTEM_USER, 'test');
    const stopping = new AbortController();
    t.after(() => stopping.abort());
    await installCrds(client, systemClock, stopping.signal);
    await client.create(RESOURCE_INTERPRETER_CUSTOMIZATION, saying(7));

    const shared = informers(client, { signal: stopping.signal });
    const interpreter = liveInterpreter({ informers: shared, client });
    t.after(() => interpreter.close());
    await interpreter.synced;
    assert.deepEqual(await interpreter.replicas(deployment), { replicas: 7 });

    const deleted = new Promise<KubeObject>((resolve) => {
      shared(RESOURCE_INTERPRETER_CUSTOMIZATION).subscribe((change) => {
        if (change.type === 'deleted') resolve(change.object);
      });
    });
    await client.delete(RESOURCE_INTERPRETER_CUSTOMIZATION, { name: 'custom' });
    await deleted;
    assert.deepEqual(await interpreter.replicas(deployment), { replicas: 2 });
  });
});
