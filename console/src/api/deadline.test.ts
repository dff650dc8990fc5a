import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { Code, ConnectError, createClient, createRouterTransport } from '@connectrpc/connect';
import { InstanceService } from '#gen/proto/kairship/api/instance/v1alpha1/instance_service_pb.ts';
import { answeredWithin } from './deadline.ts';

/** An instance that hangs, until whoever asked goes away. */
const never = (_: unknown, { signal }: { readonly signal: AbortSignal }) =>
  new Promise<never>((_done, fail) => signal.addEventListener('abort', () => fail(new Error('gone'))));

const clientOf = (ms: number) =>
  createClient(
    InstanceService,
    createRouterTransport(
      ({ service }) =>
        service(InstanceService, { getInstance: never, listInstances: () => ({}), upgradeInstance: never }),
      { transport: { interceptors: [answeredWithin(ms)] } },
    ),
  );

describe('what is read', () => {
  it('is given up when it is not answered in time', async () => {
    const asked = clientOf(1).getInstance({ name: 'demo' });
    await assert.rejects(asked, (error) => error instanceof ConnectError && error.code === Code.DeadlineExceeded);
  });

  it('is what was answered, when it was', async () => {
    assert.deepEqual((await clientOf(60_000).listInstances({})).items, []);
  });

  it('is told from what changes something, which takes its time', async () => {
    const leaving = new AbortController();
    const asked = clientOf(1).upgradeInstance({ name: 'demo' }, { signal: leaving.signal });
    const late = await Promise.race([
      asked.catch(() => 'refused'),
      new Promise((done) => setTimeout(done, 30, 'waits')),
    ]);
    assert.equal(late, 'waits');
    leaving.abort();
    await assert.rejects(asked);
  });
});
