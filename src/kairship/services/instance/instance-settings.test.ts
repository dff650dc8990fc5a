import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { create } from '@bufbuild/protobuf';
import { FailoverTimeoutSchema } from '#gen/proto/kairship/api/instance/v1alpha1/instance_pb.ts';
import { failoverSet, failoverTold } from './instance-settings.ts';

describe('How long a lost cluster is waited for', () => {
  const timeout = create(FailoverTimeoutSchema, { failoverEvictionTimeout: 12n });

  it('is what was set, or what holds where nothing is', () => {
    const failover = failoverSet({ mode: 'embedded' }, true, timeout);
    assert.deepEqual(failover, { enabled: true, failoverEvictionTimeout: 12 });
    assert.equal(failoverTold({ mode: 'embedded', failover }).timeout.failoverEvictionTimeout, 12n);
    assert.equal(failoverTold({ mode: 'embedded' }).timeout.failoverEvictionTimeout, 30n);
  });

  it('is nothing, and cannot be set, where Karmada itself does not wait', () => {
    assert.equal(failoverTold({ mode: 'operator' }).timeout.failoverEvictionTimeout, 0n);
    assert.throws(() => failoverSet({ mode: 'operator' }, true, timeout), {
      reason: 'BadRequest',
      message: /evicts at once/,
    });
    const old = { mode: 'operator', karmadaVersion: 'v1.13.2' } as const;
    assert.equal(failoverSet(old, true, timeout).failoverEvictionTimeout, 12);
  });
});
