/** Which objects of a resource a list or a watch is about: a namespace, a name, labels and fields. */
import { parseFieldSelector, matchFields } from '#kube/meta/field-selector.ts';
import { parseLabelSelector } from '#kube/meta/label-selector.ts';
import type { Entry } from './cache/entry.ts';
import type { CacheEvent } from './cache/resource-cache.ts';
import { inNamespace } from './cache/sorted-entries.ts';
import type { Served } from './served.ts';

export interface Selection {
  /** Equal for equal selections, whatever words they were asked in. */
  readonly id: string;
  /** Whether labels or fields are looked at, so that what is left out can not be counted without looking. */
  readonly filtered: boolean;
  readonly namespace: string | undefined;
  readonly name: string | undefined;
  matches(entry: Entry): boolean;
  /** The matching part of a sorted list, in this version's form. */
  among(entries: readonly Entry[]): readonly Entry[];
  /** What this selection's watchers see of a change, if anything. */
  seen(event: CacheEvent): SeenEvent | undefined;
}

export interface SeenEvent {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED';
  readonly entry: Entry;
}

export interface Selectors {
  readonly namespace?: string | undefined;
  readonly name?: string | undefined;
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
}

export function selection(served: Served, asked: Selectors): Selection {
  const labels = parseLabelSelector(asked.labelSelector ?? '');
  const fields = parseFieldSelector(asked.fieldSelector ?? '');
  const matchesFields = matchFields(fields, served.definition.selectableFields, served.definition.custom);
  const exactName = fields.terms.find((term) => term.field === 'metadata.name' && !term.negated)?.value;
  const { namespace } = asked;
  const name = asked.name ?? exactName;
  const filtered = !labels.empty || fields.terms.length > 0;
  const plain = !filtered && name === undefined;
  const prefix = namespace === undefined ? '' : `${namespace}/`;

  function inScope(key: string): boolean {
    return key.startsWith(prefix) && (name === undefined || (key.endsWith(name) && nameOf(key) === name));
  }

  function passes(entry: Entry | undefined): Entry | undefined {
    if (!entry) return undefined;
    const shown = served.view(entry);
    if (!filtered) return shown;
    return labels.matches(shown.object.metadata.labels) && matchesFields(shown.object) ? shown : undefined;
  }

  return {
    id: JSON.stringify([namespace, name, labels.toString(), fields.toString()]),
    filtered,
    namespace,
    name,
    matches: (entry) => inScope(entry.key) && passes(entry) !== undefined,
    among(entries) {
      const scoped = namespace === undefined ? entries : inNamespace(entries, namespace);
      if (plain) return scoped.map((entry) => served.view(entry));
      const found: Entry[] = [];
      for (const entry of scoped) {
        const shown = inScope(entry.key) ? passes(entry) : undefined;
        if (shown) found.push(shown);
      }
      return found;
    },
    seen(event) {
      if (!inScope(event.key)) return undefined;
      const now = passes(event.entry);
      const before = passes(event.previous);
      if (now) return { type: before ? 'MODIFIED' : 'ADDED', entry: now };
      const last = before && event.last();
      return last && { type: 'DELETED', entry: served.view(last) };
    },
  };
}

function nameOf(key: string): string {
  return key.slice(key.indexOf('/') + 1);
}
