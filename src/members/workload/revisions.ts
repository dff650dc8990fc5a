/**
 * The history of a StatefulSet's or DaemonSet's templates: one ControllerRevision for each that was ever rolled out.
 *
 * {@link planRevisions} decides which revision is that of the current template; {@link revisionKeeper} makes it so. The data
 * of a revision is the patch that brings its template back, which is what `kubectl rollout undo` applies.
 */
import type { ControllerRevision, PodTemplateSpec } from '#gen/kube/types.ts';
import { jsonEqual } from '#base/json.ts';
import { hasReason } from '#base/status-error.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import type { LiveView } from '../live-view.ts';
import { controlledBy, isControlledBy, namespaceOf } from '../owners.ts';
import { CONTROLLER_REVISIONS } from '../resources.ts';
import { contentHash } from './template-hash.ts';

export interface Revised extends KubeObject {
  readonly spec?: { readonly template?: PodTemplateSpec; readonly revisionHistoryLimit?: number };
  readonly status?: { readonly collisionCount?: number };
}

export type RevisionPlan =
  | { readonly is: 'current'; readonly revision: ControllerRevision }
  /** The template was rolled out before and is again: its revision becomes the newest. */
  | { readonly is: 'renewed'; readonly revision: ControllerRevision }
  | { readonly is: 'new'; readonly revision: ControllerRevision };

/** `label` is the key under which a revision carries its hash. */
export function planRevisions(owner: Revised, known: readonly ControllerRevision[], label: string): RevisionPlan {
  const data = templatePatch(owner.spec?.template);
  const newest = Math.max(0, ...known.map(({ revision }) => revision));
  const same = known.filter((one) => jsonEqual(one.data, data)).toSorted((a, b) => b.revision - a.revision)[0];
  if (same?.revision === newest) return { is: 'current', revision: same };
  if (same) return { is: 'renewed', revision: { ...same, revision: newest + 1 } };
  return { is: 'new', revision: newRevision(owner, data, newest + 1, label) };
}

export function templatePatch(template: PodTemplateSpec | undefined): object {
  return { spec: { template: { ...template, $patch: 'replace' } } };
}

/** The template a revision brings back. */
export function templateOf({ data }: ControllerRevision): PodTemplateSpec {
  const { spec } = data as { readonly spec: { readonly template: PodTemplateSpec & { $patch?: string } } };
  const { $patch: _, ...template } = spec.template;
  return template;
}

function newRevision(owner: Revised, data: object, revision: number, label: string): ControllerRevision {
  const hash = contentHash(data, owner.status?.collisionCount);
  const { annotations } = owner.metadata;
  return {
    apiVersion: 'apps/v1',
    kind: 'ControllerRevision',
    metadata: {
      name: `${owner.metadata.name}-${hash}`,
      namespace: namespaceOf(owner),
      labels: { ...owner.spec?.template?.metadata?.labels, [label]: hash },
      ...(annotations ? { annotations } : {}),
      ownerReferences: [controlledBy(owner)],
    },
    data,
    revision,
  };
}

/** Revisions beyond the history limit that nothing uses any more, oldest first. */
export function obsolete(
  owner: Revised,
  known: readonly ControllerRevision[],
  isUsed: (revision: ControllerRevision) => boolean,
): readonly ControllerRevision[] {
  const idle = known.filter((one) => !isUsed(one)).toSorted((a, b) => a.revision - b.revision);
  return idle.slice(0, Math.max(0, idle.length - (owner.spec?.revisionHistoryLimit ?? 10)));
}

export interface RevisionKeeper {
  /** The revision of the owner's template; `collision` when its name is taken and another hash has to be tried. */
  keep(owner: Revised): Promise<ControllerRevision | 'collision'>;
  of(owner: KubeObject): readonly ControllerRevision[];
  forget(owner: Revised, isUsed: (revision: ControllerRevision) => boolean): Promise<void>;
}

export function revisionKeeper(client: KubeClient, view: LiveView<ControllerRevision>, label: string): RevisionKeeper {
  const of = (owner: KubeObject) => view.ownedBy(owner.metadata.uid ?? '');

  async function create(owner: Revised, revision: ControllerRevision): Promise<ControllerRevision | 'collision'> {
    try {
      return await client.create<ControllerRevision>(CONTROLLER_REVISIONS, revision);
    } catch (error) {
      if (!hasReason(error, 'AlreadyExists')) throw error;
      const taken = view.get(`${namespaceOf(owner)}/${revision.metadata.name}`);
      return taken && isControlledBy(taken, owner) && jsonEqual(taken.data, revision.data) ? taken : 'collision';
    }
  }

  return {
    of,
    async keep(owner) {
      const plan = planRevisions(owner, of(owner), label);
      if (plan.is === 'new') return create(owner, plan.revision);
      if (plan.is === 'renewed') return client.update<ControllerRevision>(CONTROLLER_REVISIONS, plan.revision);
      return plan.revision;
    },
    async forget(owner, isUsed) {
      for (const { metadata } of obsolete(owner, of(owner), isUsed)) {
        await client.delete(CONTROLLER_REVISIONS, metadata).catch((error: unknown) => {
          if (!hasReason(error, 'NotFound')) throw error;
        });
      }
    },
  };
}
