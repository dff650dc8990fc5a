/** What machines keep in objects for themselves, taken out for those who read. Pure; nothing is changed in place. */

/** What the index writes into its copies, to remember where they come from. */
const OF_THE_INDEX = 'shadow.clusterpedia.io/cluster-name';

/** By which the engine knows its own. */
const OF_THE_ENGINE = /(^|\.)karmada\.io\//;

type Metadata = Readonly<Record<string, unknown>>;

export function withoutNoise(object: unknown, plain: boolean): unknown {
  if (typeof object !== 'object' || object === null || !('metadata' in object)) return object;
  const { managedFields: _, labels, annotations, ...metadata } = object.metadata as Metadata;
  const kept = (key: string) => key !== OF_THE_INDEX && !(plain && OF_THE_ENGINE.test(key));
  return {
    ...object,
    metadata: { ...metadata, ...some('labels', labels, kept), ...some('annotations', annotations, kept) },
  };
}

function some(name: string, map: unknown, kept: (key: string) => boolean): Metadata {
  const entries = Object.entries((map ?? {}) as Readonly<Record<string, string>>).filter(([key]) => kept(key));
  return entries.length > 0 ? { [name]: Object.fromEntries(entries) } : {};
}
