/**
 * An object in another version of its kind, for members that do not serve the one its template is written in.
 *
 * Only where nothing is lost or changes its meaning: a field that the other version cannot say is refused by name.
 * Start at {@link servedAs}, which says in which version a member can be given a kind, and {@link convert}. The table
 * is in `families.ts`.
 */
import { StatusError } from '#base/status-error.ts';
import { parseApiVersion } from '#kube/meta/gvk.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { FAMILIES } from './families.ts';
import type { Version } from './version.ts';

/** The kind of an object, in one of its versions. */
export interface VersionedKind {
  readonly apiVersion: string;
  readonly kind: string;
}

/** The version itself if it is served, else the best that it can be converted to. */
export function servedAs(
  { apiVersion, kind }: VersionedKind,
  isServed: (apiVersion: string) => boolean,
): string | undefined {
  if (isServed(apiVersion)) return apiVersion;
  return familyOf({ apiVersion, kind }).find((version) => isServed(version.apiVersion))?.apiVersion;
}

/** The object in another version of its kind. Throws `BadRequest` when it cannot be said there. */
export function convert(object: KubeObject, apiVersion: string): KubeObject {
  if (object.apiVersion === apiVersion) return object;
  const family = familyOf(object);
  const from = family.find((version) => version.apiVersion === object.apiVersion);
  const to = family.find((version) => version.apiVersion === apiVersion);
  try {
    if (!from || !to) throw new StatusError('BadRequest', 'no conversion between the two is known');
    const first = from.toFirst?.(object) ?? object;
    return { ...(to.fromFirst?.(first) ?? first), apiVersion };
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    const what = `${object.kind} cannot be converted from ${object.apiVersion} to ${apiVersion}`;
    throw new StatusError('BadRequest', `${what}: ${error.message}`, { cause: error });
  }
}

/** Why a member cannot be given a kind: which versions of it, of the same group, it serves instead. */
export function notServedText({ apiVersion, kind }: VersionedKind, served: readonly VersionedKind[]): string {
  const groups = new Set(
    [apiVersion, ...familyOf({ apiVersion, kind }).map((version) => version.apiVersion)].map(groupOf),
  );
  const others = served.filter((each) => each.kind === kind && groups.has(groupOf(each.apiVersion)));
  if (others.length === 0) return `${apiVersion} ${kind} is not served, in no version`;
  const versions = others.map((each) => each.apiVersion).join(', ');
  return `${apiVersion} ${kind} is not served, only ${versions}, and no conversion is known`;
}

function familyOf({ apiVersion, kind }: VersionedKind): readonly Version[] {
  const family = FAMILIES[kind] ?? [];
  return family.some((version) => version.apiVersion === apiVersion) ? family : [];
}

function groupOf(apiVersion: string): string {
  return parseApiVersion(apiVersion).group;
}
