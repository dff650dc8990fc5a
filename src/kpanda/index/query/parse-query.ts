/**
 * Reads a query from a URL: Clusterpedia's parameters, their search labels (for kubectl, which only passes selectors),
 * and Kubernetes' own list options. A parameter of the URL wins over its label.
 *
 * Nothing is ignored that would narrow the answer: unknown parameters and search labels, values out of range and
 * operators that a parameter does not take are refused with the words of the rule.
 */
import { badRequest } from '#base/status-error.ts';
import { type LabelSelector, parseLabelSelector, type Requirement } from '#kube/meta/label-selector.ts';
import type { KindId } from '../store/index-store.ts';
import { parseFields } from './parse-fields.ts';
import { parseTime } from './parse-time.ts';
import { MAX_LIMIT, type Order, ORDER_COLUMNS, type OrderColumn, type Owner, type Query } from './query.ts';

/** What the path has already said. */
export interface QueryScope {
  readonly kinds: readonly KindId[];
  readonly cluster?: string;
  readonly namespace?: string;
  readonly name?: string;
  /** The kinds of `deployments.apps`; none when it is not known. */
  kindsNamed(groupResource: string): readonly KindId[];
}

const SEARCH = 'search.clusterpedia.io/';
const FUZZY = 'internalstorage.clusterpedia.io/fuzzy-name';

/** Each parameter with the search label that says the same; some can only be said in one way. */
const PARAMETERS = {
  clusters: 'clusters',
  namespaces: 'namespaces',
  names: 'names',
  orderby: 'orderby',
  limit: 'limit',
  continue: 'offset',
  since: 'since',
  before: 'before',
  ownerUID: 'owner-uid',
  ownerName: 'owner-name',
  ownerGR: 'owner-gr',
  ownerSeniority: 'owner-seniority',
  withContinue: 'with-continue',
  withRemainingCount: 'with-remaining-count',
} as const;
type Parameter = keyof typeof PARAMETERS;

/** Said in the URL only, besides what Kubernetes itself takes. */
const URL_ONLY = new Set(
  `labelSelector fieldSelector onlyMetadata fuzzyName search groups resources minRevision minRevisionTimeout watch
   timeoutSeconds timeout resourceVersion resourceVersionMatch allowWatchBookmarks sendInitialEvents includeObject pretty`.split(
    /\s+/,
  ),
);
const REFUSED: Readonly<Record<string, string>> = {
  whereSQL: 'SQL is not taken from callers: use labelSelector, fieldSelector and search',
  whereSQLStatement: 'SQL is not taken from callers: use labelSelector, fieldSelector and search',
  injectEvents: 'events are not put into objects: ask for events with fieldSelector=involvedObject.uid=…',
};

const MAX_VALUES = 1_000;
const MAX_WORDS = 10;
const MAX_REQUIREMENTS = 50;
const MAX_OFFSET = 100_000;
const MAX_SENIORITY = 5;

export function parseQuery(url: URLSearchParams, scope: QueryScope): Query {
  for (const name of url.keys()) refuseUnknown(name);
  const all = parseLabelSelector(url.get('labelSelector') ?? '');
  if (all.requirements.length > MAX_REQUIREMENTS)
    throw badRequest(`a label selector has at most ${MAX_REQUIREMENTS} requirements, not ${all.requirements.length}`);
  const { search, labels } = divided(all);
  const values = (name: Parameter) => valuesOf(name, url, search);
  const one = (name: Parameter) => values(name)?.[0];

  const clusters = scope.cluster === undefined ? values('clusters') : [scope.cluster];
  const namespaces = scope.namespace === undefined ? values('namespaces') : [scope.namespace];
  const names = scope.name === undefined ? values('names') : [scope.name];
  const nameParts = [...(url.getAll('fuzzyName') ?? []), ...fuzzyLabels(search)].filter((part) => part !== '');
  const words = (url.get('search') ?? '').split(/\s+/).filter((word) => word !== '');
  if (words.length > MAX_WORDS) throw badRequest(`a search has at most ${MAX_WORDS} words, not ${words.length}`);
  const since = one('since');
  const before = one('before');
  const owner = ownerOf(one, scope);
  const fields = parseFields(url.get('fieldSelector') ?? '');
  const order = values('orderby')?.map(orderOf);
  const limit = wholeNumber('limit', one('limit'), MAX_LIMIT);
  const page = pageOf(url.get('continue') ?? undefined, one('continue'));
  return {
    kinds: scope.kinds,
    ...(clusters ? { clusters } : {}),
    ...(namespaces ? { namespaces } : {}),
    ...(names ? { names } : {}),
    ...(nameParts.length > 0 ? { nameParts } : {}),
    ...(words.length > 0 ? { words } : {}),
    ...(since === undefined ? {} : { since: parseTime('since', since) }),
    ...(before === undefined ? {} : { before: parseTime('before', before) }),
    ...(owner ? { owner } : {}),
    ...(labels.empty ? {} : { labels }),
    ...(fields.length > 0 ? { fields } : {}),
    ...(order && order.length > 0 ? { order } : {}),
    ...(limit === undefined || limit === 0 ? {} : { limit }),
    ...page,
    ...(isTrue('withRemainingCount', one('withRemainingCount')) ? { withRemaining: true } : {}),
    ...(isTrue('onlyMetadata', url.get('onlyMetadata') ?? undefined) ? { onlyMetadata: true } : {}),
  };
}

function refuseUnknown(name: string): void {
  const why = REFUSED[name];
  if (why !== undefined && Object.hasOwn(REFUSED, name)) throw badRequest(`${name}: ${why}`);
  if (!Object.hasOwn(PARAMETERS, name) && !URL_ONLY.has(name)) throw badRequest(`unknown query parameter ${name}`);
}

interface Divided {
  readonly search: readonly Requirement[];
  readonly labels: LabelSelector;
}

/** Labels of Clusterpedia are about the query, all others about objects. */
function divided(all: LabelSelector): Divided {
  const search = all.requirements.filter(({ key }) => key.includes('clusterpedia.io/'));
  if (search.length === 0) return { search, labels: all };
  const known = new Set<string>(Object.values(PARAMETERS).map((name) => SEARCH + name));
  for (const { key, operator } of search) {
    if (!known.has(key) && key !== FUZZY) throw badRequest(`unknown search label ${key}`);
    if (!['=', '==', 'in'].includes(operator))
      throw badRequest(`search label ${key} takes =, == and in, not ${operator}`);
  }
  const others = all.requirements.filter((one) => !search.includes(one));
  return { search, labels: selectorFrom(others) };
}

function selectorFrom(requirements: readonly Requirement[]): LabelSelector {
  const spelled = requirements.map(({ key, operator, values }) => {
    if (operator === 'exists') return key;
    if (operator === '!') return `!${key}`;
    return operator === 'in' || operator === 'notin'
      ? `${key} ${operator} (${values.join()})`
      : `${key}${operator}${values.join()}`;
  });
  return parseLabelSelector(spelled.join());
}

function valuesOf(
  name: Parameter,
  url: URLSearchParams,
  search: readonly Requirement[],
): readonly string[] | undefined {
  const given = url.getAll(name);
  const label = SEARCH + PARAMETERS[name];
  const found =
    given.length > 0
      ? given.flatMap((text) =>
          name === 'continue' || name === 'since' || name === 'before' ? [text] : text.split(','),
        )
      : search.filter(({ key }) => key === label).flatMap(({ values }) => values);
  const values = found.map((value) => value.trim()).filter((value) => value !== '');
  if (values.length > MAX_VALUES) throw badRequest(`${name} takes at most ${MAX_VALUES} values, not ${values.length}`);
  return values.length === 0 ? undefined : values;
}

function fuzzyLabels(search: readonly Requirement[]): readonly string[] {
  return search.filter(({ key }) => key === FUZZY).flatMap(({ values }) => values);
}

function ownerOf(one: (name: Parameter) => string | undefined, scope: QueryScope): Owner | undefined {
  const uid = one('ownerUID');
  const name = one('ownerName');
  if (uid === undefined && name === undefined) return undefined;
  const seniority = wholeNumber('ownerSeniority', one('ownerSeniority'), MAX_SENIORITY) ?? 0;
  if (uid !== undefined) return { uid, seniority };
  const groupResource = one('ownerGR');
  return {
    name: name ?? '',
    seniority,
    ...(groupResource === undefined ? {} : { kinds: scope.kindsNamed(groupResource) }),
  };
}

/** `namespace desc` in a URL, `namespace_desc` in a label. */
function orderOf(text: string): Order {
  const [, by = '', direction] = /^(.*?)(?:[ _](desc|asc))?$/i.exec(text) ?? [];
  if (!isOrderColumn(by))
    throw badRequest(`cannot order by ${JSON.stringify(by)}: only by ${ORDER_COLUMNS.join(', ')}`);
  return { by, descending: direction?.toLowerCase() === 'desc' };
}

function isOrderColumn(text: string): text is OrderColumn {
  return (ORDER_COLUMNS as readonly string[]).includes(text);
}

/** Clusterpedia's `continue` is an offset; ours is where the page ended. Both are taken. */
function pageOf(url: string | undefined, label: string | undefined): Pick<Query, 'after' | 'offset'> {
  const text = url === '' ? undefined : (url ?? label);
  if (text === undefined) return {};
  if (!/^\d+$/.test(text)) return { after: text };
  const offset = wholeNumber('offset', text, MAX_OFFSET) ?? 0;
  return offset === 0 ? {} : { offset };
}

function wholeNumber(name: string, text: string | undefined, max: number): number | undefined {
  if (text === undefined) return undefined;
  const value = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN;
  if (!(value <= max)) throw badRequest(`${name}=${JSON.stringify(text)} is not a whole number up to ${max}`);
  return value;
}

function isTrue(name: string, text: string | undefined): boolean {
  if (text === undefined || text === 'false' || text === '0' || text === '') return false;
  if (text === 'true' || text === '1') return true;
  throw badRequest(`${name}=${JSON.stringify(text)} is neither true nor false`);
}
