/** What a member has of its own is taken into the instance, whatever its kind, and runs on. */
import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, describe, it } from 'node:test';
import { ok, text } from './asking.ts';
import { eventually, type Request, type Stage } from './harness.ts';

const MEMBER = '/instances/demo/member-clusters/frankfurt/namespaces/default';

const pods = (app: string) => ({
  selector: { matchLabels: { app } },
  template: { metadata: { labels: { app } }, spec: { containers: [{ name: 'main', image: 'nginx:1.27' }] } },
});
const OWN = [
  { apiVersion: 'apps/v1', kind: 'StatefulSet', spec: { replicas: 1, serviceName: '', ...pods('own-set') } },
  { apiVersion: 'apps/v1', kind: 'DaemonSet', spec: pods('own-daemon') },
  { apiVersion: 'v1', kind: 'ConfigMap', data: { a: 'b' } },
  { apiVersion: 'v1', kind: 'Secret', data: { a: 'Yg==' } },
].map((object) => ({ ...object, metadata: { name: `own-${object.kind.toLowerCase()}` } }));

export function promotions(stage: Stage): void {
  describe('What a member has of its own', () => {
    const uid = (kind: string, name: string) =>
      stage.member('frankfurt', 'get', kind, name, '-o', 'jsonpath={.metadata.uid}');

    before(async () => {
      const file = join(stage.directory, 'own.json');
      writeFileSync(file, text({ apiVersion: 'v1', kind: 'List', items: OWN }));
      await stage.member('frankfurt', 'apply', '-f', file);
    });

    for (const { kind, metadata } of OWN) {
      const [plural, { name }] = [`${kind.toLowerCase()}s`, metadata];
      it(`is promoted, and stays the same object: ${plural}`, async () => {
        const own = await uid(plural, name);
        // The index has heard of it.
        await eventually(async () => void (await ok(stage, 'POST', `${MEMBER}/${plural}/${name}:promote`, {})));
        assert.match(await stage.instance('get', plural, name, '-o', 'name'), new RegExp(`/${name}$`));
        await eventually(async () => {
          const labels = await stage.member('frankfurt', 'get', plural, name, '-o', 'jsonpath={.metadata.labels}');
          assert.match(labels, /"karmada.io\/managed":"true"/);
        });
        assert.equal(await uid(plural, name), own);
        assert.equal((await stage.admin('POST', `${MEMBER}/${plural}/none:promote`, {})).status, 404);
      });
    }

    it('is nothing to those who have no rights there', async () => {
      const nobody = await stage.person('nobody');
      await stage.refusesAll(
        nobody,
        'statefulsets,daemonsets,configmaps,secrets',
        OWN.map(
          ({ kind, metadata: { name } }): Request => ['POST', `${MEMBER}/${kind.toLowerCase()}s/${name}:promote`, {}],
        ),
      );
    });
  });
}
