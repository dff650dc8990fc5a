import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { isAsked, isOfEngine } from './event-filter.ts';
import type { EventObject } from './events.ts';

const about = (involvedObject: EventObject['involvedObject'], more: Partial<EventObject> = {}): EventObject => ({
  apiVersion: 'v1',
  kind: 'Event',
  metadata: { name: 'e', namespace: 'default' },
  ...(involvedObject ? { involvedObject } : {}),
  ...more,
});
const web = about({ apiVersion: 'apps/v1', kind: 'Deployment', name: 'web' }, { reason: 'Scaled', message: 'Up to 3' });
const asked = { name: '', text: '', withoutEngine: false };

describe('Which events are meant', () => {
  it('is told by a part of the name, of the reason or of the message, in any case', () => {
    assert.equal(isAsked(asked)(web), true);
    assert.equal(isAsked({ ...asked, name: 'WE' })(web), true);
    assert.equal(isAsked({ ...asked, name: 'shop' })(web), false);
    assert.equal(isAsked({ ...asked, text: 'scal' })(web), true);
    assert.equal(isAsked({ ...asked, text: 'up TO' })(web), true);
    assert.equal(isAsked({ ...asked, text: 'down' })(web), false);
  });

  it('may leave out what the engine keeps for itself', () => {
    const binding = about({ apiVersion: 'work.karmada.io/v1alpha2', kind: 'ResourceBinding', name: 'web-deployment' });
    assert.equal(isAsked(asked)(binding), true);
    assert.equal(isAsked({ ...asked, withoutEngine: true })(binding), false);
    assert.equal(isAsked({ ...asked, withoutEngine: true })(web), true);
  });
});

describe('The engine’s own', () => {
  const of = (apiVersion: string, kind: string, name: string, namespace?: string) =>
    isOfEngine(about({ apiVersion, kind, name, ...(namespace ? { namespace } : {}) }));

  it('are bindings and works, the roles the platform acts by, and its namespaces', () => {
    assert.equal(of('work.karmada.io/v1alpha1', 'Work', 'web-1', 'karmada-es-a'), true);
    assert.equal(of('rbac.authorization.k8s.io/v1', 'ClusterRole', 'kairship:editor'), true);
    assert.equal(of('rbac.authorization.k8s.io/v1', 'ClusterRole', 'karmada-impersonator'), true);
    assert.equal(of('v1', 'Secret', 'a-token', 'karmada-cluster'), true);
  });

  it('are not clusters, policies, or what people run', () => {
    assert.equal(of('cluster.karmada.io/v1alpha1', 'Cluster', 'a'), false);
    assert.equal(of('policy.karmada.io/v1alpha1', 'PropagationPolicy', 'web', 'default'), false);
    assert.equal(of('v1', 'Pod', 'kairship-shop', 'default'), false);
    assert.equal(isOfEngine(about(undefined)), false);
  });
});
