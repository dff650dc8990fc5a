import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Overriders, OverrideSpec } from '#karmada/apis/index.ts';
import { overrideSpecErrors } from './override-rules.ts';

function rule(overriders: Overriders): OverrideSpec {
  return { overrideRules: [{ overriders }] };
}

describe('rules of an override policy', () => {
  const at = 'spec.overrideRules[0].overriders';
  const cases: [because: string, spec: OverrideSpec, errors: string[]][] = [
    [
      'a plaintext overrider is fine',
      rule({ plaintext: [{ path: '/spec/replicas', operator: 'replace', value: 1 }] }),
      [],
    ],
    [
      'the old single rule and the list exclude each other',
      { ...rule({}), targetCluster: { clusterNames: ['m1'] } },
      ['spec.targetCluster: Invalid value: {"clusterNames":["m1"]}: overrideRules and targetCluster can\'t co-exist'],
    ],
    [
      'a field is a document in one language',
      rule({ fieldOverrider: [{ fieldPath: '/data/a' }] }),
      [`${at}.fieldOverrider[0]: Required value: FieldOverrider must have either JSON or YAML set`],
    ],
    [
      'paths are JSON pointers',
      rule({ fieldOverrider: [{ fieldPath: 'data', yaml: [{ subPath: 'x', operator: 'remove' }] }] }),
      [
        `${at}.fieldOverrider[0].fieldPath: Invalid value: "data": JSON pointer must be empty or start with a "/"`,
        `${at}.fieldOverrider[0].yaml[0].subPath: Invalid value: "x": JSON pointer must be empty or start with a "/"`,
      ],
    ],
    [
      'what is removed has no value, what is added has one',
      rule({
        fieldOverrider: [
          {
            fieldPath: '/data/a',
            json: [
              { subPath: '/x', operator: 'remove', value: 1 },
              { subPath: '/y', operator: 'add' },
            ],
          },
        ],
      }),
      [
        `${at}.fieldOverrider[0].json[0].value: Invalid value: 1: value is not allowed for remove operation`,
        `${at}.fieldOverrider[0].json[1].value: Invalid value: null: value is required for add or replace operation`,
      ],
    ],
  ];
  for (const [because, spec, errors] of cases) {
    it(because, () => {
      const found = overrideSpecErrors(spec, undefined).map(({ field, message }) => `${field}: ${message}`);
      assert.deepEqual(found, errors);
    });
  }

  it('labels must be labels', () => {
    const [error] = overrideSpecErrors(rule({ labelsOverrider: [{ operator: 'add', value: { 'a b': 'c' } }] }), 'x');
    assert.equal(error?.field, `${at}.labelsOverrider[0].value`);
  });
});
