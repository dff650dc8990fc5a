/** Objects that are sent to be answered, never stored: read as any other, with a record of who wrote what. */
import { type Draft, isObject } from '#base/json.ts';
import { badRequest } from '#base/status-error.ts';
import { apiVersionOf, type Gvk } from '#kube/meta/gvk.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { manageUpdate } from '#kube/patch/index.ts';
import { builtinSchema, decodeError, dropUnknownFields, orderFields, strictErrors } from '#kube/schema/index.ts';
import type { ExtensionRequest } from '../extension.ts';
import { writeOptions } from '../http/query.ts';
import { checkWriteOptions } from '../write/write-options.ts';

export type VirtualObject = Draft<KubeObject>;

export interface VirtualKind {
  readonly read: (request: ExtensionRequest) => Promise<VirtualObject>;
  /** Adds the record of what was sent; to be called before the answer is put in. */
  readonly record: (object: VirtualObject, request: ExtensionRequest, now: number, subresource?: string) => void;
  /** With its fields in the order of its type. */
  readonly write: (object: VirtualObject) => unknown;
}

export function virtualKind(gvk: Gvk): VirtualKind {
  const schema = builtinSchema(gvk) ?? {};
  const apiVersion = apiVersionOf(gvk);
  const { kind } = gvk;
  return {
    async read(request) {
      const { fieldValidation = 'Warn', ...options } = writeOptions(request.query);
      checkWriteOptions('CreateOptions', { fieldValidation, ...options });
      const sent = await request.body();
      if (!isObject(sent)) throw badRequest(`the object provided is unrecognized (must be of type ${kind})`);
      const problem = decodeError(schema, sent);
      if (problem) throw badRequest(`${kind} in version "${gvk.version}" cannot be handled as a ${kind}: ${problem}`);
      const unknown = fieldValidation === 'Ignore' ? [] : strictErrors(schema, '', { value: sent, duplicates: [] });
      if (unknown.length > 0 && fieldValidation === 'Strict') {
        const why = `strict decoding error: ${unknown.join(', ')}`;
        throw badRequest(`${kind} in version "${gvk.version}" cannot be handled as a ${kind}: ${why}`);
      }
      for (const one of unknown) request.warn?.(one);
      const metadata = isObject(sent['metadata']) ? { ...sent['metadata'] } : {};
      const draft = { ...sent, apiVersion, kind, metadata } as unknown as VirtualObject;
      dropUnknownFields(schema, draft);
      return draft;
    },
    record(object, { query }, now, subresource) {
      const manager = query.get('fieldManager') ?? 'unknown';
      const entries = manageUpdate({ schema, apiVersion, manager, now, subresource, live: undefined, next: object });
      if (entries.length === 0) return;
      object.metadata.managedFields = entries as NonNullable<VirtualObject['metadata']['managedFields']>;
    },
    write: (object) => orderFields(schema, object),
  };
}
