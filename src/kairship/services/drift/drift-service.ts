/**
 * What lives in a member otherwise than it was sent, who wrote it there and when, and how it is settled.
 *
 * Lists are read from the index. One object is read where it lives, as the caller, because only there is written down
 * who wrote what. A verdict is carried out as the caller too: in the member for what is put back, in the instance for
 * what is kept or becomes an override.
 */
import { create, fromJson, type JsonObject, type JsonValue, type MessageInitShape } from '@bufbuild/protobuf';
import { timestampFromDate, type Timestamp, ValueSchema } from '@bufbuild/protobuf/wkt';

import { badRequest, hasReason, StatusError } from '#base/status-error.ts';
import {
  DriftSchema,
  DriftService,
  type FieldDriftSchema,
  type FieldVerdict,
  FieldVerdict_Verdict as Verdict,
} from '#gen/proto/kairship/api/drift/v1alpha1/drift_service_pb.ts';
import type { ObjectReference } from '#gen/proto/kairship/api/types/v1alpha1/reference_pb.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import { gvkOf, type Gvr } from '#kube/meta/gvk.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { type ServedService, service } from '#rpc/index.ts';
import { kairshipPermission } from '../../access/kairship-product.ts';
import { clientIn, type Context, reachIn, type ServiceDeps } from '../deps.ts';
import { requireMember } from '../membership.ts';
import { pagination, slice } from '../paging.ts';
import { type FieldDifference, fieldDrift, valueAt } from './field-drift.ts';
import { keptBy } from './kept-fields.ts';
import type { Looked } from './looked.ts';
import { type Drifted, driftedObjects, retentionRules, type Sent, sentObjects } from './sent-objects.ts';
import { settle } from './settle-drift.ts';
import { writtenBy } from './written-by.ts';

const LIST = kairshipPermission('drift', 'list');

export function driftService(deps: ServiceDeps): ServedService {
  const { reads } = deps;

  async function look({ instance, cluster, resource }: Asked, context: Context): Promise<Looked> {
    if (!resource?.kind || !resource.name) throw badRequest('resource: name its kind and its name');
    await requireMember(deps, instance, cluster);
    if (resource.kind === 'Secret') throw badRequest('resource.kind: what secrets hold is not compared');
    const sent = (await sentObjects(reads, instance, cluster)).find(isAbout(resource));
    const known = sent && (await reads.resourceOf(gvkOf(sent.manifest)));
    if (!sent || !known)
      throw new StatusError('NotFound', `nothing was sent to cluster "${cluster}" for ${textOf(resource)}`);
    const gvr = { ...gvkOf(sent.manifest), resource: known.resource };
    const { metadata } = sent.manifest;
    const [template, live, rules] = await Promise.all([
      found(clientIn(deps, context, { instance }), gvr, metadata),
      found(clientIn(deps, context, { instance, cluster }), gvr, metadata),
      retentionRules(reads, instance),
    ]);
    return { sent, gvr, template, live, rules, fields: live ? fieldDrift(sent.manifest, live) : [] };
  }

  return service(DriftService, {
    async listDrift(request, context) {
      const { instance, cluster, namespace, kind, name } = request;
      if (cluster) await requireMember(deps, instance, cluster);
      const { all, instances, namespaces } = reachIn(deps, context, LIST, instance);
      const mayAll = all || instances.includes(instance);
      const own = new Set(namespaces.map((scope) => scope.namespace));
      const sent = (await sentObjects(reads, instance, cluster)).filter(
        ({ manifest: { kind: found_, metadata } }) =>
          (mayAll || own.has(metadata.namespace ?? '')) &&
          isWanted(metadata.namespace ?? '', namespace) &&
          isWanted(found_.toLowerCase(), kind.toLowerCase()) &&
          metadata.name.includes(name),
      );
      const drifted = await driftedObjects(reads, instance, sent);
      return { items: slice(request, drifted).map(listedDrift), pagination: pagination(request, drifted.length) };
    },

    getDrift: async (request, context) => driftMessage(await look(request, context), deps.clock.now()),

    async resolveDrift(request, context) {
      const looked = await look(request, context);
      const { instance, cluster } = request;
      const chosen = (verdict: Verdict) => chosenFields(looked, request.verdicts, verdict);
      requireKnown(request.verdicts, looked);
      const written = await settle(
        {
          control: clientIn(deps, context, { instance }),
          member: clientIn(deps, context, { instance, cluster }),
          dryRun: request.dryRun,
        },
        looked,
        { putBack: chosen(Verdict.PUT_BACK), keep: chosen(Verdict.KEEP), override: chosen(Verdict.OVERRIDE) },
      );
      return { written: written.map((object) => object as unknown as JsonObject) };
    },
  });
}

interface Asked {
  readonly instance: string;
  readonly cluster: string;
  readonly resource?: ObjectReference | undefined;
}

const isWanted = (value: string, wanted: string): boolean => wanted === '' || value === wanted;

function isAbout({ apiVersion, kind, namespace, name }: ObjectReference): (sent: Sent) => boolean {
  return ({ manifest }) =>
    manifest.kind.toLowerCase() === kind.toLowerCase() &&
    manifest.metadata.name === name &&
    (manifest.metadata.namespace ?? '') === namespace &&
    isWanted(manifest.apiVersion, apiVersion);
}

function textOf({ kind, namespace, name }: ObjectReference): string {
  return `${kind} "${namespace === '' ? name : `${namespace}/${name}`}"`;
}

async function found(client: KubeClient, gvr: Gvr, metadata: KubeObject['metadata']): Promise<KubeObject | undefined> {
  const { namespace, name } = metadata;
  try {
    return await client.get(gvr, { name, ...(namespace ? { namespace } : {}) });
  } catch (error) {
    if (hasReason(error, 'NotFound')) return undefined;
    throw error;
  }
}

function requireKnown(verdicts: readonly FieldVerdict[], { fields, live, sent }: Looked): void {
  if (!live) {
    const { kind, metadata } = sent.manifest;
    throw new StatusError(
      'NotFound',
      `${kind} "${metadata.name}" is not in cluster "${sent.cluster}": there is nothing to settle`,
    );
  }
  if (verdicts.length === 0) throw badRequest('verdicts: say of at least one field what becomes of it');
  for (const { path, verdict } of verdicts) {
    if (verdict === Verdict.UNSPECIFIED) throw badRequest(`verdicts: ${path} has none`);
    if (!fields.some((field) => field.path === path)) throw badRequest(`verdicts: ${path} has not drifted`);
  }
}

function chosenFields(
  { fields }: Looked,
  verdicts: readonly FieldVerdict[],
  verdict: Verdict,
): readonly FieldDifference[] {
  const paths = new Set(verdicts.filter((one) => one.verdict === verdict).map(({ path }) => path));
  return fields.filter(({ path }) => paths.has(path));
}

function referenceTo({ apiVersion, kind, metadata }: KubeObject) {
  return { apiVersion, kind, namespace: metadata.namespace ?? '', name: metadata.name };
}

function listedDrift({ cluster, manifest, live, fields }: Drifted) {
  return create(DriftSchema, { cluster, resource: referenceTo(manifest), count: fields.length, missing: !live });
}

function driftMessage({ sent, template, live, fields, rules }: Looked, now: number) {
  const told = fields.map((field) => fieldMessage(field, { sent, template, live, rules }));
  const times = told.flatMap(({ writtenAt }) => (writtenAt ? [writtenAt] : []));
  const since = times.toSorted((a, b) => Number(a.seconds - b.seconds))[0];
  return create(DriftSchema, {
    cluster: sent.cluster,
    resource: referenceTo(sent.manifest),
    // As lists count: what is kept on purpose is told, but is no drift.
    count: told.filter(({ keptBy: rule }) => !rule).length,
    fields: told,
    missing: !live,
    ...(since ? { since } : {}),
    freshness: {
      source: sent.cluster,
      reachable: true,
      revision: live?.metadata.resourceVersion ?? '',
      heardAt: BigInt(now),
    },
  });
}

type Message = MessageInitShape<typeof FieldDriftSchema> & { readonly writtenAt?: Timestamp };

function fieldMessage(
  { path, livePath, sent: was, live: is }: FieldDifference,
  { sent, template, live, rules }: Pick<Looked, 'sent' | 'template' | 'live' | 'rules'>,
): Message {
  const writer = live && writtenBy(live, livePath);
  const wanted = template && valueAt(template, path);
  return {
    path,
    ...(wanted === undefined ? {} : { template: value(wanted) }),
    ...(was === undefined ? {} : { sent: value(was) }),
    ...(is === undefined ? {} : { live: value(is) }),
    manager: writer?.manager ?? '',
    ...(writer?.time === undefined ? {} : { writtenAt: timestampFromDate(new Date(writer.time)) }),
    keptBy: keptBy(sent.manifest, path, rules) ?? '',
  };
}

const value = (json: unknown) => fromJson(ValueSchema, json as JsonValue);
