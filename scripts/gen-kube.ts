/**
 * Makes `gen/kube` from the pinned Kubernetes modules: the schema table and the TypeScript types of the built-in kinds.
 *
 *     npm run gen:kube
 *
 * Needs Go only to fetch the modules. The same versions always give the same bytes; `gen-kube.test.ts` checks that the
 * committed files are what this makes. The steps: modules → go-types + openapi → model → table, typescript.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { goPackages } from './gen-kube/go-types.ts';
import { buildModel } from './gen-kube/model.ts';
import { fetchModules, KUBERNETES_VERSION, type Modules } from './gen-kube/modules.ts';
import { readPublishedApi } from './gen-kube/openapi.ts';
import { writeTable } from './gen-kube/table.ts';
import { writeTypes } from './gen-kube/typescript.ts';

const TARGET = join(import.meta.dirname, '../gen/kube');

/** File name → content. */
export function generate(modules: Modules): Readonly<Record<string, string>> {
  const api = readPublishedApi(modules);
  const model = buildModel(api, goPackages(modules));
  return {
    'schemas.json': writeTable(KUBERNETES_VERSION, model, api),
    'types.ts': writeTypes(KUBERNETES_VERSION, model),
  };
}

if (import.meta.main) {
  mkdirSync(TARGET, { recursive: true });
  for (const [name, content] of Object.entries(generate(fetchModules()))) {
    writeFileSync(join(TARGET, name), content);
    process.stdout.write(`gen/kube/${name}: ${content.length} bytes\n`);
  }
}
