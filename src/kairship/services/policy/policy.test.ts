import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { OverridePolicySchema } from '#gen/proto/kairship/api/policy/v1alpha1/override_policy_pb.ts';
import type { AnyOverridePolicy, ResourceSelector } from '#karmada/apis/index.ts';
import { asMessage } from '../as-message.ts';
import { withRawValues } from './policy-messages.ts';
import { type Asked, selects } from './selects.ts';

const web: Asked = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  name: 'web',
  namespace: 'shop',
  labels: [{ app: 'web' }],
};
const deployments = (more: Partial<ResourceSelector>): ResourceSelector => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  ...more,
});

const CASES: readonly (readonly [boolean, string, ResourceSelector, Asked])[] = [
  [true, 'its name', deployments({ name: 'web' }), web],
  [false, 'another name', deployments({ name: 'other' }), web],
  [true, 'its kind alone', deployments({}), web],
  [false, 'another kind', { apiVersion: 'apps/v1', kind: 'StatefulSet' }, web],
  [false, 'another version', { apiVersion: 'apps/v2', kind: 'Deployment' }, web],
  [true, 'its labels', deployments({ labelSelector: { matchLabels: { app: 'web' } } }), web],
  [false, 'other labels', deployments({ labelSelector: { matchLabels: { app: 'db' } } }), web],
  [
    true,
    'its name, whatever the labels',
    deployments({ name: 'web', labelSelector: { matchLabels: { a: 'b' } } }),
    web,
  ],
  [false, 'its name in another namespace', deployments({ name: 'web', namespace: 'bank' }), web],
  [true, 'anything of the kind, when only that is asked', deployments({ name: 'other' }), { kind: 'Deployment' }],
  [
    false,
    'labels, when the object is not there',
    deployments({ labelSelector: { matchLabels: { app: 'web' } } }),
    { ...web, labels: [] },
  ],
];

describe('A policy', () => {
  for (const [expected, what, selector, asked] of CASES)
    it(`${expected ? 'means' : 'does not mean'} an object by ${what}`, () =>
      assert.equal(selects([selector], asked), expected));

  it('shows the values of its plain-text overriders as the bytes of their JSON', () => {
    const plaintext = [
      { path: '/spec/x', operator: 'replace', value: { a: [1] } },
      { path: '/y', operator: 'remove' },
    ];
    const policy = { metadata: { name: 'o' }, spec: { overrideRules: [{ overriders: { plaintext } }] } };
    const told = asMessage(OverridePolicySchema, withRawValues(policy as unknown as AnyOverridePolicy));
    const [first, second] = told.spec?.overrideRules[0]?.overriders?.plaintext ?? [];
    assert.equal(Buffer.from(first?.value?.raw ?? []).toString(), '{"a":[1]}');
    assert.equal(second?.value, undefined);
  });
});
