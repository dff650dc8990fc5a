/**
 * Patches: the current object, changed by a JSON patch, a merge patch or a strategic merge patch.
 *
 * A patch says nothing about the version it was made for (unless it sets resourceVersion), so it is tried again on the
 * newer object whenever another write came first.
 */
import { type Draft, isObject } from '#base/json.ts';
import { badRequest, StatusError } from '#base/status-error.ts';
import { goJson, invalid as invalidValue } from '#kube/meta/field-error.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { applyJsonPatch, applyMergePatch, strategicMergePatch } from '#kube/patch/index.ts';
import { decodeError } from '#kube/schema/index.ts';
import type { Entry } from '../cache/entry.ts';
import type { Caller, Core } from '../core.ts';
import { invalid } from '../failures.ts';
import type { ResourceDefinition } from '../resource.ts';
import type { Served } from '../served.ts';
import { complete, type Decodable, missingType, whole } from '../write/decode.ts';
import { editable } from '../write/editable.ts';
import { recordUpdate } from '../write/managed-fields.ts';
import { modifyObject } from '../write/modify.ts';
import { checkWriteOptions, isDryRun, managerOf, type WriteOptions } from '../write/write-options.ts';
import type { ObjectName } from './get.ts';

export interface PatchDocument {
  readonly type: 'json' | 'merge' | 'strategic';
  readonly body: unknown;
}

export type PatchOptions = WriteOptions & { readonly subresource?: string | undefined };

export async function patchObject(
  core: Core,
  served: Served,
  caller: Caller,
  at: ObjectName,
  patch: PatchDocument,
  options: PatchOptions,
): Promise<Entry> {
  checkWriteOptions('PatchOptions', options);
  checkPatch(core, served.definition, patch);
  const { subresource } = options;
  const recording = { manager: managerOf(options, caller), now: core.clock.now(), subresource };
  return modifyObject(core, served, caller, at, {
    subresource,
    dryRun: isDryRun(options),
    transform(current) {
      const draft = patched(served.definition, current, patch, options, caller);
      recordUpdate(served, current, draft, recording);
      return draft;
    },
  });
}

/** Where nothing says how lists are merged. */
export function notStrategic(): StatusError {
  const others = 'application/json-patch+json, application/merge-patch+json, application/apply-patch+yaml';
  const message = `the body of the request was in an unknown format - accepted media types include: ${others}`;
  return new StatusError('UnsupportedMediaType', message);
}

function checkPatch({ limits }: Core, definition: ResourceDefinition, { type, body }: PatchDocument): void {
  if (type === 'strategic' && definition.custom) throw notStrategic();
  if (type === 'json' && Array.isArray(body) && body.length > limits.patchOperations) {
    throw new StatusError(
      'RequestEntityTooLarge',
      `The allowed maximum operations in a JSON patch is ${limits.patchOperations}, got ${body.length}`,
    );
  }
}

/** The current object as the patch would have it, complete with defaults. */
export function patched(
  definition: Decodable,
  current: KubeObject,
  patch: PatchDocument,
  options: WriteOptions,
  caller: Caller,
): Draft<KubeObject> {
  const value: unknown = editable(applyPatch(definition, current, patch));
  const problem = isObject(value) ? decodeError(definition.schema, value) : 'json: cannot unmarshal into Go value';
  if (problem) throw unfit(value, problem);
  const object = value as Draft<KubeObject>;
  object.metadata ??= { name: '' };
  checkType(definition, current, object, patch.type);
  return complete(definition, object, whole(object), options, caller);
}

/** A patch may leave the type out, where that is known, but not make the object one of another. */
function checkType(
  definition: Decodable,
  { apiVersion, metadata }: KubeObject,
  object: Draft<KubeObject>,
  patchType: PatchDocument['type'],
): void {
  const { group, kind, custom } = definition;
  const missing = custom ? missingType(object) : undefined;
  if (missing) throw unfit(object, `Object '${missing}' is missing in '${JSON.stringify(object)}'`);
  // A strategic merge is one of Go structs, which have no type of their own to change.
  const given = patchType === 'strategic' ? { kind, apiVersion } : object;
  if (custom && given.kind !== kind) {
    throw invalid({ group, kind: given.kind }, metadata.name, [invalidValue('kind', given.kind, `must be ${kind}`)]);
  }
  if (custom && given.apiVersion !== apiVersion) {
    const problem = invalidValue('apiVersion', given.apiVersion, `must be ${apiVersion}`);
    throw invalid({ group, kind }, metadata.name, [problem]);
  }
  if ((given.kind ?? kind) !== kind || (given.apiVersion ?? apiVersion) !== apiVersion) {
    const [asked, version] = [given.kind ?? kind, given.apiVersion ?? apiVersion].map((text) => JSON.stringify(text));
    throw unfit(object, `no kind ${asked} is registered for version ${version} in scheme "pkg/runtime/scheme.go:111"`);
  }
  object.kind = kind;
  object.apiVersion = apiVersion;
}

function applyPatch({ schema }: Decodable, current: unknown, { type, body }: PatchDocument): unknown {
  switch (type) {
    case 'json':
      return applyJsonPatch(current, body);
    case 'merge':
      return applyMergePatch(current, body);
    case 'strategic':
      if (!isObject(body))
        throw badRequest('error decoding patch: json: cannot unmarshal into Go value of type map[string]interface {}');
      return strategicMergePatch(schema, current, body);
  }
}

/** The patched document is no object of its kind: told with the whole of it, as Kubernetes does. */
function unfit(value: unknown, problem: string): StatusError {
  const message = `Invalid value: ${goJson(JSON.stringify(isObject(value) ? sortedTop(value) : value))}: ${problem}`;
  return new StatusError('Invalid', ` "" is invalid: patch: ${message}`, {
    details: { causes: [{ reason: 'FieldValueInvalid', message, field: 'patch' }] },
  });
}

function sortedTop(value: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)));
}
