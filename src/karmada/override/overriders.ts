/**
 * The overriders, each as a pure change of an object; as karmada v1.18 pkg/util/overridemanager.
 *
 * An overrider that has nothing to do with an object (a container or label that is not there, a kind without
 * containers) leaves it alone; one that cannot be applied throws a `PatchProblem`.
 */
import { isObject } from '#base/json.ts';
import {
  type CommandArgsOverrider,
  type FieldOverrider,
  goJson,
  type ImageOverrider,
  type LabelAnnotationOverrider,
  type SubPathOperation,
} from '#karmada/apis/index.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { parse, stringify } from 'yaml';
import { overrideImage } from './image.ts';
import { PatchProblem, type PatchOperation, patchStrictly, valueAt } from './strict-patch.ts';

/** CronJob is not among them, and init containers are not looked at, as in Karmada. */
const CONTAINERS: Readonly<Record<string, string>> = {
  Pod: '/spec/containers',
  ReplicaSet: '/spec/template/spec/containers',
  Deployment: '/spec/template/spec/containers',
  DaemonSet: '/spec/template/spec/containers',
  StatefulSet: '/spec/template/spec/containers',
  Job: '/spec/template/spec/containers',
};

export function patchObject(object: KubeObject, operations: readonly PatchOperation[]): KubeObject {
  return operations.length === 0 ? object : (patchStrictly(object, operations) as KubeObject);
}

export function overrideImages(object: KubeObject, overrider: ImageOverrider): KubeObject {
  const paths = overrider.predicate
    ? [overrider.predicate.path]
    : containersOf(object).map(({ path }) => `${path}/image`);
  const operations = paths.map((path) => {
    const image = valueAt(object, path) ?? '';
    if (typeof image !== 'string') throw new PatchProblem(`${path} is no text, and so no image`);
    return { operator: 'replace' as const, path, value: overrideImage(image, overrider) };
  });
  return patchObject(object, operations);
}

interface Container {
  readonly path: string;
  readonly fields: Readonly<Record<string, unknown>>;
}

function containersOf(object: KubeObject): readonly Container[] {
  const path = CONTAINERS[object.kind];
  const list = path === undefined ? undefined : valueAt(object, path);
  if (!Array.isArray(list)) return [];
  return list.flatMap((fields, index) => (isObject(fields) ? [{ path: `${path}/${index}`, fields }] : []));
}

export function overrideCommand(
  object: KubeObject,
  field: 'command' | 'args',
  { containerName, operator, value = [] }: CommandArgsOverrider,
): KubeObject {
  const named = containersOf(object).filter(({ fields }) => fields['name'] === containerName);
  const operations = named.map(({ path, fields }) => {
    const old = Array.isArray(fields[field]) ? fields[field].map(String) : [];
    const words = operator === 'add' ? [...old, ...value] : old.filter((word) => !value.includes(word));
    return { operator: 'add' as const, path: `${path}/${field}`, value: words };
  });
  return patchObject(object, operations);
}

/** Only what is there is replaced or removed. */
export function overrideMetadata(
  object: KubeObject,
  field: 'labels' | 'annotations',
  { operator, value }: LabelAnnotationOverrider,
): KubeObject {
  const old = object.metadata[field];
  const entries = { ...old };
  for (const [key, text] of Object.entries(value)) {
    if (operator !== 'add' && !Object.hasOwn(entries, key)) continue;
    if (operator === 'remove') delete entries[key];
    else entries[key] = text;
  }
  if (old === undefined && Object.keys(entries).length === 0) return object;
  return { ...object, metadata: { ...object.metadata, [field]: entries } };
}

/** A document within a field; of both kinds of changes YAML goes first. Comments and the order of keys are lost in YAML. */
export function overrideField(object: KubeObject, { fieldPath, yaml = [], json = [] }: FieldOverrider): KubeObject {
  const text = valueAt(object, fieldPath);
  if (typeof text !== 'string') throw new PatchProblem(`${fieldPath} is no text`);
  if (yaml.length === 0 && json.length === 0) return object;
  const value = yaml.length > 0 ? patchYaml(text, yaml, fieldPath) : patchJson(text, json, fieldPath);
  return patchObject(object, [{ operator: 'replace', path: fieldPath, value }]);
}

function patchYaml(text: string, operations: readonly SubPathOperation[], fieldPath: string): string {
  const patched = patchStrictly(read(parse, text, fieldPath, 'YAML'), operations.map(toPatch));
  return stringify(patched, { sortMapEntries: true, indentSeq: false, lineWidth: 0 });
}

function patchJson(text: string, operations: readonly SubPathOperation[], fieldPath: string): string {
  const readJson = (source: string): unknown => JSON.parse(source);
  return goJson(patchStrictly(read(readJson, text, fieldPath, 'JSON'), operations.map(toPatch)));
}

function toPatch({ subPath, operator, value }: SubPathOperation): PatchOperation {
  return { operator, path: subPath, value };
}

function read(reader: (text: string) => unknown, text: string, fieldPath: string, format: string): unknown {
  try {
    return reader(text);
  } catch (cause) {
    const problem = cause instanceof Error ? cause.message.split('\n')[0] : String(cause);
    throw new PatchProblem(`${fieldPath} holds no readable ${format}: ${problem}`, { cause });
  }
}
