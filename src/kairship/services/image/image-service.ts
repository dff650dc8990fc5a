/** Images of the registries this platform was told of, for choosing one. Without any, lists are empty. */
import { notFound } from '#base/status-error.ts';
import { ImageService } from '#gen/proto/kairship/api/image/v1alpha1/image_service_pb.ts';
import { type ServedService, service } from '#rpc/index.ts';
import { pagination, type PageRequest, slice } from '../paging.ts';
import { type ImageVersion, type OciRegistry, ociRegistry, type RegistryAddress } from './oci-registry.ts';

export interface ImageServiceDeps {
  readonly registries?: readonly RegistryAddress[] | undefined;
}

export function imageService({ registries: addresses = [] }: ImageServiceDeps): ServedService {
  const registries = addresses.map(ociRegistry);

  function find(name: string): OciRegistry {
    const found = registries.find((registry) => registry.name === name);
    if (!found) throw notFound('registries', name, 'kairship.io');
    return found;
  }

  return service(ImageService, {
    listRegistries: (request) =>
      page(
        request,
        registries.map(({ name, host }) => ({ name, host, alias: name })),
      ),
    listProjects: async (request) => page(request, await find(request.registry).projects()),
    async listRepositories(request) {
      const registry = find(request.registry);
      const names = await registry.repositories(request.project);
      const matching = names.filter((name) => name.includes(request.fuzzyName));
      const items = await Promise.all(
        slice(request, matching).map(async (name) => {
          const tags = await registry.tags(request.project, name);
          const versions = request.showArtifacts ? await versionsOf(registry, request.project, name, tags) : [];
          return { name, tagCount: BigInt(tags.length), artifacts: artifactsOf(versions) };
        }),
      );
      return { items, pagination: pagination(request, matching.length) };
    },
    async listArtifacts(request) {
      const { project, repository } = request;
      const registry = find(request.registry);
      const tags = await registry.tags(project, repository);
      const items = artifactsOf(await versionsOf(registry, project, repository, slice(request, tags)));
      return { items, pagination: pagination(request, tags.length) };
    },
    detectKangaroo: () => ({ enabled: registries.length > 0 }),
  });
}

function versionsOf(registry: OciRegistry, project: string, repository: string, tags: readonly string[]) {
  return Promise.all(tags.map((tag) => registry.version(project, repository, tag)));
}

/** Several tags may name one version. */
export function artifactsOf(versions: readonly ImageVersion[]) {
  const byDigest = Map.groupBy(versions, ({ digest }) => digest);
  return [...byDigest].map(([digest, [first, ...more]]) => ({
    digest,
    imageSize: BigInt(first?.size ?? 0),
    pushTime: BigInt(first?.createdAt ?? 0),
    tags: [first, ...more].flatMap((each) => (each ? [{ name: each.tag, pushTime: BigInt(each.createdAt) }] : [])),
  }));
}

function page<T>(request: PageRequest, all: readonly T[]) {
  return { items: slice(request, all), pagination: pagination(request, all.length) };
}
