/** What machines keep in objects for themselves, taken out for those who read. Pure; nothing is changed in place. */

/** What the index writes into its copies, to remember where they come from. */
const OF_THE_INDEX = 'shadow.clusterpedia.io/cluster-name';

/** By which the engine, kubectl and the controllers of a cluster know what they did. */
const OF_MACHINES = /(^|\.)karmada\.io\/|^kubectl\.kubernetes\.io\/last-applied|^deployment\.kubernetes\.io\/revision$/;

/** The one mark that people set by it. */
const OF_PEOPLE = 'resourcetemplate.karmada.io/deletion-protected';

/** What every API server writes by itself, into every object. */
const OF_THE_SERVER = new Set(['uid', 'resourceVersion', 'generation', 'creationTimestamp', 'selfLink']);

type Metadata = Readonly<Record<string, unknown>>;

/** A plain one is what somebody could have written: also without its status, and without the marks of machines. */
export function withoutNoise(object: unknown, plain: boolean): unknown {
  if (typeof object !== 'object' || object === null || !('metadata' in object)) return object;
  const { managedFields: _, labels, annotations, ...metadata } = object.metadata as Metadata;
  const kept = (key: string) => key !== OF_THE_INDEX && !(plain && OF_MACHINES.test(key) && key !== OF_PEOPLE);
  const own = Object.entries(metadata).filter(([key]) => !(plain && OF_THE_SERVER.has(key)));
  return {
    ...Object.fromEntries(Object.entries(object).filter(([key]) => !(plain && key === 'status'))),
    metadata: {
      ...Object.fromEntries(own),
      ...some('labels', labels, kept),
      ...some('annotations', annotations, kept),
    },
  };
}

function some(name: string, map: unknown, kept: (key: string) => boolean): Metadata {
  const entries = Object.entries((map ?? {}) as Readonly<Record<string, string>>).filter(([key]) => kept(key));
  return entries.length > 0 ? { [name]: Object.fromEntries(entries) } : {};
}
