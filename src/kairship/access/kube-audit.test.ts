import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type KubeCall, recordOfKube } from './kube-audit.ts';

const call = (method: string, path: string, more: Partial<KubeCall> = {}) =>
  recordOfKube({ instance: 'demo', method, path, upgrade: false, status: 200, user: 'ann', byToken: true, ...more });

describe('what is done with kubectl', () => {
  it('is on record by verb, kind and name, with how it ended', () => {
    const deployment = '/apis/apps/v1/namespaces/shop/deployments';
    const made = call('POST', `${deployment}?fieldManager=kubectl`, { status: 201 });
    assert.deepEqual(
      [made?.action, made?.resourceType, made?.verdict, made?.user],
      ['kube create', 'deployments.apps', 'allowed', 'ann'],
    );
    assert.equal(call('PATCH', `${deployment}/web`)?.resourceName, 'shop/web');
    assert.equal(call('DELETE', deployment)?.action, 'kube deletecollection');
    assert.equal(call('DELETE', '/api/v1/nodes/n1', { status: 403 })?.verdict, 'denied');
    assert.deepEqual(
      [
        call('PUT', '/api/v1/namespaces/a', { status: 409 })?.verdict,
        call('PUT', '/api/v1/namespaces/a')?.resourceName,
      ],
      ['failed', 'a'],
    );
  });

  it('is told of the object in a member, and of what runs in a pod', () => {
    const proxy = '/apis/cluster.karmada.io/v1alpha1/clusters/paris/proxy';
    const inside = call('GET', `${proxy}/api/v1/namespaces/shop/pods/web-0/exec?command=sh`, {
      upgrade: true,
      status: 101,
    });
    assert.deepEqual(
      [inside?.action, inside?.resourceType, inside?.resourceName, inside?.detail],
      [
        'kube exec',
        'pods/exec',
        'shop/web-0',
        { operation: `GET ${proxy}/api/v1/namespaces/shop/pods/web-0/exec`, cluster: 'paris' },
      ],
    );
  });

  it('leaves no trace when it is only looked at, asked or tried', () => {
    for (const [method, path] of [
      ['GET', '/api/v1/pods?watch=true'],
      ['GET', '/version'],
      ['POST', '/apis/authorization.k8s.io/v1/selfsubjectaccessreviews'],
      ['POST', '/apis/placement.kairship.io/v1alpha1/simulations'],
      ['PATCH', '/api/v1/namespaces/a/configmaps/b?dryRun=All'],
    ] as const)
      assert.equal(call(method, path), undefined, path);
  });
});
