/** Rows of the index's tables as values. */
import type {
  FoundObject,
  IndexedKind,
  SourceState,
  StreamFreshness,
  StreamPhase,
  StreamState,
} from './index-store.ts';
import type { Row } from './sql-database.ts';

export function numberAt(row: Row | undefined, column: string): number {
  return Number(row?.[column] ?? 0);
}

export function textAt(row: Row | undefined, column: string): string {
  return String(row?.[column] ?? '');
}

export function streamOf(row: Row): StreamState {
  return {
    cluster: textAt(row, 'cluster'),
    kind: numberAt(row, 'kind'),
    phase: textAt(row, 'phase') as StreamPhase,
    position: textAt(row, 'position'),
    changedAt: numberAt(row, 'changed_at'),
    message: textAt(row, 'message'),
  };
}

export function sourceOf(row: Row): SourceState {
  return {
    name: textAt(row, 'name'),
    identity: textAt(row, 'identity'),
    reachable: numberAt(row, 'reachable') === 1,
    heardAt: numberAt(row, 'heard_at'),
    message: textAt(row, 'message'),
  };
}

export function freshnessOf(row: Row): StreamFreshness {
  return { ...streamOf(row), reachable: numberAt(row, 'reachable') === 1, heardAt: numberAt(row, 'heard_at') };
}

export function kindOf(row: Row): IndexedKind {
  return {
    id: numberAt(row, 'id'),
    group: textAt(row, 'grp'),
    version: textAt(row, 'version'),
    resource: textAt(row, 'resource'),
    kind: textAt(row, 'kind'),
    namespaced: numberAt(row, 'namespaced') === 1,
    singular: textAt(row, 'singular'),
    shortNames: JSON.parse(textAt(row, 'short_names')) as readonly string[],
    categories: JSON.parse(textAt(row, 'categories')) as readonly string[],
    verbs: ['get', 'list', 'watch'],
    subresources: [],
  };
}

export function foundOf(row: Row): FoundObject {
  return {
    id: numberAt(row, 'id'),
    kind: numberAt(row, 'kind'),
    cluster: textAt(row, 'cluster'),
    namespace: textAt(row, 'namespace'),
    name: textAt(row, 'name'),
    revision: numberAt(row, 'revision'),
    body: textAt(row, 'body'),
  };
}
