import assert from 'node:assert/strict';
import { it } from 'node:test';
import { create } from '@bufbuild/protobuf';
import { SimulationStatusSchema } from '#gen/proto/kairship/api/placement/v1alpha1/simulation_pb.ts';
import { withoutOwn } from './simulation.ts';

it('the last cluster may go although the roles of the platform have no other place', () => {
  const effect = (binding: string, kind: string, name: string) => ({ binding, template: { kind, name } });
  const status = create(SimulationStatusSchema, {
    bindings: [
      effect('kairship.viewer-clusterrole', 'ClusterRole', 'kairship:viewer'),
      effect('mine-clusterrole', 'ClusterRole', 'mine'),
      effect('default/web-deployment', 'Deployment', 'web'),
    ],
    unschedulable: [{ binding: 'kairship.viewer-clusterrole' }, { binding: 'default/web-deployment' }],
  });
  const { bindings, unschedulable } = withoutOwn(status);
  assert.deepEqual(
    bindings.map(({ binding }) => binding),
    ['mine-clusterrole', 'default/web-deployment'],
  );
  assert.deepEqual(
    unschedulable.map(({ binding }) => binding),
    ['default/web-deployment'],
  );
});
