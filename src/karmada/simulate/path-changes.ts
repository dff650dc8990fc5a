/** In which fields two manifests differ, as people care about: without Karmada's own marks, without secret values. */
import { isObject, jsonEqual } from '#base/json.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import type { PathChange } from './simulation.ts';

const OWN_MARK = /(^|\.)karmada\.io\//;
const HIDDEN = '(hidden)';

export function pathChanges(before: KubeObject, after: KubeObject): readonly PathChange[] {
  const changes: PathChange[] = [];
  collect('', plain(before), plain(after), changes);
  const secret = before.kind === 'Secret' && before.apiVersion === 'v1';
  return secret ? changes.map(hidden) : changes;
}

function plain({ status: _status, ...object }: KubeObject & { readonly status?: unknown }): unknown {
  const { labels, annotations, ...metadata } = object.metadata;
  return { ...object, metadata: { ...metadata, labels: users(labels), annotations: users(annotations) } };
}

function users(entries: Readonly<Record<string, string>> = {}): Record<string, string> {
  return Object.fromEntries(Object.entries(entries).filter(([key]) => !OWN_MARK.test(key)));
}

function collect(path: string, a: unknown, b: unknown, changes: PathChange[]): void {
  if (jsonEqual(a, b)) return;
  if (isObject(a) && isObject(b)) {
    for (const key of new Set([...Object.keys(a), ...Object.keys(b)])) {
      collect(`${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`, a[key], b[key], changes);
    }
  } else if (Array.isArray(a) && Array.isArray(b)) {
    for (let at = 0; at < Math.max(a.length, b.length); at++) collect(`${path}/${at}`, a[at], b[at], changes);
  } else {
    changes.push({ path, ...(a === undefined ? {} : { old: a }), ...(b === undefined ? {} : { new: b }) });
  }
}

function hidden(change: PathChange): PathChange {
  if (!/^\/(data|stringData)(\/|$)/.test(change.path)) return change;
  return {
    path: change.path,
    ...('old' in change ? { old: HIDDEN } : {}),
    ...('new' in change ? { new: HIDDEN } : {}),
  };
}
