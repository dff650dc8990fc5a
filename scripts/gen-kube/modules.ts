/** The Go modules the tables are made from, and how they come onto this machine. The only place that names versions. */
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';

export const KUBERNETES_VERSION = 'v1.35.8';
const LIBRARY_VERSION = 'v0.35.8';

/** Go import path prefix → module version. */
const MODULES = {
  'k8s.io/kubernetes': KUBERNETES_VERSION,
  'k8s.io/api': LIBRARY_VERSION,
  'k8s.io/apimachinery': LIBRARY_VERSION,
  'k8s.io/apiextensions-apiserver': LIBRARY_VERSION,
  'k8s.io/kube-aggregator': LIBRARY_VERSION,
} as const;

export type ModuleName = keyof typeof MODULES;
/** Where each module's files lie. */
export type Modules = Readonly<Record<ModuleName, string>>;

const NO_GO =
  'gen:kube needs the `go` command (any recent version) to fetch the Kubernetes API modules; it is not found.';

/** Downloads what is missing (checked by Go's checksum database) and says where it is. */
export function fetchModules(): Modules {
  return mapModules((name, version) => {
    const answer: unknown = JSON.parse(runGo(['mod', 'download', '-json', `${name}@${version}`]));
    const directory = typeof answer === 'object' && answer !== null && 'Dir' in answer ? answer.Dir : undefined;
    if (typeof directory !== 'string') throw new Error(`go did not say where ${name}@${version} is`);
    return directory;
  });
}

/** The modules if all of them are in Go's module cache already; nothing is fetched. */
export function cachedModules(): Modules | undefined {
  let cache: string;
  try {
    cache = runGo(['env', 'GOMODCACHE']).trim();
  } catch {
    return undefined;
  }
  const modules = mapModules((name, version) => join(cache, `${name}@${version}`));
  return Object.values(modules).every((directory) => existsSync(directory)) ? modules : undefined;
}

/** The directory of a Go package in one of the modules. */
export function packageDirectory(modules: Modules, path: string): string {
  for (const [name, directory] of Object.entries(modules)) {
    if (path.startsWith(`${name}/`)) return join(directory, path.slice(name.length + 1));
  }
  throw new Error(`no module holds the Go package ${path}`);
}

function mapModules(locate: (name: string, version: string) => string): Modules {
  return Object.fromEntries(Object.entries(MODULES).map(([name, version]) => [name, locate(name, version)])) as Record<
    ModuleName,
    string
  >;
}

function runGo(args: readonly string[]): string {
  try {
    return execFileSync('go', args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  } catch (cause) {
    const missing = cause instanceof Error && 'code' in cause && cause.code === 'ENOENT';
    throw new Error(missing ? NO_GO : `go ${args.join(' ')} failed`, { cause });
  }
}
