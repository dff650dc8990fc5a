import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Cluster } from '#karmada/apis/index.ts';
import type { Cluster as InventoryCluster } from '#kpanda/registry/index.ts';
import { isSame } from './membership.ts';

const joined = (id: string): Pick<Cluster, 'spec'> => ({ spec: { syncMode: 'Push', id } });
const known = (kubeSystemID: string): Pick<InventoryCluster, 'status' | 'metadata'> => ({
  metadata: { name: 'eu' },
  status: { kubeSystemID },
});

it('a member is the cluster that the inventory knows under its name, and not one that only has the name', () => {
  assert.equal(isSame(joined('1'), known('1')), true);
  assert.equal(isSame(joined('2'), known('1')), false);
  assert.equal(isSame(joined(''), known('1')), false);
  assert.equal(isSame(joined('1'), undefined), true);
});
