/**
 * A client for code in the same process: the verbs called directly, with decoded objects both ways.
 *
 * What it returns is the cache's own and shared by all who ask; what it is given is copied before it is changed.
 */
import { draftOf } from '#base/json.ts';
import { badRequest, notFound } from '#base/status-error.ts';
import type { KubeClient, WriteOptions as ClientWriteOptions } from '#kube/client/kube-client.ts';
import type { Gvr } from '#kube/meta/gvk.ts';
import type { ObjectKey } from '#kube/meta/object.ts';
import type { User } from './admission.ts';
import { type Authorizer, requireAllowed } from './auth/authorize.ts';
import type { Caller, Core } from './core.ts';
import type { CatalogGroup } from './discovery/catalog.ts';
import type { Extensions } from './extensions.ts';
import { methodNotAllowed, resourceNotServed } from './failures.ts';
import { watchInProcess } from './in-process-watch.ts';
import type { Served } from './served.ts';
import { applyObject } from './verbs/apply.ts';
import { createObject } from './verbs/create.ts';
import { deleteObject } from './verbs/delete.ts';
import { deleteCollection } from './verbs/delete-collection.ts';
import { getObject } from './verbs/get.ts';
import { listObjects } from './verbs/list.ts';
import { patchObject } from './verbs/patch.ts';
import { getScale, updateScale } from './verbs/scale.ts';
import { updateObject } from './verbs/update.ts';
import { decodeObject, whole } from './write/decode.ts';
import { editable } from './write/editable.ts';
import { isPart } from './write/prepare-update.ts';
import type { WriteOptions } from './write/write-options.ts';

export interface InProcessDeps {
  readonly core: Core;
  readonly authorizer: Authorizer;
  readonly extensions: Extensions;
  groups(): readonly CatalogGroup[];
  text(path: string): string | undefined;
  readonly closing: AbortSignal;
}

export function inProcessClient(deps: InProcessDeps, user: User, agent: string): KubeClient {
  const { core } = deps;
  const caller: Caller = { user, agent, warn: () => undefined };

  function find(gvr: Gvr): Served {
    const served = core.registry.find(gvr);
    if (!served) throw resourceNotServed();
    return served;
  }

  async function allowed(verb: string, gvr: Gvr, at: { namespace?: string; name?: string }, subresource?: string) {
    const { group, version, resource } = gvr;
    await requireAllowed(deps.authorizer, user, { verb, group, version, resource, subresource, ...at });
  }

  async function extended(verb: string, gvr: Gvr, key: Partial<ObjectKey>, subresource?: string, body?: unknown) {
    const extension = deps.extensions.find({ ...gvr, ...(subresource === undefined ? {} : { subresource }) }, verb);
    if (!extension) return undefined;
    const query = new URLSearchParams();
    const answer = await extension.serve({ verb, user, ...key, query, signal: deps.closing, body: async () => body });
    if (!answer) throw badRequest(`${gvr.resource} can only be used over HTTP`);
    return answer.object;
  }

  const client: KubeClient = {
    async get(gvr, key, options = {}) {
      await allowed('get', gvr, key, options.subresource);
      const special = await extended('get', gvr, key, options.subresource);
      if (special !== undefined) return asObject(special);
      const served = find(gvr);
      const { scale } = served.definition;
      if (options.subresource === 'scale' && scale) return asObject(getScale(served, scale, key));
      if (options.subresource !== undefined && !isPart(options.subresource)) throw resourceNotServed();
      return asObject((await getObject(core, served, key, options.resourceVersion)).object);
    },
    async list(gvr, options = {}) {
      const { namespace } = options;
      await allowed('list', gvr, namespace === undefined ? {} : { namespace });
      const special = await extended('list', gvr, namespace === undefined ? {} : { namespace });
      if (special !== undefined) return asObject(special);
      const served = find(gvr);
      const listed = await listObjects(core, served, options);
      return asObject({
        apiVersion: served.apiVersion,
        kind: served.listKind,
        metadata: {
          resourceVersion: String(listed.revision),
          ...(listed.continue === undefined ? {} : { continue: listed.continue }),
          ...(listed.remaining === undefined ? {} : { remainingItemCount: listed.remaining }),
        },
        items: listed.entries.map((entry) => entry.object),
      });
    },
    async *watch(gvr, options) {
      const { namespace } = options;
      await allowed('watch', gvr, namespace === undefined ? {} : { namespace });
      const signal = AbortSignal.any([options.signal, deps.closing]);
      for await (const event of watchInProcess(core, find(gvr), options, signal)) yield asObject(event);
    },
    async create(gvr, object, options = {}) {
      const { namespace, name } = object.metadata;
      const at = { ...(namespace === undefined ? {} : { namespace }), ...(name === undefined ? {} : { name }) };
      await allowed('create', gvr, at, options.subresource);
      const special = await extended('create', gvr, at, options.subresource, object);
      if (special !== undefined) return asObject(special);
      if (options.subresource !== undefined) throw methodNotAllowed();
      const served = find(gvr);
      const draft = decodeObject(served.definition, whole(draftOf(object)), writeOptions(options), caller);
      return asObject((await createObject(core, served, caller, namespace, draft, writeOptions(options))).object);
    },
    async update(gvr, object, options = {}) {
      const { namespace, name } = object.metadata;
      const at = { ...(namespace === undefined ? {} : { namespace }), name };
      await allowed('update', gvr, at, options.subresource);
      const special = await extended('update', gvr, at, options.subresource, object);
      if (special !== undefined) return asObject(special);
      const served = find(gvr);
      const { scale } = served.definition;
      if (options.subresource === 'scale' && scale) {
        return asObject(await updateScale(core, served, scale, caller, at, { object }, writeOptions(options)));
      }
      const draft = decodeObject(served.definition, whole(editable(object)), writeOptions(options), caller);
      const { subresource } = options;
      return asObject(
        (await updateObject(core, served, caller, at, draft, { ...writeOptions(options), subresource })).entry.object,
      );
    },
    async patch(gvr, key, patch, options = {}) {
      await allowed('patch', gvr, key, options.subresource);
      const served = find(gvr);
      const { scale } = served.definition;
      const { subresource } = options;
      if (subresource === 'scale' && scale) {
        return asObject(await updateScale(core, served, scale, caller, key, patch, writeOptions(options)));
      }
      return asObject(
        (await patchObject(core, served, caller, key, patch, { ...writeOptions(options), subresource })).object,
      );
    },
    async apply(gvr, object, options) {
      const { namespace, name } = object.metadata;
      const at = { ...(namespace === undefined ? {} : { namespace }), name };
      await allowed('patch', gvr, at, options.subresource);
      const { subresource, force } = options;
      const wanted = { ...writeOptions(options), subresource, force };
      const served = find(gvr);
      const { scale } = served.definition;
      const body = draftOf(object);
      if (subresource === 'scale' && scale) {
        return asObject(await updateScale(core, served, scale, caller, at, { type: 'apply', body }, wanted));
      }
      return asObject((await applyObject(core, served, caller, at, body, wanted)).entry.object);
    },
    async delete(gvr, key, options = {}) {
      await allowed('delete', gvr, key);
      await deleteObject(core, find(gvr), caller, key, { ...options, dryRun: options.dryRun ? ['All'] : [] });
    },
    async deleteCollection(gvr, options = {}) {
      const { namespace } = options;
      await allowed('deletecollection', gvr, namespace === undefined ? {} : { namespace });
      await deleteCollection(core, find(gvr), caller, options, { ...options, dryRun: options.dryRun ? ['All'] : [] });
    },
    async discover() {
      return deps.groups().flatMap(({ name: group, versions }) =>
        versions.flatMap(({ version, resources }) =>
          resources
            .filter((entry) => entry.verbs.length > 0)
            .map((entry) => ({
              group,
              version,
              kind: entry.kind.kind,
              resource: entry.resource,
              singular: entry.singular,
              shortNames: entry.shortNames,
              categories: entry.categories,
              namespaced: entry.namespaced,
              verbs: entry.verbs,
              subresources: entry.subresources.map(({ subresource }) => subresource),
            })),
        ),
      );
    },
    async getText(path) {
      await requireAllowed(deps.authorizer, user, { verb: 'get', path });
      const text = deps.text(path);
      if (text === undefined) throw notFound('paths', path);
      return text;
    },
  };
  return client;
}

function writeOptions({ fieldManager, fieldValidation, dryRun }: ClientWriteOptions): WriteOptions {
  return { fieldManager, fieldValidation: fieldValidation ?? 'Ignore', dryRun: dryRun ? ['All'] : [] };
}

/** A caller that names a type gets the objects of the resource it names as that type; that they fit is its business. */
function asObject(value: unknown): never {
  return value as never;
}
