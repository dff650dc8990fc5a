/**
 * kubeconfig files: their form, reading, merging and writing. `load-config.ts` turns one into a connection.
 *
 * What is written here carries everything embedded and is readable by its owner only: a kubeconfig is a credential.
 */
import { readFile } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { parse, stringify } from 'yaml';
import { isObject } from '#base/json.ts';
import { badRequest } from '#base/status-error.ts';
import type { KeyPair } from '#kube/pki/ca.ts';
import { writePrivate } from '#kube/pki/private-file.ts';

/** A kubeconfig as it is written in a file. */
export interface Kubeconfig {
  readonly apiVersion?: 'v1';
  readonly kind?: 'Config';
  readonly 'current-context'?: string;
  readonly clusters?: readonly { readonly name: string; readonly cluster: KubeconfigCluster }[];
  readonly users?: readonly { readonly name: string; readonly user?: KubeconfigUser | null }[];
  readonly contexts?: readonly { readonly name: string; readonly context: KubeconfigContext }[];
}

export interface KubeconfigCluster {
  readonly server: string;
  readonly 'certificate-authority'?: string;
  readonly 'certificate-authority-data'?: string;
  readonly 'insecure-skip-tls-verify'?: boolean;
  readonly 'tls-server-name'?: string;
  readonly 'proxy-url'?: string;
}

export interface KubeconfigUser {
  readonly token?: string;
  readonly tokenFile?: string;
  readonly 'client-certificate'?: string;
  readonly 'client-certificate-data'?: string;
  readonly 'client-key'?: string;
  readonly 'client-key-data'?: string;
  readonly username?: string;
  readonly password?: string;
  readonly exec?: ExecConfig;
  readonly 'auth-provider'?: { readonly name?: string };
  readonly as?: string;
  readonly 'as-uid'?: string;
  readonly 'as-groups'?: readonly string[];
  readonly 'as-user-extra'?: Readonly<Record<string, readonly string[]>>;
}

export interface ExecConfig {
  readonly apiVersion?: string;
  readonly command: string;
  readonly args?: readonly string[] | null;
  readonly env?: readonly { readonly name: string; readonly value: string }[] | null;
  readonly installHint?: string;
  readonly provideClusterInfo?: boolean;
  readonly interactiveMode?: 'Never' | 'IfAvailable' | 'Always';
}

export interface KubeconfigContext {
  readonly cluster: string;
  readonly user: string;
  readonly namespace?: string;
}

/** The file at `path`, its relative paths made absolute. */
export async function readKubeconfig(path: string): Promise<Kubeconfig> {
  const config = parseKubeconfig(await readFile(path, 'utf8'));
  return withAbsolutePaths(config, dirname(resolve(path)));
}

export function parseKubeconfig(text: string): Kubeconfig {
  let config: unknown;
  try {
    config = parse(text);
  } catch (cause) {
    throw badRequest(`the kubeconfig is no YAML: ${cause instanceof Error ? cause.message : String(cause)}`);
  }
  if (!isObject(config)) throw badRequest('the kubeconfig is empty or no mapping');
  return config;
}

/** As kubectl merges several files: the first to name something has its way. */
export function mergeKubeconfigs(configs: readonly Kubeconfig[]): Kubeconfig {
  const firstOf = <T extends { readonly name: string }>(all: readonly T[]) => [
    ...new Map([...all].reverse().map((item) => [item.name, item])).values(),
  ];
  const current = configs.map((config) => config['current-context']).find((name) => name);
  return {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: firstOf(configs.flatMap((config) => config.clusters ?? [])),
    users: firstOf(configs.flatMap((config) => config.users ?? [])),
    contexts: firstOf(configs.flatMap((config) => config.contexts ?? [])),
    ...(current ? { 'current-context': current } : {}),
  };
}

export interface KubeconfigEntry {
  /** Names the context, its cluster and its user. */
  readonly name: string;
  readonly server: string;
  /** PEM. Without it (and without `insecureSkipTlsVerify`) the system's authorities are trusted. */
  readonly ca?: string;
  readonly insecureSkipTlsVerify?: boolean;
  readonly token?: string;
  readonly cert?: KeyPair;
  readonly namespace?: string;
}

/** A kubeconfig with one context per entry, everything embedded; the first one is current. */
export function kubeconfigFor(...entries: readonly [KubeconfigEntry, ...KubeconfigEntry[]]): Kubeconfig {
  return {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: entries.map(({ name, server, ca, insecureSkipTlsVerify }) => ({
      name,
      cluster: {
        server,
        ...(ca === undefined ? {} : { 'certificate-authority-data': base64(ca) }),
        ...(insecureSkipTlsVerify ? { 'insecure-skip-tls-verify': true } : {}),
      },
    })),
    users: entries.map(({ name, token, cert }) => ({
      name,
      user: {
        ...(token === undefined ? {} : { token }),
        ...(cert ? { 'client-certificate-data': base64(cert.cert), 'client-key-data': base64(cert.key) } : {}),
      },
    })),
    contexts: entries.map(({ name, namespace }) => ({
      name,
      context: { cluster: name, user: name, ...(namespace === undefined ? {} : { namespace }) },
    })),
    'current-context': entries[0].name,
  };
}

export function kubeconfigText(config: Kubeconfig): string {
  return stringify(config, { lineWidth: 0 });
}

export function saveKubeconfig(path: string, config: Kubeconfig): Promise<void> {
  return writePrivate(path, kubeconfigText(config));
}

function withAbsolutePaths(config: Kubeconfig, directory: string): Kubeconfig {
  const absolute = <T extends object>(holder: T, ...fields: readonly (keyof T)[]): T => {
    const result = { ...holder };
    for (const field of fields) {
      const path = holder[field];
      if (typeof path === 'string' && path !== '') Object.assign(result, { [field]: resolve(directory, path) });
    }
    return result;
  };
  return {
    ...config,
    clusters: (config.clusters ?? []).map(({ name, cluster }) => ({
      name,
      cluster: absolute(cluster ?? {}, 'certificate-authority'),
    })),
    users: (config.users ?? []).map(({ name, user }) => ({
      name,
      user: absolute(user ?? {}, 'client-certificate', 'client-key', 'tokenFile'),
    })),
  };
}

function base64(text: string): string {
  return Buffer.from(text).toString('base64');
}
