/**
 * What `kubectl get` prints, asked of the same API with the same credentials but without starting a program: journeys
 * look at clusters hundreds of times, and a process each was a quarter of their cost.
 *
 * It knows what journeys ask (`get KIND[,KIND] [NAME]`, `get KIND/NAME…`, `-n`, `-A`, `-l`, `--ignore-not-found`, and
 * of outputs `name`, `json`, `yaml` and `jsonpath=`) and says of everything else that it does not: that is kubectl's.
 */
import { stringify } from 'yaml';
import { hasReason } from '#base/status-error.ts';
import { httpClient } from '#kube/client/http-client.ts';
import type { ApiResource, KubeClient } from '#kube/client/kube-client.ts';
import { loadKubeconfig } from '#kube/client/load-config.ts';
import { restMapper } from '#kube/client/rest-mapper.ts';
import { parseJsonPath, printJsonValue } from '#kube/meta/json-path.ts';
import type { KubeObject } from '#kube/meta/object.ts';

interface Asked {
  /** What and, for one of them, its name. */
  readonly things: readonly (readonly [kind: string, name?: string])[];
  /** Absent: all of them. */
  readonly namespace: string | undefined;
  readonly labelSelector: string | undefined;
  readonly isOptional: boolean;
  readonly output: string;
}

/** Reads a cluster; undefined for what only kubectl can do. */
export type Reading = (args: readonly string[]) => Promise<string> | undefined;

export function reading(kubeconfig: string): Reading {
  // A connection of its own for each question, as kubectl has: a server may have been started again since the last.
  async function asking<T>(ask: (client: KubeClient) => Promise<T>): Promise<T> {
    const client = httpClient(await loadKubeconfig(kubeconfig));
    try {
      return await ask(client);
    } finally {
      client.close();
    }
  }
  const types = restMapper({ discover: () => asking((client) => client.discover()) });
  return (args) => {
    const asked = parsed(args);
    if (!asked) return undefined;
    return asking(async (client) => {
      const found: Found[] = [];
      for (const [kind, name] of asked.things) {
        const type = await types.byName(kind);
        for (const object of await objectsOf(client, type, asked, name)) found.push({ type, object });
      }
      return printed(asked, found);
    });
  };
}

interface Found {
  readonly type: ApiResource;
  readonly object: KubeObject;
}

async function objectsOf(
  client: KubeClient,
  type: ApiResource,
  { namespace, labelSelector, isOptional }: Asked,
  name: string | undefined,
): Promise<readonly KubeObject[]> {
  const where = type.namespaced && namespace !== undefined ? { namespace } : {};
  if (name === undefined) {
    const list = await client.list(type, { ...where, ...(labelSelector === undefined ? {} : { labelSelector }) });
    return list.items.map((object) => ({ ...object, apiVersion: list.apiVersion, kind: type.kind }));
  }
  try {
    return [await client.get(type, { ...where, name })];
  } catch (error) {
    if (isOptional && hasReason(error, 'NotFound')) return [];
    throw error;
  }
}

function parsed([verb, ...args]: readonly string[]): Asked | undefined {
  if (verb !== 'get') return undefined;
  const words: string[] = [];
  const options = new Map<string, string>();
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at] ?? '';
    if (['-A', '--ignore-not-found'].includes(word)) options.set(word, '');
    else if (['-n', '-o', '-l'].includes(word)) options.set(word, args[(at += 1)] ?? '');
    else if (word.startsWith('-')) return undefined;
    else words.push(word);
  }
  const output = options.get('-o') ?? '';
  if (!/^(name|json|yaml|jsonpath=.*)$/.test(output)) return undefined;
  return {
    things: thingsIn(words),
    namespace: options.has('-A') ? undefined : (options.get('-n') ?? 'default'),
    labelSelector: options.get('-l'),
    isOptional: options.has('--ignore-not-found'),
    output,
  };
}

function thingsIn(words: readonly string[]): Asked['things'] {
  const [kinds = '', name] = words;
  if (kinds.includes('/')) return words.map((word) => word.split('/') as [string, string]);
  return kinds.split(',').map((kind) => (name === undefined ? [kind] : [kind, name]));
}

function printed({ things, output }: Asked, found: readonly Found[]): string {
  if (output === 'name')
    return found
      .map(({ type, object }) => `${type.singular}${type.group && `.${type.group}`}/${object.metadata.name}`)
      .join('\n');
  const isOne = things.length === 1 && things[0]?.[1] !== undefined;
  if (isOne && found.length === 0) return '';
  const value = isOne ? found[0]?.object : { kind: 'List', items: found.map(({ object }) => object) };
  if (output === 'json') return JSON.stringify(value);
  if (output === 'yaml') return stringify(value).trim();
  return parseJsonPath(output.slice('jsonpath='.length)).find(value).map(printJsonValue).join(' ');
}
