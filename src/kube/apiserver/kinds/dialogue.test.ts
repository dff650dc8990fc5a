/** What a real kube-apiserver answered about kinds, compared without a server: columns, defaults, refusals, names. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { isObject } from '#base/json.ts';
import type { ResourceDefinition } from '#kube/apiserver/resource.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { builtinResources } from './builtin-resources.ts';
import { subresourcesOf } from './subresources.ts';
import { createProblems, created, updateProblems } from './testing/lifecycle.ts';

interface Turn {
  readonly label: string;
  readonly req: { readonly path: string; readonly body?: string };
  readonly res: { readonly code: number; readonly body: Record<string, unknown> };
}

const file = new URL('../../../../e2e/fixtures/kube-dialogue.jsonl', import.meta.url);
const turns = readFileSync(file, 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line) as Turn);
const kinds = builtinResources();

function turn(label: string): Turn {
  const found = turns.find((one) => one.label === label);
  assert.ok(found, `the recording has ${label}`);
  return found;
}

/** The definition a recorded path is about. */
function servedAt(path: string): ResourceDefinition {
  const [, root, ...parts] = path.replace(/\?.*/, '').split('/');
  const group = root === 'api' ? '' : (parts.shift() ?? '');
  const version = parts.shift();
  const resource = parts[0] === 'namespaces' && parts[2] ? parts[2] : parts[0];
  const found = kinds.find((one) => one.group === group && one.version === version && one.resource === resource);
  assert.ok(found, `${path} is served`);
  return found;
}

function body({ req }: Turn): object {
  return JSON.parse(req.body ?? '{}') as object;
}

function causes({ res }: Turn): string[] {
  const details = res.body['details'] as { causes?: { field: string; message: string }[] };
  return (details.causes ?? []).map(({ field, message }) => `${field}: ${message}`);
}

describe('columns', () => {
  const tables = turns.filter(
    ({ label, res }) => (label.startsWith('table:') || label === 'table') && isObject(res.body),
  );
  for (const { label, req, res } of tables) {
    it(`${label} has the columns of Kubernetes`, () => {
      const recorded = res.body['columnDefinitions'] as Record<string, unknown>[];
      const ours = servedAt(req.path).columns.map(({ name, type, format, priority }) => ({
        name,
        type,
        format,
        priority,
      }));
      assert.deepEqual(
        ours,
        recorded.map(({ name, type, format, priority }) => ({ name, type, format, priority })),
      );
    });
  }

  /** Where the recording shows a whole object besides its row. */
  const rows: [table: string, object: () => unknown][] = [
    ['table:pods', () => (turn('fsel pods').res.body['items'] as unknown[])[0]],
    ['table:deployments', () => turn('ssa dep list').res.body],
    ['table:services', () => turn('service').res.body],
    ['table:nodes', () => turn('node').res.body],
    ['table:secrets', () => turn('secret stringData').res.body],
    ['table:serviceaccounts', () => turn('sa').res.body],
    ['table:events', () => turn('event').res.body],
    ['table:leases', () => turn('lease').res.body],
  ];
  for (const [label, object] of rows) {
    it(`${label} prints the cells of Kubernetes`, () => {
      const { req, res } = turn(label);
      const [row] = res.body['rows'] as { cells: unknown[] }[];
      const shown = object() as KubeObject;
      const now = Date.parse(shown.metadata.creationTimestamp ?? '') + 6_500;
      assert.deepEqual(
        servedAt(req.path).columns.map((column) => column.cell(shown, now)),
        row?.cells,
      );
    });
  }
});

describe('defaults', () => {
  const labels = [
    'create ns',
    'create cm',
    'dep create',
    'secret stringData',
    'sa',
    'service',
    'node',
    'pod',
    'lease',
    'event',
    'crd create',
    'webhook cfg',
    'apiservice',
  ];
  for (const label of labels) {
    it(`${label} is stored as Kubernetes stores it`, () => {
      const recorded = turn(label);
      const definition = servedAt(recorded.req.path);
      const ours = created(definition, {
        ...body(recorded),
        metadata: { ...(recorded.res.body['metadata'] as object) },
      });
      assert.deepEqual(withoutServer(ours), withoutServer(recorded.res.body));
    });
  }

  /** What only a server gives: identity, history, addresses. */
  function withoutServer(object: object): object {
    const { metadata, ...rest } = JSON.parse(JSON.stringify(object)) as Record<string, Record<string, unknown>>;
    const { name, labels } = metadata ?? {};
    const spec = rest['spec'];
    if (spec?.['clusterIP']) Object.assign(spec, { clusterIP: 'given', clusterIPs: ['given'] });
    return { ...rest, metadata: { name, ...(labels ? { labels } : {}) } };
  }
});

describe('refusals', () => {
  const creates = [
    'bad labels',
    'bad finalizer',
    'bad ownerref',
    'long name',
    'ns bad name',
    'dep invalid',
    'rbac role bad',
    'crd bad name',
    'crd nonstructural',
  ];
  for (const label of creates) {
    it(`${label} is refused in the words of Kubernetes`, () => {
      const recorded = turn(label);
      const definition = servedAt(recorded.req.path);
      const given = body(recorded) as { metadata?: object };
      const namespace = definition.namespaced ? { namespace: 'gmwi77ki4' } : {};
      const object = { ...given, metadata: { ...given.metadata, ...namespace } };
      assert.deepEqual(createProblems(definition, object), causes(recorded));
    });
  }

  it('too large cm is refused in the words of Kubernetes', () => {
    const recorded = turn('too large cm');
    const object = { metadata: { name: 'big' }, data: { a: 'x'.repeat(1_048_577) } };
    assert.deepEqual(createProblems(servedAt(recorded.req.path), object), causes(recorded));
  });

  /** Recorded patches of objects the recording shows before. */
  const updates: [label: string, old: string][] = [
    ['dep selector immutable', 'dep create'],
    ['crd update bad scope', 'crd established'],
    ['pod spec immutable', 'pod'],
  ];
  for (const [label, before] of updates) {
    it(`${label} is refused in the words of Kubernetes`, () => {
      const recorded = turn(label);
      const old = turn(before).res.body as unknown as KubeObject;
      const spec = { ...(old['spec'] as object), ...(body(recorded) as { spec: object }).spec };
      const lines = updateProblems(servedAt(recorded.req.path), old, { ...old, spec });
      // Kubernetes goes on with a dump of its own structs.
      const cut = (line: string) => line.replace(/\n[^]*/, '');
      assert.deepEqual(lines.map(cut), causes(recorded).map(cut));
    });
  }
});

describe('discovery', () => {
  interface Discovered {
    readonly resource: string;
    readonly singularResource: string;
    readonly responseKind: { readonly kind: string };
    readonly scope: string;
    readonly verbs: readonly string[];
    readonly shortNames?: readonly string[];
    readonly categories?: readonly string[];
    readonly subresources?: readonly {
      readonly subresource: string;
      readonly verbs: readonly string[];
      readonly responseKind: { readonly group: string; readonly version: string; readonly kind: string };
    }[];
  }
  interface Group {
    readonly metadata: { readonly name: string };
    readonly versions: readonly { readonly version: string; readonly resources: readonly Discovered[] }[];
  }

  for (const group of turn('agg disc /apis v2').res.body['items'] as Group[]) {
    // Reviews are answered, not stored: they are no kinds of this list.
    if (/^auth(entication|orization)\./.test(group.metadata.name)) continue;
    for (const { version, resources } of group.versions) {
      it(`${group.metadata.name}/${version} is offered as Kubernetes offers it`, () => {
        const ours = kinds.filter((one) => one.group === group.metadata.name && one.version === version);
        assert.deepEqual(
          ours.map(describeOurs).toSorted((a, b) => (a.resource < b.resource ? -1 : 1)),
          resources.map(describeTheirs),
        );
      });
    }
  }

  function describeOurs(one: ResourceDefinition) {
    const { resource, singular, kind, namespaced, verbs, shortNames, categories } = one;
    const parts = subresourcesOf(one).map(({ name, gvk, verbs }) => [name, gvk?.kind ?? kind, ...verbs]);
    return { resource, singular, kind, namespaced, verbs, shortNames, categories, parts };
  }

  function describeTheirs(one: Discovered) {
    const { resource, singularResource: singular, responseKind, scope, verbs, shortNames = [], categories = [] } = one;
    const parts = (one.subresources ?? []).map((part) => [part.subresource, part.responseKind.kind, ...part.verbs]);
    return {
      resource,
      singular,
      kind: responseKind.kind,
      namespaced: scope === 'Namespaced',
      verbs,
      shortNames,
      categories,
      parts,
    };
  }
});
