/**
 * The platforms one has signed in to, one context each, in a file that only its owner can read.
 *
 * The file is `$KAIRSHIP_CONFIG`, else `kairship/config.yaml` below `$XDG_CONFIG_HOME` or `~/.config`. It is replaced as
 * a whole, so that a crash leaves the old one or the new one. Changing it is pure: {@link withContext} and
 * {@link withoutContext}.
 */
import { homedir } from 'node:os';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { isObject } from '#base/json.ts';
import { readIfPresent, writePrivate } from '#kube/pki/private-file.ts';
import { CommandFailure } from './failure.ts';

export interface Context {
  readonly name: string;
  /** `https://host:port` */
  readonly server: string;
  readonly token: string;
  /** By which the server knows the token, to take it back. */
  readonly tokenId?: string;
  /** The authority of the server's certificate, as PEM; those the system trusts when absent. */
  readonly ca?: string;
  readonly user?: string;
  /** The instance that commands are about when none is named. */
  readonly instance?: string;
}

export interface Contexts {
  readonly current?: string;
  readonly contexts: readonly Context[];
}

type Environment = Readonly<Record<string, string | undefined>>;

export function contextsPath(env: Environment = process.env): string {
  if (env['KAIRSHIP_CONFIG']) return env['KAIRSHIP_CONFIG'];
  return join(env['XDG_CONFIG_HOME'] || join(homedir(), '.config'), 'kairship', 'config.yaml');
}

export async function readContexts(path = contextsPath()): Promise<Contexts> {
  const text = await readIfPresent(path);
  if (text === undefined || text.trim() === '') return { contexts: [] };
  try {
    return contextsIn(parse(text));
  } catch (cause) {
    throw new CommandFailure(`${path} cannot be read`, {
      why: cause instanceof Error ? (cause.message.split('\n')[0] ?? '') : String(cause),
      next: 'repair it, or remove it and sign in again: kairship login URL',
      cause,
    });
  }
}

export async function saveContexts(contexts: Contexts, path = contextsPath()): Promise<void> {
  await writePrivate(path, stringify(contexts, { lineWidth: 0 }));
}

/** Adds a context or replaces the one of its name, and makes it current. */
export function withContext({ contexts }: Contexts, added: Context): Contexts {
  const others = contexts.filter(({ name }) => name !== added.name);
  return { current: added.name, contexts: [...others, added] };
}

/** The next one becomes current when it was the current one that went. */
export function withoutContext({ current, contexts }: Contexts, gone: string): Contexts {
  const left = contexts.filter(({ name }) => name !== gone);
  const next = current === gone ? left.at(-1)?.name : current;
  return { ...(next === undefined ? {} : { current: next }), contexts: left };
}

export function findContext({ current, contexts }: Contexts, name = current): Context | undefined {
  return contexts.find((each) => each.name === name);
}

function contextsIn(value: unknown): Contexts {
  if (!isObject(value) || !Array.isArray(value['contexts'])) throw new Error('it has no list of contexts');
  const contexts = (value['contexts'] as readonly unknown[]).map((each) => {
    if (!isObject(each)) throw new Error('a context is no mapping');
    for (const field of ['name', 'server', 'token'])
      if (typeof each[field] !== 'string') throw new Error(`a context has no ${field}`);
    return each as unknown as Context;
  });
  const { current } = value;
  return { ...(typeof current === 'string' ? { current } : {}), contexts };
}
