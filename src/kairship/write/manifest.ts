/**
 * What people send as `data`: one whole manifest, as JSON or YAML text.
 *
 * The path of a request says what is written and where; a manifest that says something else is refused with both, never
 * bent to fit. What it leaves open is filled in from the path.
 */
import { isObject } from '#base/json.ts';
import { badRequest, StatusError } from '#base/status-error.ts';
import { parseYaml } from '#kube/apiserver/write/yaml.ts';
import { apiVersionOf, type Gvk } from '#kube/meta/gvk.ts';
import type { KubeObject } from '#kube/meta/object.ts';

/** What the path of a request says. */
export interface Expected {
  /** Of which kind; any where the path leaves it open. */
  readonly gvk?: Gvk;
  readonly namespace?: string;
  readonly name?: string;
}

const MOST_BYTES = 3 * 1024 * 1024;

export async function manifestFrom(data: string, expected: Expected): Promise<KubeObject> {
  const value = await read(data);
  if (!isObject(value)) throw badRequest(`the manifest must be one object, found ${what(value)}`);
  const metadata = value['metadata'] ?? {};
  if (!isObject(metadata)) throw badRequest(`metadata must be an object, found ${what(metadata)}`);
  const { gvk, namespace, name } = expected;
  const apiVersion = agreed('apiVersion', value['apiVersion'], gvk && apiVersionOf(gvk));
  const kind = agreed('kind', value['kind'], gvk?.kind);
  const meta = {
    ...metadata,
    ...defined('name', agreed('metadata.name', metadata['name'], name)),
    ...defined('namespace', agreed('metadata.namespace', metadata['namespace'], namespace)),
  };
  if (meta['name'] === undefined && metadata['generateName'] === undefined)
    throw new StatusError('Invalid', 'metadata.name: Required value: the manifest has no name');
  if (apiVersion === undefined || kind === undefined)
    throw new StatusError('Invalid', 'apiVersion and kind: Required value: the manifest does not say what it is');
  return { ...value, apiVersion, kind, metadata: meta } as unknown as KubeObject;
}

async function read(data: string): Promise<unknown> {
  if (data.trim() === '') throw badRequest('data is empty: send a manifest as JSON or YAML');
  const bytes = Buffer.from(data);
  if (bytes.length > MOST_BYTES)
    throw new StatusError(
      'RequestEntityTooLarge',
      `the manifest has ${bytes.length} bytes, at most ${MOST_BYTES} are taken`,
    );
  try {
    return await parseYaml(bytes);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new StatusError('BadRequest', `the manifest cannot be read: ${why}`, { cause });
  }
}

/** The one both say, or that one of them says. */
function agreed(field: string, found: unknown, wanted: string | undefined): string | undefined {
  if (found === undefined || found === null || found === '') return wanted;
  if (typeof found !== 'string') throw badRequest(`${field} must be text, found ${what(found)}`);
  if (wanted !== undefined && wanted !== '' && found !== wanted)
    throw badRequest(`${field} of the manifest is "${found}", the request is for "${wanted}"`);
  return found;
}

function defined(key: string, value: string | undefined): Record<string, string> {
  return value === undefined || value === '' ? {} : { [key]: value };
}

function what(value: unknown): string {
  if (value === null || value === undefined) return 'nothing';
  return Array.isArray(value) ? 'a list' : `a ${typeof value}`;
}
