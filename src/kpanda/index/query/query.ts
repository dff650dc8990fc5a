/** A question to the index, understood and checked; `parse-query.ts` reads one, `query-sql.ts` asks it. */
import type { LabelSelector } from '#kube/meta/label-selector.ts';
import type { KindId } from '../store/index-store.ts';
import type { FieldPath } from '#kube/meta/field-path.ts';

export interface Query {
  /** Which kinds; one for a list, several for a collection. */
  readonly kinds: readonly KindId[];
  readonly clusters?: readonly string[];
  readonly namespaces?: readonly string[];
  readonly names?: readonly string[];
  /** Parts of the name, all of which must be in it. */
  readonly nameParts?: readonly string[];
  /** Parts of the name, none of which may be in it. */
  readonly notNameParts?: readonly string[];
  /** Words that must each be in the name, a label or an image. */
  readonly words?: readonly string[];
  readonly since?: number;
  readonly before?: number;
  readonly owner?: Owner;
  readonly labels?: LabelSelector;
  readonly fields?: readonly FieldTest[];
  readonly order?: readonly Order[];
  readonly limit?: number;
  /** Where the page before ended. */
  readonly after?: string;
  readonly offset?: number;
  readonly withRemaining?: boolean;
  readonly onlyMetadata?: boolean;
}

export interface Owner {
  readonly uid?: string;
  readonly name?: string;
  /** The owner's kinds, with `name`; any when absent. */
  readonly kinds?: readonly KindId[];
  /** How many generations between the owner and what is looked for; 0 is its own. */
  readonly seniority: number;
}

export interface FieldTest {
  readonly path: FieldPath;
  readonly operator: 'in' | 'notin' | 'exists' | '!';
  readonly values: readonly string[];
}

export const ORDER_COLUMNS = ['cluster', 'namespace', 'name', 'created_at', 'resource_version', 'kind'] as const;
export type OrderColumn = (typeof ORDER_COLUMNS)[number];

export interface Order {
  readonly by: OrderColumn;
  readonly descending: boolean;
}

/** Clusters one after the other, as people read them. */
export const DEFAULT_ORDER: readonly Order[] = (['kind', 'cluster', 'namespace', 'name'] as const).map((by) => ({
  by,
  descending: false,
}));

export const DEFAULT_LIMIT = 500;
export const MAX_LIMIT = 5_000;
