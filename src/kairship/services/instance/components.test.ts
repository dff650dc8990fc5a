import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { systemClock } from '#base/clock.ts';
import { InstanceComponent_Type as Type } from '#gen/proto/kairship/api/instance/v1alpha1/instance_service_pb.ts';
import { platformClients } from '../../proxy/instance-client.ts';
import { checked, componentsOf, programs } from './components.ts';

describe('The parts of an instance', () => {
  it('are the checks of its server and the controllers of its engine', () => {
    const said = '[+]ping ok\n[-]etcd failed: reason withheld\n[-]controller-detector failed\nreadyz check failed\n';
    assert.deepEqual(
      checked(said).map(({ name, type, ready, message }) => [name, type, ready, message]),
      [
        ['ping', Type.Server, true, ''],
        ['etcd', Type.Server, false, 'failed: reason withheld'],
        ['detector', Type.Controller, false, 'failed'],
      ],
    );
  });

  it('are the programs that hold a lease, as long as they renew it', () => {
    const lease = (name: string, renewTime: string, holderIdentity = 'one') => ({
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata: { name },
      spec: { holderIdentity, leaseDurationSeconds: 15, acquireTime: '2026-01-01T00:00:00Z', renewTime },
    });
    const leases = [
      lease('karmada-scheduler', '2026-01-01T01:00:00Z'),
      lease('karmada-descheduler', '2026-01-01T00:59:00Z'),
      lease('karmada-webhook', '2026-01-01T01:00:00Z', ''),
    ];
    assert.deepEqual(
      programs(leases, Date.parse('2026-01-01T01:00:10Z')).map(({ name, ready, since }) => [
        name,
        ready,
        new Date(Number(since)).toISOString().slice(11, 19),
      ]),
      [
        ['karmada-scheduler', true, '00:00:00'],
        ['karmada-descheduler', false, '00:59:00'],
        ['karmada-webhook', false, '01:00:00'],
      ],
    );
  });

  it('are one that is not ready while the instance does not answer, since when that is known', async (t) => {
    const conditions = [{ type: 'Ready', status: 'False', lastTransitionTime: '2026-01-01T00:00:00Z' }] as const;
    const found = await componentsOf(
      {
        apiVersion: 'kairship.io/v1alpha1',
        kind: 'Instance',
        metadata: { name: 'prod' },
        spec: { mode: 'embedded' },
        status: { conditions },
      },
      platformClients(() => undefined)('prod'),
      { clock: systemClock, signal: t.signal },
    );
    const [only] = found;
    assert.deepEqual([found.length, only?.name, only?.ready], [1, 'api-server', false]);
    assert.match(only?.message ?? '', /does not answer: .*cannot be reached/);
    assert.equal(only?.since, BigInt(Date.UTC(2026, 0, 1)));
  });
});
