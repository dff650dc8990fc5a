/**
 * What the published API does alike with every kind whose manifests are sent and answered as text: read one, create,
 * replace, patch and delete it.
 *
 * Writes go to the instance as the caller. A manifest that is edited is read from the instance too, because a copy that
 * is a moment old would be refused when it is sent back.
 */
import type { MessageInitShape } from '@bufbuild/protobuf';
import type { EmptySchema } from '@bufbuild/protobuf/wkt';
import type { KubeObject } from '#kube/meta/object.ts';
import { notFound } from '#base/status-error.ts';
import { dataOf, type WrittenKind } from '../write/writes.ts';
import { clientIn, type Context, type ServiceDeps, writesIn } from './deps.ts';

export interface Named {
  readonly instance: string;
  readonly namespace?: string;
  readonly name: string;
}

export interface Sent {
  readonly instance: string;
  readonly namespace?: string;
  readonly name?: string;
  readonly data: string;
}

export interface ManifestRpcs {
  /** The object as the index knows it, or as the instance does if the index does not know it yet. */
  readonly read: (request: Named, context: Context) => Promise<KubeObject>;
  readonly json: (request: Named, context: Context) => Promise<{ data: string }>;
  readonly create: (request: Sent, context: Context) => Promise<{ data: string }>;
  readonly update: (request: Sent, context: Context) => Promise<{ data: string }>;
  readonly patch: (request: Sent & Named, context: Context) => Promise<{ data: string }>;
  readonly remove: (request: Named, context: Context) => Promise<MessageInitShape<typeof EmptySchema>>;
}

export function manifestRpcs(deps: ServiceDeps, kind: WrittenKind): ManifestRpcs {
  const at = ({ namespace, name }: { readonly namespace?: string; readonly name?: string }) => ({
    ...(namespace ? { namespace } : {}),
    ...(name ? { name } : {}),
  });
  const key = ({ namespace, name }: Named) => ({ ...(namespace ? { namespace } : {}), name });

  return {
    async read(request, context) {
      const { instance } = request;
      const known = await deps.reads.get({ instance }, kind, key(request));
      const found = known ?? (await clientIn(deps, context, { instance }).get(kind, key(request)));
      if (!found) throw notFound(kind.resource, request.name, kind.group);
      return found;
    },
    json: async (request, context) => ({
      data: dataOf(await clientIn(deps, context, { instance: request.instance }).get(kind, key(request))),
    }),
    async create(request, context) {
      const { data } = await writesIn(deps, context, { instance: request.instance }).create(
        kind,
        at(request),
        request.data,
      );
      return { data };
    },
    async update(request, context) {
      const { data } = await writesIn(deps, context, { instance: request.instance }).replace(
        kind,
        at(request),
        request.data,
      );
      return { data };
    },
    async patch(request, context) {
      const { data } = await writesIn(deps, context, { instance: request.instance }).mergePatch(
        kind,
        key(request),
        request.data,
      );
      return { data };
    },
    async remove(request, context) {
      await writesIn(deps, context, { instance: request.instance }).remove(kind, key(request));
      return {};
    },
  };
}
