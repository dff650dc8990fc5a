/**
 * What a restore would do to what people wrote: pure.
 *
 * What programs write by themselves changes all the time and is not told: events, leases, and what the engine derives from
 * templates. Nor is how something is doing, nor what a store notes on every object.
 */
import { WORK } from '#karmada/apis/index.ts';
import type { Exceptions } from '#kube/store/snapshot.ts';
import type { KubeObject } from '#kube/meta/object.ts';

export type Contents = ReadonlyMap<string, Uint8Array>;

export interface RestoreChange {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly change: 'created' | 'changed' | 'deleted';
}

const DERIVED = [
  'events/',
  'events.k8s.io/',
  'coordination.k8s.io/',
  'endpoints/',
  'discovery.k8s.io/',
  `${WORK.group}/`,
].map((kind) => `/registry/${kind}`);

/** What of a copy is in some namespaces; the namespaces themselves are. */
export function keysIn(copy: Contents, namespaces: readonly string[]): ReadonlySet<string> {
  const wanted = new Set(namespaces);
  return new Set(
    [...copy]
      .filter(([key, value]) => {
        if (isDerived(key)) return false;
        const { kind, metadata } = objectOf(value);
        return wanted.has(metadata.namespace ?? (kind === 'Namespace' ? metadata.name : ''));
      })
      .map(([key]) => key),
  );
}

/** Only those of a copy come back; all else stays as it is. */
export function only(selected: ReadonlySet<string>, { keep, ...others }: Exceptions): Exceptions {
  return { ...others, keep: (key) => !selected.has(key) || keep?.(key) === true };
}

export function changesOf(now: Contents, copy: Contents, exceptions: Exceptions): readonly RestoreChange[] {
  const keys = [...new Set([...copy.keys(), ...now.keys()])];
  const changes = keys.flatMap((key): readonly RestoreChange[] => {
    if (isDerived(key) || exceptions.keep?.(key) === true) return [];
    const [before, after] = [now.get(key), exceptions.without?.(key) === true ? undefined : copy.get(key)];
    if (!after) return before ? [told(before, 'deleted')] : [];
    if (!before) return [told(after, 'created')];
    const isSame = written(before) === written(exceptions.change?.(key, after) ?? after);
    return isSame ? [] : [told(after, 'changed')];
  });
  return changes.toSorted((a, b) => textOf(a).localeCompare(textOf(b)));
}

function isDerived(key: string): boolean {
  return DERIVED.some((prefix) => key.startsWith(prefix));
}

function objectOf(value: Uint8Array): KubeObject {
  return JSON.parse(Buffer.from(value).toString()) as KubeObject;
}

function told(value: Uint8Array, change: RestoreChange['change']): RestoreChange {
  const { apiVersion, kind, metadata } = objectOf(value);
  return { apiVersion, kind, namespace: metadata.namespace ?? '', name: metadata.name, change };
}

const textOf = ({ kind, namespace, name }: RestoreChange) => `${kind}/${namespace}/${name}`;

/** What somebody wrote of it. */
function written(value: Uint8Array): string {
  const { status: _, metadata, ...rest } = objectOf(value) as KubeObject & { readonly status?: unknown };
  const { resourceVersion: _1, uid: _2, generation: _3, creationTimestamp: _4, managedFields: _5, ...meta } = metadata;
  return JSON.stringify({ ...rest, metadata: meta });
}
