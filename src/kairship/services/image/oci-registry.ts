/**
 * A registry of images, asked by the distribution API of the Open Container Initiative.
 *
 * Its repositories are `project/rest/of/name`; those without a project are in one called `_`. What it cannot tell (how
 * often something was pulled) is left out.
 */
import { isObject } from '#base/json.ts';
import { notFound, StatusError } from '#base/status-error.ts';

export interface RegistryAddress {
  readonly name: string;
  /** May carry a user and a password. */
  readonly url: string;
}

export interface ImageVersion {
  readonly tag: string;
  readonly digest: string;
  readonly size: number;
  /** When it was built, in milliseconds; 0 where nobody says. */
  readonly createdAt: number;
}

export interface OciRegistry {
  readonly name: string;
  readonly host: string;
  projects(): Promise<readonly string[]>;
  /** Names within the project. */
  repositories(project: string): Promise<readonly string[]>;
  tags(project: string, repository: string): Promise<readonly string[]>;
  version(project: string, repository: string, tag: string): Promise<ImageVersion>;
}

const PATIENCE_MS = 10_000;
const MOST_REPOSITORIES = 5_000;
const NO_PROJECT = '_';
const MANIFESTS = [
  'application/vnd.oci.image.index.v1+json',
  'application/vnd.oci.image.manifest.v1+json',
  'application/vnd.docker.distribution.manifest.list.v2+json',
  'application/vnd.docker.distribution.manifest.v2+json',
].join(', ');

export function ociRegistry({ name, url }: RegistryAddress): OciRegistry {
  const { username, password, host, origin } = new URL(url);
  const login = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`).toString('base64');
  const authorization: Record<string, string> = username === '' ? {} : { authorization: `Basic ${login}` };

  async function get(path: string, accept = 'application/json'): Promise<Response> {
    const headers = { accept, ...authorization };
    const signal = AbortSignal.timeout(PATIENCE_MS);
    const response = await fetch(origin + path, { headers, signal }).catch((cause: unknown) => {
      throw new StatusError('ServiceUnavailable', `registry "${name}" does not answer`, { cause });
    });
    if (response.status === 404) throw notFound('images', path);
    if (!response.ok)
      throw new StatusError('ServiceUnavailable', `registry "${name}" answered with ${response.status} to ${path}`);
    return response;
  }

  async function json(path: string, accept?: string): Promise<Readonly<Record<string, unknown>>> {
    const value: unknown = await (await get(path, accept)).json();
    return isObject(value) ? value : {};
  }

  async function catalog(): Promise<readonly string[]> {
    const { repositories } = await json(`/v2/_catalog?n=${MOST_REPOSITORIES}`);
    return Array.isArray(repositories) ? repositories.map(String) : [];
  }

  return {
    name,
    host,
    projects: async () => [...new Set((await catalog()).map((full) => splitOf(full)[0]))].toSorted(),
    repositories: async (project) =>
      (await catalog())
        .map(splitOf)
        .filter(([found]) => found === project)
        .map(([, rest]) => rest)
        .toSorted(),
    async tags(project, repository) {
      const { tags } = await json(`/v2/${fullName(project, repository)}/tags/list`);
      return Array.isArray(tags) ? tags.map(String).toSorted() : [];
    },
    async version(project, repository, tag) {
      const base = `/v2/${fullName(project, repository)}`;
      const response = await get(`${base}/manifests/${encodeURIComponent(tag)}`, MANIFESTS);
      const digest = response.headers.get('docker-content-digest') ?? '';
      const manifest = await imageOf((await response.json()) as Manifest, (of) =>
        json(`${base}/manifests/${of}`, MANIFESTS),
      );
      const parts = [manifest.config, ...(manifest.layers ?? [])];
      const size = parts.reduce((sum, part) => sum + (part?.size ?? 0), 0);
      const config: Readonly<Record<string, unknown>> = manifest.config?.digest
        ? await json(`${base}/blobs/${manifest.config.digest}`)
        : {};
      const { created } = config;
      return { tag, digest, size, createdAt: typeof created === 'string' ? Date.parse(created) || 0 : 0 };
    },
  };
}

interface Manifest {
  readonly config?: Part;
  readonly layers?: readonly Part[];
  readonly manifests?: readonly Part[];
}

interface Part {
  readonly digest?: string;
  readonly size?: number;
}

/** Of an image for several platforms, the first. */
async function imageOf(manifest: Manifest, get: (digest: string) => Promise<Manifest>): Promise<Manifest> {
  const first = manifest.manifests?.[0]?.digest;
  return first === undefined ? manifest : get(first);
}

function splitOf(full: string): readonly [project: string, repository: string] {
  const slash = full.indexOf('/');
  return slash < 0 ? [NO_PROJECT, full] : [full.slice(0, slash), full.slice(slash + 1)];
}

function fullName(project: string, repository: string): string {
  const full = project === NO_PROJECT ? repository : `${project}/${repository}`;
  return full.split('/').map(encodeURIComponent).join('/');
}
