import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { saidOf, whatComesBack } from './what-comes-back.ts';

const KEYS = [
  '/registry/apps/deployments/default/web',
  '/registry/policy.karmada.io/propagationpolicies/default/web',
  '/registry/namespaces/default',
  '/registry/secrets/default/frankfurt',
  '/registry/namespaces/kube-system',
  '/registry/cluster.karmada.io/clusters/frankfurt',
  '/registry/secrets/karmada-cluster/frankfurt',
  '/registry/secrets/karmada-cluster/frankfurt-impersonator',
  '/registry/namespaces/karmada-es-frankfurt',
  '/registry/configmaps/karmada-es-frankfurt/kube-root-ca.crt',
  '/registry/work.karmada.io/works/karmada-es-frankfurt/web-1',
  '/registry/cluster.karmada.io/clusters/frankfurt-2',
  '/registry/work.karmada.io/resourcebindings/default/web-deployment',
];
const [OWN, IDENTITY, OF_FRANKFURT] = [KEYS.slice(0, 4), KEYS.slice(4, 5), KEYS.slice(5, 11)];
const chosen = (choose: ((key: string) => boolean) | undefined) => KEYS.filter((key) => choose?.(key));

describe('What comes back of a backup', () => {
  it('is all of it in its own instance, but for clusters that another has now, and never the identity', () => {
    const all = whatComesBack({ instance: 'a', source: 'a', leaveOut: [] });
    assert.deepEqual([chosen(all.without), chosen(all.keep)], [[], IDENTITY]);
    const less = whatComesBack({ instance: 'a', source: 'a', leaveOut: ['frankfurt'] });
    assert.deepEqual([chosen(less.without), chosen(less.keep)], [OF_FRANKFURT, IDENTITY]);
  });

  it('is in another instance what people wrote, and nothing of any cluster; that instance keeps its own', () => {
    const { without, keep } = whatComesBack({ instance: 'b', source: 'a', leaveOut: [] });
    const comes = KEYS.filter((key) => !without?.(key) && !keep?.(key));
    assert.deepEqual(comes, OWN);
    assert.deepEqual(chosen(keep), [...IDENTITY, ...OF_FRANKFURT.slice(0, 4), KEYS[11]]);
  });

  it('is placed anew where it was placed on a cluster that another instance has now', () => {
    const { change } = whatComesBack({ instance: 'a', source: 'a', leaveOut: ['oslo'] });
    const placed = (...names: readonly string[]) =>
      Buffer.from(JSON.stringify({ spec: { replicas: 2, clusters: names.map((name) => ({ name, replicas: 1 })) } }));
    const changed = change?.(KEYS.at(-1) ?? '', placed('berlin', 'oslo'));
    assert.equal(Buffer.from(changed ?? '').toString(), placed('berlin').toString());
    assert.equal(change?.(KEYS[0] ?? '', placed('oslo')), undefined);
  });

  it('does not say in another instance how templates were doing', () => {
    const { change } = whatComesBack({ instance: 'b', source: 'a', leaveOut: [] });
    const value = Buffer.from('{"kind":"Deployment","spec":{},"status":{"readyReplicas":4}}');
    assert.equal(Buffer.from(change?.(KEYS[0] ?? '', value) ?? '').toString(), '{"kind":"Deployment","spec":{}}');
    assert.equal(change?.(KEYS[1] ?? '', value), undefined);
  });

  it('is told where it is not all', () => {
    assert.equal(saidOf({ instance: 'a', source: 'a', leaveOut: [] }), '');
    assert.match(saidOf({ instance: 'a', source: 'a', leaveOut: ['oslo'] }), /left out.*oslo/);
    assert.match(saidOf({ instance: 'b', source: 'a', leaveOut: [] }), /no clusters.*of instance "a"/);
  });
});
