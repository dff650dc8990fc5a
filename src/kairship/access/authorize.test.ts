import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { create, type DescMessage, type DescMethod, type MessageInitShape } from '@bufbuild/protobuf';
import { accessSnapshot, decide, NO_OBJECTS } from '#ghippo/decision/index.ts';
import { BUILTIN_ROLES, instanceScope, namespaceScope, PLATFORM, type Scope } from '#ghippo/apis/index.ts';
import { aUser, binding, product, role, user } from '#ghippo/decision/testing.ts';
import {
  AppsService,
  ListInstanceDeploymentsRequestSchema,
  UpdateDeploymentRequestSchema,
} from '#gen/proto/kairship/api/apps/v1alpha1/apps_service_pb.ts';
import { GetNamespaceRequestSchema, CoreService } from '#gen/proto/kairship/api/core/v1alpha1/core_service_pb.ts';
import {
  DeleteInstanceRequestSchema,
  InstanceService,
  ListInstancesRequestSchema,
} from '#gen/proto/kairship/api/instance/v1alpha1/instance_service_pb.ts';
import type { Call } from '#rpc/index.ts';
import { type Access, authorizeCall, reachOf, scopeOf } from './authorize.ts';
import { KAIRSHIP_PRODUCT, kairshipProduct } from './kairship-product.ts';

/** A platform where alice has been given one role in one place. */
function given(to: string, where: Scope): Access {
  const snapshot = accessSnapshot({
    ...NO_OBJECTS,
    users: [user('alice'), user('bob')],
    roles: BUILTIN_ROLES.map(({ name, ...spec }) => role(name, { ...spec, builtin: true })),
    bindings: [binding('b', to, where, aUser('alice'))],
    products: [product(KAIRSHIP_PRODUCT, kairshipProduct)],
  });
  return { current: () => snapshot, decide: (request) => decide(snapshot, request) };
}

function call<Desc extends DescMessage>(
  rpc: DescMethod,
  desc: Desc,
  message: MessageInitShape<Desc>,
  who = 'alice',
): Call {
  return {
    rpc,
    caller: { user: who, groups: [] },
    message: create(desc, message),
    peer: { address: undefined, encrypted: true, certificate: () => undefined },
    header: new Headers(),
    verb: 'POST',
    url: '/',
    signal: new AbortController().signal,
  };
}

const update = (namespace: string, who?: string) =>
  call(
    AppsService.method.updateDeployment,
    UpdateDeploymentRequestSchema,
    { instance: 'prod', namespace, name: 'web' },
    who,
  );
const list = (instance: string, who?: string) =>
  call(AppsService.method.listInstanceDeployments, ListInstanceDeploymentsRequestSchema, { instance }, who);
const listInstances = call(InstanceService.method.listInstances, ListInstancesRequestSchema, {}, 'bob');

describe('R11: a call', () => {
  it('is asked about where it acts', () => {
    assert.deepEqual(scopeOf(update('shop')), namespaceScope('prod', 'shop'));
    assert.deepEqual(scopeOf(list('prod')), instanceScope('prod'));
    assert.deepEqual(scopeOf(listInstances), PLATFORM);
    const remove = call(InstanceService.method.deleteInstance, DeleteInstanceRequestSchema, { name: 'prod' });
    assert.deepEqual(scopeOf(remove), instanceScope('prod'));
    const get = call(CoreService.method.getNamespace, GetNamespaceRequestSchema, { instance: 'prod', name: 'shop' });
    assert.deepEqual(scopeOf(get), namespaceScope('prod', 'shop'));
  });

  it('is made by those who were given the right there, and by nobody else', () => {
    const access = given('namespace-editor', namespaceScope('prod', 'shop'));
    assert.doesNotThrow(() => authorizeCall(access, update('shop')));
    assert.throws(() => authorizeCall(access, update('bank')), { reason: 'Forbidden', message: /namespace-editor/ });
    assert.throws(() => authorizeCall(access, update('shop', 'bob')), { reason: 'Forbidden' });
    assert.throws(() => authorizeCall(given('namespace-viewer', namespaceScope('prod', 'shop')), update('shop')), {
      reason: 'Forbidden',
    });
  });

  it('R6: is judged by whoever is put in the place of the judge', () => {
    const access = given('namespace-editor', namespaceScope('prod', 'shop'));
    const generous: Access = { ...access, decide: (request) => access.decide({ ...request, user: 'alice' }) };
    assert.throws(() => authorizeCall(access, update('shop', 'bob')), { reason: 'Forbidden' });
    assert.doesNotThrow(() => authorizeCall(generous, update('shop', 'bob')));
    const missing = { reason: 'NoBinding', sentence: 'another judge says no', roles: [], near: [] } as const;
    const strict: Access = {
      ...access,
      decide: ({ scope }) => ({ allowed: false, permission: undefined, scope, missing }),
    };
    assert.throws(() => authorizeCall(strict, update('shop')), {
      reason: 'Forbidden',
      message: /another judge says no/,
    });
  });

  it('without a caller is not made at all', () => {
    assert.throws(() => authorizeCall(given('admin', PLATFORM), { ...update('shop'), caller: undefined }), {
      reason: 'Unauthorized',
    });
  });

  it('for a list shows what the caller may see, and is refused to those who may see nothing there', () => {
    const access = given('namespace-viewer', namespaceScope('prod', 'shop'));
    assert.doesNotThrow(() => authorizeCall(access, list('prod')));
    const { all, namespaces } = reachOf(access, { user: 'alice', groups: [] }, 'kairship/workload/list', 'prod');
    assert.deepEqual([all, namespaces], [false, [namespaceScope('prod', 'shop')]]);
    assert.throws(() => authorizeCall(access, list('other')), { reason: 'Forbidden' });
    assert.throws(() => authorizeCall(access, list('prod', 'bob')), { reason: 'Forbidden' });
  });

  it('for the list of instances is answered to everybody, if only with an empty one', () => {
    const access = given('admin', PLATFORM);
    assert.doesNotThrow(() => authorizeCall(access, listInstances));
    assert.deepEqual(reachOf(access, { user: 'bob', groups: [] }, 'kairship/instance/list').instances, []);
  });

  it('R12: is not judged before it is known who may do what', () => {
    const missing = { reason: 'NotReady', sentence: 'not yet', roles: [], near: [] } as const;
    const access: Access = {
      current: () => assert.fail(),
      decide: ({ scope }) => ({ allowed: false, permission: undefined, scope, missing }),
    };
    assert.throws(() => authorizeCall(access, update('shop')), { reason: 'ServiceUnavailable' });
  });
});
