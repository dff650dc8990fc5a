import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { cachedModules } from './gen-kube/modules.ts';
import { generate } from './gen-kube.ts';

describe('gen/kube', () => {
  const modules = cachedModules();
  const skip = modules ? false : 'Go or the pinned Kubernetes modules are not on this machine: run npm run gen:kube';

  it('is what the generator makes of the pinned modules', { skip }, () => {
    assert.ok(modules);
    for (const [name, content] of Object.entries(generate(modules))) {
      const committed = readFileSync(join(import.meta.dirname, '../gen/kube', name), 'utf8');
      assert.ok(committed === content, `gen/kube/${name} is stale: run npm run gen:kube`);
    }
  });
});
