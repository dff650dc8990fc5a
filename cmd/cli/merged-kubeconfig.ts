/**
 * A kubeconfig of somebody's, with entries of ours in it.
 *
 * Pure: text in, text out. Only entries that carry our extension (`kairship.io`) are ever replaced or removed; comments,
 * order and everything of others stay as they are, `current-context` too. An entry of others that has a name of ours is
 * a refusal, not an overwrite.
 */
import { type Document, isMap, isSeq, parseDocument, type YAMLMap, type YAMLSeq } from 'yaml';
import { CommandFailure } from './failure.ts';

const EXTENSION = 'kairship.io';

/** One context with its cluster and its user; users are shared by name. */
export interface OwnEntry {
  readonly name: string;
  readonly server: string;
  readonly ca?: string;
  readonly user: string;
  readonly namespace?: string;
  /** What it stands for, so that it can be found again when that is gone. */
  readonly instance: string;
  readonly cluster?: string;
}

export interface OwnUser {
  readonly name: string;
  readonly credential: object;
}

export interface Merged {
  readonly text: string;
  /** Contexts that pointed elsewhere before. */
  readonly moved: readonly string[];
  /** Contexts of ours that stand for nothing any more. */
  readonly removed: readonly string[];
}

type List = 'clusters' | 'users' | 'contexts';
const BODY = { clusters: 'cluster', users: 'user', contexts: 'context' } as const satisfies Record<List, string>;

/** Puts entries in; those of ours for the same platform and instances that are not among them go. */
export function mergeInto(text: string, entries: readonly OwnEntry[], users: readonly OwnUser[]): Merged {
  const document = read(text);
  const origins = new Set(entries.map(({ server }) => new URL(server).origin));
  const instances = new Set(entries.map(({ instance }) => instance));
  const names = new Set(entries.map(({ name }) => name));
  for (const list of ['clusters', 'contexts'] as const) refuseTaken(document, list, names);
  refuseTaken(document, 'users', new Set(users.map(({ name }) => name)));

  const moved = entries.filter((entry) => pointsElsewhere(document, entry)).map(({ name }) => name);
  const removed: string[] = [];
  for (const list of ['clusters', 'contexts'] as const)
    removeOwn(document, list, (own, name) => {
      const gone = !names.has(name) && origins.has(String(own['origin'])) && instances.has(String(own['instance']));
      if (gone && list === 'contexts') removed.push(name);
      return gone;
    });
  for (const entry of entries) {
    set(document, 'clusters', entry.name, withOwn(clusterBody(entry), entry));
    set(document, 'contexts', entry.name, withOwn(contextBody(entry), entry));
  }
  for (const { name, credential } of users) set(document, 'users', name, withOwn(credential));
  return { text: print(document, text), moved, removed };
}

/** Makes a context the current one. */
export function withCurrentContext(text: string, name: string): string {
  const document = read(text);
  document.set('current-context', name);
  return print(document, text);
}

export function hasContext(text: string, name: string): boolean {
  return itemsOf(read(text), 'contexts').some((item) => item.get('name') === name);
}

export function setsCurrentContext(text: string): boolean {
  const current = read(text).get('current-context');
  return typeof current === 'string' && current !== '';
}

function read(text: string): Document {
  const document = parseDocument(text.trim() === '' ? 'apiVersion: v1\nkind: Config\npreferences: {}\n' : text);
  const [error] = document.errors;
  if (error || !isMap(document.contents))
    throw new CommandFailure('the kubeconfig cannot be read', {
      why: error?.message.split('\n')[0] ?? 'it is no mapping',
      next: 'repair it, or name another file: KUBECONFIG=FILE',
      cause: error,
    });
  return document;
}

/** kubectl writes lists without indentation; whatever the file does is kept. */
function print(document: Document, before: string): string {
  const indentSeq = !/^(clusters|users|contexts):\s*\n-/m.test(before);
  return document.toString({ lineWidth: 0, indentSeq, flowCollectionPadding: false });
}

function itemsOf(document: Document, list: List): YAMLMap[] {
  const found = document.get(list);
  return isSeq(found) ? found.items.filter(isMap) : [];
}

function ownOf(item: YAMLMap, list: List): Record<string, unknown> | undefined {
  const body = item.get(BODY[list]);
  const extensions = isMap(body) ? body.toJSON()['extensions'] : undefined;
  if (!Array.isArray(extensions)) return undefined;
  const found = (extensions as readonly { name?: unknown; extension?: unknown }[]).find(
    ({ name }) => name === EXTENSION,
  );
  return found ? ((found.extension ?? {}) as Record<string, unknown>) : undefined;
}

function refuseTaken(document: Document, list: List, names: ReadonlySet<string>): void {
  for (const item of itemsOf(document, list)) {
    const name = String(item.get('name'));
    if (!names.has(name) || ownOf(item, list)) continue;
    throw new CommandFailure(`the kubeconfig has a ${BODY[list]} "${name}" already`, {
      why: 'it is not one of ours, so it is left as it is',
      next: 'give ours another name: --prefix kairship-',
    });
  }
}

function pointsElsewhere(document: Document, { name, server }: OwnEntry): boolean {
  const item = itemsOf(document, 'clusters').find((each) => each.get('name') === name);
  return item !== undefined && item.getIn(['cluster', 'server']) !== server;
}

function removeOwn(
  document: Document,
  list: List,
  isGone: (own: Record<string, unknown>, name: string) => boolean,
): void {
  const found = document.get(list);
  if (!isSeq(found)) return;
  found.items = found.items.filter((item) => {
    const own = isMap(item) ? ownOf(item, list) : undefined;
    return !own || !isGone(own, String((item as YAMLMap).get('name')));
  });
}

function set(document: Document, list: List, name: string, body: object): void {
  const node = document.createNode({ name, [BODY[list]]: body });
  const found = document.get(list);
  if (!isSeq(found)) return document.set(list, document.createNode([node]));
  const sequence: YAMLSeq = found;
  // `clusters: []` would go on as one long line.
  if (sequence.items.length === 0) sequence.flow = false;
  const at = sequence.items.findIndex((item) => isMap(item) && item.get('name') === name);
  if (at < 0) sequence.items.push(node);
  else sequence.items[at] = node;
}

const withOwn = (body: object, entry?: OwnEntry) => ({
  ...body,
  extensions: [
    {
      name: EXTENSION,
      extension: entry
        ? {
            origin: new URL(entry.server).origin,
            instance: entry.instance,
            ...(entry.cluster === undefined ? {} : { cluster: entry.cluster }),
          }
        : {},
    },
  ],
});

const clusterBody = ({ server, ca }: OwnEntry) => ({
  server,
  ...(ca === undefined ? {} : { 'certificate-authority-data': Buffer.from(ca).toString('base64') }),
});

const contextBody = ({ name, user, namespace }: OwnEntry) => ({
  cluster: name,
  user,
  ...(namespace === undefined ? {} : { namespace }),
});
