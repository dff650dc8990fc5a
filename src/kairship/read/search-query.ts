/**
 * What people type to find something: words, and fields with a colon.
 *
 *     kind:deployment namespace:shop cluster:eu-1 label:app=web -name:canary nginx
 *
 * Words are looked for in names, labels and images; a field may be given several times where any of its values will do.
 * A field nobody knows is refused by name, because a query that silently looks for less finds too much.
 */
import { badRequest } from '#base/status-error.ts';

export interface SearchQuery {
  readonly words: readonly string[];
  readonly kinds: readonly string[];
  readonly clusters: readonly string[];
  readonly namespaces: readonly string[];
  readonly names: readonly string[];
  /** What the name must not have in it. */
  readonly notNames: readonly string[];
  /** Requirements of a label selector. */
  readonly labels: readonly string[];
}

const FIELDS = {
  kind: 'kinds',
  cluster: 'clusters',
  namespace: 'namespaces',
  ns: 'namespaces',
  name: 'names',
  '-name': 'notNames',
  label: 'labels',
  image: 'words',
} as const satisfies Readonly<Record<string, keyof SearchQuery>>;

const LONGEST = 500;
const MOST_TERMS = 20;

export function parseSearch(text: string): SearchQuery {
  if (text.length > LONGEST) throw badRequest(`query: at most ${LONGEST} characters, found ${text.length}`);
  const terms = text.match(/(?:[^\s"]|"[^"]*")+/g) ?? [];
  if (terms.length > MOST_TERMS) throw badRequest(`query: at most ${MOST_TERMS} words, found ${terms.length}`);
  const found: { -readonly [K in keyof SearchQuery]: string[] } = {
    words: [],
    kinds: [],
    clusters: [],
    namespaces: [],
    names: [],
    notNames: [],
    labels: [],
  };
  for (const term of terms) {
    // The first colon divides, unless what stands before it is no plain word: `nginx:1.27` is an image.
    const [, field = '', value = ''] = /^(-?[a-z]+):(.+)$/i.exec(term) ?? [];
    const place = FIELDS[field.toLowerCase() as keyof typeof FIELDS] as keyof SearchQuery | undefined;
    if (place) found[place].push(unquoted(value));
    else if (isField(field, value)) throw unknownField(field);
    else found.words.push(unquoted(term));
  }
  return found;
}

/** `nginx:1.27` and `web:latest` are images that people paste; `color:red` is a field they made up. */
function isField(field: string, value: string): boolean {
  return field !== '' && /^[a-z]/i.test(value) && !/^(latest|stable|alpine|v\d)/i.test(value);
}

function unknownField(field: string): Error {
  return badRequest(`query: there is no field "${field}"; known are ${Object.keys(FIELDS).join(', ')}`);
}

function unquoted(text: string): string {
  return text.replaceAll('"', '');
}
