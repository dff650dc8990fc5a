import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { StatusError } from '#base/status-error.ts';
import { ClusterService } from '#gen/proto/kairship/api/cluster/v1alpha1/cluster_service_pb.ts';
import { InstanceService } from '#gen/proto/kairship/api/instance/v1alpha1/instance_service_pb.ts';
import { PlacementService } from '#gen/proto/kairship/api/placement/v1alpha1/placement_service_pb.ts';
import { SearchService } from '#gen/proto/kairship/api/search/v1alpha1/search_service_pb.ts';
import type { Audited } from '#rpc/index.ts';
import { isOnRecord, recordOf } from './audit-trail.ts';

const call = (rpc: Audited['rpc'], more: Partial<Audited> = {}): Audited => ({
  rpc,
  caller: { user: 'ada', groups: [] },
  peer: { address: '10.0.0.1', encrypted: true, certificate: () => undefined },
  message: undefined,
  header: new Headers(),
  verb: 'POST',
  url: 'http://platform/',
  signal: new AbortController().signal,
  at: 0,
  ms: 1,
  error: undefined,
  ...more,
});

describe('the audit trail', () => {
  it('holds what changes something', () => {
    assert.ok(isOnRecord(call(ClusterService.method.joinCluster)));
    assert.ok(isOnRecord(call(InstanceService.method.deleteInstance)));
  });

  it('is not filled by those who look, search, ask why, or try out what would happen', () => {
    for (const rpc of [
      InstanceService.method.listInstances,
      SearchService.method.search,
      PlacementService.method.explain,
      PlacementService.method.simulate,
      ClusterService.method.checkRemoval,
    ])
      assert.ok(!isOnRecord(call(rpc)), rpc.name);
  });

  it('holds every refusal, of a look as well', () => {
    const error = new StatusError('Forbidden', 'no');
    assert.ok(isOnRecord(call(SearchService.method.search, { error })));
    assert.equal(recordOf(call(SearchService.method.search, { error })).verdict, 'denied');
  });

  it('does not hold a look at what is not there', () => {
    const error = new StatusError('NotFound', 'gone');
    assert.ok(!isOnRecord(call(InstanceService.method.getInstance, { error })));
    assert.ok(isOnRecord(call(InstanceService.method.deleteInstance, { error })));
  });

  it('holds who was given a credential', () => {
    assert.ok(isOnRecord(call(InstanceService.method.createInstanceAdminKubeConfig)));
  });

  it('tells a person at the console from a program with a token', () => {
    const { joinCluster } = ClusterService.method;
    assert.equal(recordOf(call(joinCluster)).method, 'session');
    const header = new Headers({ authorization: 'Bearer abc' });
    assert.equal(recordOf(call(joinCluster, { header })).method, 'token');
  });
});
