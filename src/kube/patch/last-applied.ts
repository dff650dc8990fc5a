import { isObject } from '#base/json.ts';
import { difference, type FieldSet, NOTHING } from './field-set.ts';
import type { AnyObject } from './manage-update.ts';
import type { MergeType } from './merge-type.ts';
import { compare } from './typed-compare.ts';
import { toFieldSet } from './typed-field-set.ts';
import { validateTyped } from './typed-validate.ts';

/**
 * The way from client-side to server-side apply.
 *
 * An object that `kubectl apply` made carries the configuration in an annotation, and its fields belong to updates. When
 * kubectl applies it server-side, the fields that are still as the annotation says are its own, whoever the managers
 * say owns them; and as long as the annotation is there, it is kept up to date, so that the way back stays open.
 */
export const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/** The one field manager these rules are for. */
export const KUBECTL = 'kubectl';

/** What the annotation says was applied and is still so; nothing when there is no such annotation, or an unusable one. */
export function fieldsLastApplied(type: MergeType, apiVersion: string, live: AnyObject): FieldSet {
  const applied = parse(annotationsOf(live)[LAST_APPLIED]);
  if (!isObject(applied) || applied['apiVersion'] !== apiVersion) return NOTHING;
  if (validateTyped(type, applied).length > 0 || validateTyped(type, live).length > 0) return NOTHING;
  const { added, modified, removed } = compare(type, applied, live);
  return difference(difference(difference(toFieldSet(type, applied), modified), added), removed);
}

/** The object with the annotation saying what was applied just now; the object itself when it has no annotation. */
export function withLastApplied(object: AnyObject, config: AnyObject): AnyObject {
  const annotations = annotationsOf(object);
  if (!annotations[LAST_APPLIED]) return object;
  const { [LAST_APPLIED]: _, ...others } = annotations;
  const updated = { ...others, [LAST_APPLIED]: sortedJson(withoutAnnotation(config)) };
  return withAnnotations(object, sizeOf(updated) > MAX_ANNOTATIONS ? others : updated);
}

const MAX_ANNOTATIONS = 256 * 1024;

function sizeOf(annotations: Readonly<Record<string, unknown>>): number {
  let bytes = 0;
  for (const [key, value] of Object.entries(annotations)) bytes += Buffer.byteLength(key + String(value));
  return bytes;
}

function withoutAnnotation(config: AnyObject): AnyObject {
  const annotations = annotationsOf(config);
  if (!Object.hasOwn(annotations, LAST_APPLIED)) return config;
  const { [LAST_APPLIED]: _, ...others } = annotations;
  return withAnnotations(config, others);
}

function annotationsOf(object: AnyObject): Readonly<Record<string, unknown>> {
  const metadata = object['metadata'];
  const annotations = isObject(metadata) ? metadata['annotations'] : undefined;
  return isObject(annotations) ? annotations : {};
}

function withAnnotations(object: AnyObject, annotations: object): AnyObject {
  const metadata = isObject(object['metadata']) ? object['metadata'] : {};
  return { ...object, metadata: { ...metadata, annotations } };
}

function parse(text: unknown): unknown {
  try {
    return typeof text === 'string' ? JSON.parse(text) : undefined;
  } catch {
    return undefined;
  }
}

/** JSON as Kubernetes writes the annotation: keys sorted, characters special to HTML escaped, a line end. */
function sortedJson(value: unknown): string {
  const text = JSON.stringify(value, (_key, part: unknown) =>
    isObject(part) ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1))) : part,
  );
  const escape = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  return `${text.replace(/[<>&\u2028\u2029]/g, escape)}\n`;
}
