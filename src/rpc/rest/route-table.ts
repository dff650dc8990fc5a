/**
 * Finds the route of a verb and a path.
 *
 * A text wins over `*`, `*` over `**`, and a path that ends in `:verb` prefers a template with that verb: so `{name}` and
 * `{name}:promote` live side by side. Two routes with the same shape are refused when the table is made.
 */
import type { PathTemplate, Segment } from './path-template.ts';

export interface RouteTable<Route> {
  find(method: string, path: string): Found<Route>;
}

export type Found<Route> =
  | { readonly kind: 'found'; readonly route: Route; readonly segments: readonly string[] }
  | { readonly kind: 'otherMethod'; readonly allowed: readonly string[] }
  | { readonly kind: 'none' }
  | { readonly kind: 'malformed' };

interface Node<Route> {
  readonly texts: Map<string, Node<Route>>;
  one: Node<Route> | undefined;
  rest: Node<Route> | undefined;
  /** By verb; the empty one is no verb. */
  readonly ends: Map<string, Route>;
}

const NO_VERB = '';

export function routeTable<Route extends { readonly method: string; readonly template: PathTemplate }>(
  routes: readonly Route[],
): RouteTable<Route> {
  const roots = new Map<string, Node<Route>>();
  for (const route of routes) {
    const root = roots.getOrInsertComputed(route.method, () => node<Route>());
    const end = route.template.segments.reduce(child, root);
    const verb = route.template.verb ?? NO_VERB;
    if (end.ends.has(verb)) throw new Error(`two RPCs have the route ${route.method} ${textOf(route.template)}`);
    end.ends.set(verb, route);
  }

  function find(method: string, path: string): Found<Route> {
    const readings = readingsOf(path);
    if (!readings) return { kind: 'malformed' };
    const root = roots.get(method);
    const found = root && firstMatch(root, readings);
    if (found) return { kind: 'found', ...found };
    const allowed = Array.from(roots.keys()).filter((other) => firstMatch(roots.get(other) ?? node(), readings));
    return allowed.length > 0 ? { kind: 'otherMethod', allowed } : { kind: 'none' };
  }

  return { find };
}

interface Reading {
  readonly segments: readonly string[];
  readonly verb: string;
}

/** A path with its verb split off, if it may have one, and as it is; undefined if it cannot be decoded. */
function readingsOf(path: string): Reading[] | undefined {
  const raw = path.slice(1).split('/');
  const last = raw.at(-1) ?? '';
  const colon = last.lastIndexOf(':');
  try {
    const whole = { segments: raw.map(decodeURIComponent), verb: NO_VERB };
    const verb = decodeURIComponent(last.slice(colon + 1));
    if (colon < 0 || verb === NO_VERB) return [whole];
    return [{ segments: [...whole.segments.slice(0, -1), decodeURIComponent(last.slice(0, colon))], verb }, whole];
  } catch {
    return undefined;
  }
}

function firstMatch<Route>(root: Node<Route>, readings: readonly Reading[]) {
  for (const { segments, verb } of readings) {
    const route = match(root, segments, 0, verb);
    if (route) return { route, segments };
  }
  return undefined;
}

function match<Route>(at: Node<Route>, segments: readonly string[], index: number, verb: string): Route | undefined {
  const segment = segments[index];
  if (segment === undefined) return at.ends.get(verb);
  const text = at.texts.get(segment);
  const byText = text && match(text, segments, index + 1, verb);
  if (byText) return byText;
  // An empty segment is a slash too many, never a name.
  if (segment === '') return undefined;
  return (at.one && match(at.one, segments, index + 1, verb)) ?? at.rest?.ends.get(verb);
}

const node = <Route>(): Node<Route> => ({ texts: new Map(), one: undefined, rest: undefined, ends: new Map() });

function child<Route>(at: Node<Route>, segment: Segment): Node<Route> {
  if (segment.kind === 'text') return at.texts.getOrInsertComputed(segment.text, () => node<Route>());
  return (at[segment.kind] ??= node<Route>());
}

/** The template again, without the names of its variables: two that look the same match the same paths. */
export function textOf({ segments, verb }: PathTemplate): string {
  const texts = segments.map((segment) =>
    segment.kind === 'text' ? segment.text : segment.kind === 'one' ? '*' : '**',
  );
  return `/${texts.join('/')}${verb === undefined ? '' : `:${verb}`}`;
}
