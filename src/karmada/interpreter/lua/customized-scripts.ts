/**
 * The scripts of all customisations, by kind and operation.
 *
 * Several customisations of one kind are merged in the order of their names: of each operation the first script counts,
 * of dependencies every one; as karmada v1.18 customized/declarative/configmanager.
 */
import type { ResourceInterpreterCustomization } from '#karmada/apis/index.ts';
import { OPERATIONS, SCRIPT_FIELDS } from '../operations.ts';
import type { Operation } from '../resource-interpreter.ts';
import type { NamedScript } from './ask-script.ts';

export type KindScripts = ReadonlyMap<Operation, readonly NamedScript[]>;
/** By `apiVersion/Kind`. */
export type CustomizedScripts = ReadonlyMap<string, KindScripts>;

export function customizedScripts(customizations: readonly ResourceInterpreterCustomization[]): CustomizedScripts {
  const byKind = new Map<string, Map<Operation, NamedScript[]>>();
  for (const customization of customizations.toSorted(byName)) {
    const { apiVersion, kind } = customization.spec.target;
    const key = `${apiVersion}/${kind}`;
    const known = byKind.get(key) ?? new Map<Operation, NamedScript[]>();
    byKind.set(key, known);
    for (const script of scriptsOf(customization)) add(known, script);
  }
  return byKind;
}

function add(known: Map<Operation, NamedScript[]>, script: NamedScript): void {
  const there = known.get(script.operation);
  if (!there) known.set(script.operation, [script]);
  else if (script.operation === 'InterpretDependency') there.push(script);
}

/** In the order in which Karmada checks them; those that are empty left out. */
export function scriptsOf({ metadata, spec }: ResourceInterpreterCustomization): readonly NamedScript[] {
  return OPERATIONS.flatMap((operation) => {
    const source = spec.customizations[SCRIPT_FIELDS[operation]]?.luaScript ?? '';
    return source === '' ? [] : [{ customization: metadata.name, operation, source }];
  });
}

function byName(a: ResourceInterpreterCustomization, b: ResourceInterpreterCustomization): number {
  return a.metadata.name < b.metadata.name ? -1 : 1;
}
