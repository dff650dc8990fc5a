/** Policies of a namespace and of all of them through the API, each call seen from the other side too. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { edit, lists, ok, SPACE, text } from './asking.ts';
import { eventually, type Request, type Stage } from './harness.ts';

const SITE = { apiVersion: 'apps/v1', kind: 'Deployment', name: 'site' };
const labelled = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  labelSelector: { matchLabels: { app: 'site' } },
};
const INSTANCE = '/instances/demo';
const OF_SITE = 'kind=Deployment&kindName=site&apiVersion=apps/v1';

interface Kind {
  readonly resource: string;
  readonly path: string;
  /** The field that a single one is answered in. */
  readonly field: string;
  readonly spec: object;
  readonly changed: object;
  /** Where the change can be seen. */
  readonly seen: readonly [jsonpath: string, value: string];
}

const propagation = (clusterNames: readonly string[]) => ({ placement: { clusterAffinity: { clusterNames } } });
const override = (value: string) => ({
  overrideRules: [
    { overriders: { plaintext: [{ path: '/metadata/annotations', operator: 'add', value: { value } }] } },
  ],
});
const PROPAGATES = {
  spec: propagation(['frankfurt']),
  changed: propagation(['singapore']),
  seen: ['{.spec.placement.clusterAffinity.clusterNames[0]}', 'singapore'],
} as const;
const OVERRIDES = {
  spec: override('one'),
  changed: override('two'),
  seen: ['{.spec.overrideRules[0].overriders.plaintext[0].value.value}', 'two'],
} as const;

const KINDS: readonly Kind[] = [
  { resource: 'propagationpolicies', path: SPACE, field: 'propagationPolicy', ...PROPAGATES },
  { resource: 'clusterpropagationpolicies', path: INSTANCE, field: 'clusterPropagationPolicy', ...PROPAGATES },
  { resource: 'overridepolicies', path: SPACE, field: 'overridePolicy', ...OVERRIDES },
  { resource: 'clusteroverridepolicies', path: INSTANCE, field: 'clusterOverridePolicy', ...OVERRIDES },
];

const manifest = (spec: object, selector: object = { ...SITE, name: 'absent' }) =>
  text({ metadata: { name: 'mine' }, spec: { resourceSelectors: [selector], ...spec } });

export function policies(stage: Stage): void {
  describe('R5, R34, R36: policies of an instance', () => {
    for (const { resource, path, field, spec, changed, seen } of KINDS) {
      it(`are created, read, changed and deleted: ${resource}`, async () => {
        const all = `${path}/${resource}`;
        await ok(stage, 'POST', all, { data: manifest(spec) });
        await lists(stage, `${all}?name=min`, 'mine');
        const told = (await ok(stage, 'GET', `${all}/mine`))[field];
        assert.equal(told.spec.resourceSelectors[0].name, 'absent');
        await edit(stage, `${all}/mine`, (policy) => Object.assign(policy.spec, changed));
        assert.equal(await stage.instance('get', resource, 'mine', '-o', `jsonpath=${seen[0]}`), seen[1]);
        assert.equal((await stage.admin('POST', all, { data: manifest({ placement: 1 }) })).status >= 400, true);
        await ok(stage, 'DELETE', `${all}/mine`);
        await eventually(async () =>
          assert.doesNotMatch(await stage.instance('get', resource, '-o', 'name'), /\/mine$/m),
        );
        assert.equal((await stage.admin('GET', `${all}/mine/json`)).status, 404);
      });
    }

    it('of all namespaces are listed together', async () => {
      await lists(stage, `${INSTANCE}/propagationpolicies?name=storefront`, 'storefront');
      await lists(stage, `${INSTANCE}/overridepolicies`);
    });

    it('are found by the object that they mean, by its name or its labels', async () => {
      await stage.instance('create', 'deployment', 'site', '--image=nginx:1.27');
      await eventually(async () => {
        assert.equal((await stage.admin('GET', `${SPACE}/deployments/site`)).status, 200);
        const { items } = await ok(stage, 'GET', `${INSTANCE}/deployments?name=site`);
        assert.equal(items.length, 1);
      });
      for (const { resource, path, spec } of KINDS) {
        const all = `${path}/${resource}`;
        await ok(stage, 'POST', all, { data: manifest(spec, labelled) });
        await lists(stage, `${all}?${OF_SITE}`, 'mine');
        await lists(stage, `${all}?${OF_SITE.replace('site', 'absent')}`);
        await lists(stage, `${all}?kind=StatefulSet`);
      }
      await lists(stage, `${SPACE}/propagationpolicies?kind=Deployment`, 'mine', 'storefront');
      await lists(stage, `${SPACE}/propagationpolicies?kind=Deployment&kindName=storefront`, 'storefront');
    });

    it('that place something are not deleted', async () => {
      const { status, json } = await stage.admin('DELETE', `${SPACE}/propagationpolicies/storefront`);
      assert.equal(status, 409, text(json));
      assert.match(
        json.message,
        /PropagationPolicy "storefront" is in use by Deployment storefront: delete those first/,
      );
      assert.match(await stage.instance('get', 'propagationpolicies', '-o', 'name'), /storefront/);
    });

    it('are nothing to those who have no rights there', async () => {
      const nobody = await stage.person('nobody');
      const requests = KINDS.flatMap(({ resource, path, changed }): readonly Request[] => {
        const all = `${path}/${resource}`;
        return [
          ['GET', all],
          ['GET', `${all}/mine`],
          ['GET', `${all}/mine/json`],
          ['POST', all, { data: manifest(changed) }],
          ['PUT', `${all}/mine`, { data: manifest(changed) }],
          ['DELETE', `${all}/mine`],
        ];
      });
      await stage.refusesAll(nobody, KINDS.map(({ resource }) => resource).join(','), [
        ...requests,
        ['GET', `${INSTANCE}/propagationpolicies`],
        ['GET', `${INSTANCE}/overridepolicies`],
      ]);
    });
  });
}
