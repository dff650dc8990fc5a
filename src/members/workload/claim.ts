/**
 * Which objects are an owner's: those it controls and still selects, and those it selects that nobody controls.
 *
 * {@link claimsOf} decides, {@link claiming} carries it out: an orphan is adopted, what is no longer selected is let go.
 * An owner that is being deleted takes nothing and lets nothing go.
 */
import { hasReason } from '#base/status-error.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import type { LabelSelector } from '#kube/meta/label-selector.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import type { LiveView } from '../live-view.ts';
import { controlledBy, namespaceOf } from '../owners.ts';

export interface Claims<T extends KubeObject> {
  readonly kept: readonly T[];
  readonly adopted: readonly T[];
  readonly released: readonly T[];
}

export function claimsOf<T extends KubeObject>(
  owner: KubeObject,
  selector: LabelSelector,
  { owned, orphans }: { readonly owned: readonly T[]; readonly orphans: readonly T[] },
): Claims<T> {
  const isOwn = ({ metadata }: T) => selector.matches(metadata.labels);
  const kept = owned.filter(isOwn);
  if (isEnding(owner) || selector.empty) return { kept, adopted: [], released: [] };
  return {
    kept,
    adopted: orphans.filter((object) => !isEnding(object) && isOwn(object)),
    released: owned.filter((object) => !isEnding(object) && !isOwn(object)),
  };
}

/** What is the owner's, after adopting and releasing; `eligible` are the orphans worth taking. */
export function claiming<T extends KubeObject>(
  client: KubeClient,
  view: LiveView<T>,
  eligible: (object: T) => boolean = () => true,
): (owner: KubeObject, selector: LabelSelector) => Promise<readonly T[]> {
  async function write(object: T, ownerReferences: NonNullable<T['metadata']['ownerReferences']>): Promise<T[]> {
    try {
      return [await client.update<T>(view.gvr, { ...object, metadata: { ...object.metadata, ownerReferences } })];
    } catch (error) {
      if (hasReason(error, 'NotFound')) return [];
      throw error;
    }
  }

  return async (owner, selector) => {
    const { uid = '' } = owner.metadata;
    const { kept, adopted, released } = claimsOf(owner, selector, {
      owned: view.ownedBy(uid),
      orphans: view.orphans(namespaceOf(owner)).filter(eligible),
    });
    const references = ({ metadata }: T) => metadata.ownerReferences ?? [];
    const taken = await Promise.all(
      adopted.map((object) => write(object, [...references(object), controlledBy(owner)])),
    );
    await Promise.all(
      released.map((object) =>
        write(
          object,
          references(object).filter((reference) => reference.uid !== uid),
        ),
      ),
    );
    return [...kept, ...taken.flat()];
  };
}

const isEnding = ({ metadata }: KubeObject) => metadata.deletionTimestamp !== undefined;
