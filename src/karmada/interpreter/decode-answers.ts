/**
 * What scripts and webhooks say, checked to be what it should be.
 *
 * As when Karmada reads it into its types: quantities become canonical, fields nobody knows are dropped, and what has
 * the wrong type is refused with its path.
 */
import { isObject, type JsonObject } from '#base/json.ts';
import { badRequest, type StatusError } from '#base/status-error.ts';
import type { Component, LabelSelector, NodeClaim, ReplicaRequirements, ResourceList } from '#karmada/apis/index.ts';
import { type FieldError, invalid } from '#kube/meta/field-error.ts';
import { selectorOf } from '#kube/meta/label-selector.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { formatQuantity, tryParseQuantity } from '#kube/meta/quantity.ts';
import type { DependentObject } from './resource-interpreter.ts';

const MAX_INT32 = 2 ** 31 - 1;

/** What is behind the point is cut off, as where a double becomes an int32. */
export function decodeReplicas(value: unknown, path = 'replicas'): number {
  if (typeof value !== 'number') throw wrongType(path, 'a number', value);
  const whole = Math.trunc(value);
  if (Math.abs(whole) > MAX_INT32) throw badRequest(`${path}: ${value} is out of range`);
  return whole;
}

export function decodeRequirements(value: unknown, path = 'replicaRequirements'): ReplicaRequirements {
  const fields = decodeFields(value, path);
  return {
    ...given('nodeClaim', fields, (claim) => decodeNodeClaim(claim, `${path}.nodeClaim`)),
    ...given('resourceRequest', fields, (list) => decodeResources(list, `${path}.resourceRequest`)),
    ...given('namespace', fields, (text) => decodeText(text, `${path}.namespace`)),
    ...given('priorityClassName', fields, (text) => decodeText(text, `${path}.priorityClassName`)),
  };
}

function decodeNodeClaim(value: unknown, path: string): NodeClaim {
  const fields = decodeFields(value, path);
  return {
    ...given('hardNodeAffinity', fields, (affinity) => decodeFields(affinity, `${path}.hardNodeAffinity`)),
    ...given('nodeSelector', fields, (selector) => decodeTexts(selector, `${path}.nodeSelector`)),
    ...given('tolerations', fields, (list) => decodeList(list, `${path}.tolerations`, decodeFields)),
  };
}

function decodeResources(value: unknown, path: string): ResourceList {
  const entries = Object.entries(decodeFields(value, path)).map(([name, amount]) => {
    const known = typeof amount === 'string' || typeof amount === 'number';
    const quantity = known ? tryParseQuantity(amount) : undefined;
    if (!quantity) throw wrongType(`${path}.${name}`, 'a quantity', amount);
    return [name, formatQuantity(quantity)];
  });
  return Object.fromEntries(entries);
}

export function decodeComponents(value: unknown, path = 'components'): readonly Component[] {
  return decodeList(value ?? [], path, (item, at) => {
    const fields = decodeFields(item, at);
    const { namespace: _, ...requirements } = decodeRequirements(fields['replicaRequirements'] ?? {}, at);
    return {
      name: decodeText(fields['name'] ?? '', `${at}.name`),
      replicas: decodeReplicas(fields['replicas'] ?? 0, `${at}.replicas`),
      ...(isObject(fields['replicaRequirements']) ? { replicaRequirements: requirements } : {}),
    };
  });
}

export function decodeDependencies(value: unknown, path = 'dependencies'): readonly DependentObject[] {
  const dependencies = decodeList(value ?? [], path, decodeDependency);
  const problems = dependencies.flatMap((dependency, index) => dependencyErrors(dependency, `${path}[${index}]`));
  const lines = problems.map(({ field, message }) => `${field}: ${message}`);
  if (lines.length > 0) throw badRequest(lines.length === 1 ? String(lines[0]) : `[${lines.join(', ')}]`);
  return dependencies;
}

function decodeDependency(value: unknown, path: string): DependentObject {
  const fields = decodeFields(value, path);
  const text = (name: string) => decodeText(fields[name] ?? '', `${path}.${name}`);
  const optional = (name: string) => (text(name) === '' ? {} : { [name]: text(name) });
  return {
    apiVersion: text('apiVersion'),
    kind: text('kind'),
    ...optional('namespace'),
    ...optional('name'),
    ...given('labelSelector', fields, (selector) => decodeFields(selector, `${path}.labelSelector`) as LabelSelector),
  };
}

/** As karmada v1.18 pkg/util/interpreter/validation. */
function dependencyErrors(dependency: DependentObject, path: string): FieldError[] {
  const { apiVersion, kind, name, labelSelector } = dependency;
  return [
    ...(apiVersion === '' ? [invalid(`${path}.apiVersion`, '', 'missing required apiVersion')] : []),
    ...(kind === '' ? [invalid(`${path}.kind`, '', 'missing required kind')] : []),
    ...(name === undefined && labelSelector === undefined
      ? [invalid(path, dependency, 'dependency can not leave name and labelSelector all empty')]
      : []),
    ...selectorErrors(labelSelector, `${path}.labelSelector`),
  ];
}

function selectorErrors(selector: LabelSelector | undefined, path: string): FieldError[] {
  try {
    selectorOf(selector);
    return [];
  } catch (error) {
    return [invalid(path, selector, error instanceof Error ? error.message : String(error))];
  }
}

/** An object that still says of which kind it is; whatever else it lacks, whoever it is sent to will say. */
export function decodeObject(value: unknown, path = 'object'): KubeObject {
  const { kind } = decodeFields(value, path);
  if (typeof kind !== 'string' || kind === '') throw badRequest(`${path}: Object 'Kind' is missing`);
  return value as KubeObject;
}

export function decodeStatus(value: unknown, path = 'status'): JsonObject {
  return decodeFields(value, path) as JsonObject;
}

export function decodeHealth(value: unknown, path = 'healthy'): boolean {
  if (typeof value !== 'boolean') throw wrongType(path, 'a boolean', value);
  return value;
}

type Fields = Readonly<Record<string, unknown>>;

/** A field that is absent (or null) stays absent. */
function given<T>(name: string, fields: Fields, decode: (value: unknown) => T): Record<string, T> {
  return fields[name] === undefined || fields[name] === null ? {} : { [name]: decode(fields[name]) };
}

function decodeFields(value: unknown, path: string): Fields {
  if (!isObject(value)) throw wrongType(path, 'an object', value);
  return value;
}

function decodeText(value: unknown, path: string): string {
  if (typeof value !== 'string') throw wrongType(path, 'a string', value);
  return value;
}

function decodeTexts(value: unknown, path: string): Readonly<Record<string, string>> {
  const fields = decodeFields(value, path);
  for (const [name, text] of Object.entries(fields)) decodeText(text, `${path}.${name}`);
  return fields as Readonly<Record<string, string>>;
}

function decodeList<T>(value: unknown, path: string, decode: (item: unknown, path: string) => T): readonly T[] {
  if (!Array.isArray(value)) throw wrongType(path, 'a list', value);
  return value.map((item, index) => decode(item, `${path}[${index}]`));
}

function wrongType(path: string, expected: string, value: unknown): StatusError {
  return badRequest(`${path}: expected ${expected} but got ${typeOf(value)}`);
}

function typeOf(value: unknown): string {
  if (value === undefined || value === null) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  return isObject(value) ? 'an object' : `a ${typeof value}`;
}
