/**
 * Makes `docs/kinds.md` from the built-in kinds and their examples: what is filled in, what is refused, what stays.
 *
 *     npm run gen:kinds-doc
 *
 * Every line is what the code did when this ran: defaults are the difference between what an example says and what would
 * be stored, refusals are examples that the tests see refused. `gen-kinds-doc.test.ts` checks the committed file.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isObject } from '#base/json.ts';
import { builtinResources } from '#kube/apiserver/kinds/index.ts';
import { allCases } from '#kube/apiserver/kinds/testing/cases/all-cases.ts';
import type { KindCases, Refusal } from '#kube/apiserver/kinds/testing/kind-cases.ts';
import { created, definitionOf, manifest } from '#kube/apiserver/kinds/testing/lifecycle.ts';
import type { ResourceDefinition } from '#kube/apiserver/resource.ts';
import { apiVersionOf } from '#kube/meta/gvk.ts';

const TARGET = join(import.meta.dirname, '../docs/kinds.md');
const LONGEST = 160;

export function kindsDocument(): string {
  return [
    '# Built-in kinds',
    '',
    'Made by `npm run gen:kinds-doc` from the kinds in `src/kube/apiserver/kinds` and their examples; do not edit.',
    'Rules of `metadata` hold for every kind and are in `src/kube/meta/object-meta.ts`.',
    '',
    ...overview(),
    ...allCases.flatMap(section),
  ].join('\n');
}

function overview(): string[] {
  const rows = builtinResources().map((one) => [
    `\`${one.resource}\``,
    one.shortNames.join(', '),
    apiVersionOf(one),
    one.namespaced ? 'yes' : 'no',
    one.subresources.join(', '),
    Object.keys(one.selectableFields).join(', '),
  ]);
  return [
    '| Resource | Short | API version | Namespaced | Subresources | Also selected by |',
    '| --- | --- | --- | --- | --- | --- |',
    ...rows.map((cells) => `| ${cells.join(' | ')} |`).toSorted(),
    '',
  ];
}

function section(cases: KindCases): string[] {
  const definition = definitionOf(cases.kind, cases.apiVersion);
  return [
    `## ${cases.kind} (${cases.apiVersion})`,
    '',
    ...flags(definition),
    ...list('Filled in for an example that says the least:', filledIn(definition, cases.least)),
    ...refusals('Refused:', cases.refused),
    ...refusals('Refused as a change:', cases.fixed ?? []),
  ];
}

function flags({ strategy }: ResourceDefinition): string[] {
  const said = [
    ...(strategy.generation === 'none' ? [] : ['has a generation']),
    ...(strategy.createOnUpdate ? ['is created by PUT'] : []),
    ...(strategy.unconditionalUpdate ? [] : ['is replaced only with its resourceVersion']),
    ...(strategy.deleteReturnsObject ? ['is returned by DELETE'] : []),
  ];
  return said.length === 0 ? [] : [`It ${said.join(', ')}.`, ''];
}

/** What would be stored and was not said. */
function filledIn(definition: ResourceDefinition, least: object): string[] {
  const said = new Map(leaves(manifest(definition, least)));
  return leaves(created(definition, least))
    .filter(([path, value]) => path !== 'metadata.uid' && JSON.stringify(said.get(path)) !== JSON.stringify(value))
    .map(([path, value]) => `\`${path}: ${short(JSON.stringify(value))}\``);
}

function leaves(value: unknown, path = ''): [path: string, value: unknown][] {
  const members = Array.isArray(value)
    ? value.map((item, at) => [`${path}[${at}]`, item] as const)
    : isObject(value)
      ? Object.entries(value).map(([key, member]) => [path === '' ? key : `${path}.${key}`, member] as const)
      : [];
  return members.length === 0 ? [[path, value]] : members.flatMap(([at, member]) => leaves(member, at));
}

function refusals(title: string, cases: readonly Refusal[]): string[] {
  return list(
    title,
    cases.map(
      ([because, , ...lines]) =>
        `${because}: ${lines.map((line) => `\`${short(line).replaceAll('`', "'")}\``).join('; ')}`,
    ),
  );
}

function list(title: string, items: readonly string[]): string[] {
  return items.length === 0 ? [] : [title, '', ...items.map((item) => `- ${item}`), ''];
}

function short(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

if (import.meta.main) {
  writeFileSync(TARGET, kindsDocument());
  process.stdout.write('docs/kinds.md\n');
}
