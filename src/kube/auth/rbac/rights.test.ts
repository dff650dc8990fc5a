import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { ruleOf } from './bootstrap/rule-text.ts';
import { ruleAllows } from './policy-rule.ts';
import { describeRights, missingRights } from './rights.ts';
import { anyAttributes, anyRule } from './testing.ts';

const lacks = (held: readonly string[], wanted: readonly string[]) =>
  describeRights(missingRights(held.map(ruleOf), wanted.map(ruleOf)));

describe('the rights somebody lacks', () => {
  const cases: readonly [because: string, held: readonly string[], wanted: readonly string[], lacked: string[]][] = [
    ['are none when they hold the same rule', ['get core pods'], ['get core pods'], []],
    [
      'are listed by resource, with the verbs together',
      ['get core pods'],
      ['get,list,watch core pods,nodes'],
      [
        '{APIGroups:[""], Resources:["nodes"], Verbs:["get" "list" "watch"]}',
        '{APIGroups:[""], Resources:["pods"], Verbs:["list" "watch"]}',
      ],
    ],
    [
      'may be held in pieces',
      ['get core pods', 'list core pods,nodes', 'get * nodes'],
      ['get,list core pods,nodes'],
      [],
    ],
    [
      'include a wildcard that is held only in part',
      ['read core pods', 'write core pods'],
      ['* core pods'],
      ['{APIGroups:[""], Resources:["pods"], Verbs:["*"]}'],
    ],
    [
      'are those to other names',
      ['get core secrets a'],
      ['get core secrets a,b'],
      ['{APIGroups:[""], Resources:["secrets"], ResourceNames:["b"], Verbs:["get"]}'],
    ],
    [
      'are all when only some names are held',
      ['get core secrets a'],
      ['get core secrets'],
      ['{APIGroups:[""], Resources:["secrets"], Verbs:["get"]}'],
    ],
    ['are held with the resource of every name', ['get core secrets'], ['get core secrets a'], []],
    ['are held by a subresource of everything', ['get core */log'], ['get core pods/log'], []],
    [
      'are told apart by path',
      ['get /healthz/*'],
      ['get /healthz/ping,/metrics'],
      ['{NonResourceURLs:["/metrics"], Verbs:["get"]}'],
    ],
    ['are none for whoever holds everything', ['* * *', '* *'], ['get,* a,* b,*,*/c', '* /x/*'], []],
  ];
  for (const [because, held, wanted, lacked] of cases) {
    it(because, () => assert.deepEqual(lacks(held, wanted), lacked));
  }

  it('cannot be had by having a role made: what somebody lacks nothing of, they are allowed already', () => {
    fc.assert(
      fc.property(fc.array(anyRule, { maxLength: 4 }), anyRule, anyAttributes, (held, wanted, attributes) => {
        const covered = missingRights(held, [wanted]).length === 0;
        if (covered && ruleAllows(wanted, attributes)) {
          assert.ok(held.some((rule) => ruleAllows(rule, attributes)));
        }
      }),
      { seed: 1, numRuns: 2_000 },
    );
  });
});
