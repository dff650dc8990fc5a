/**
 * What of a backup comes back, by the keys of the store: pure.
 *
 * Clusters belong to the instance that they have joined, everything else to the copy. Into its own instance all comes
 * back but clusters that have gone to another one since. Into another instance no cluster comes, nor anything of what was
 * done with it: that instance keeps its own, and places what has come on those. So a restore never makes two
 * instances write to one cluster without anybody having said so.
 *
 * What an instance is known by (the uid of its kube-system) is never another's.
 */
import { CLUSTER, NAMESPACES, type ResourceBinding, WORK } from '#karmada/apis/index.ts';
import type { Exceptions } from '#kube/store/snapshot.ts';

export interface Restore {
  readonly instance: string;
  /** Of which instance the backup is. */
  readonly source: string;
  /** Clusters that another instance has now. */
  readonly leaveOut: readonly string[];
  /** Where only a part comes back; all when absent. */
  readonly namespaces?: readonly string[];
}

const IDENTITY = '/registry/namespaces/kube-system';
const CLUSTERS = `/registry/${CLUSTER.group}/${CLUSTER.resource}/`;
const CREDENTIALS = `/registry/secrets/${NAMESPACES.cluster}/`;
const WORK_SPACES = `/registry/namespaces/${NAMESPACES.executionPrefix}`;
/** Works, and the decisions that they follow. */
const DONE_WITH_CLUSTERS = `/registry/${WORK.group}/`;
const BINDINGS = new RegExp(`^${DONE_WITH_CLUSTERS}(cluster)?resourcebindings/`);
/** Kinds whose status is gathered from clusters. */
const TEMPLATES = [
  'apps/',
  'batch/',
  'networking.k8s.io/ingresses/',
  'services/',
  'persistentvolumeclaims/',
  'pods/',
].map((kind) => `/registry/${kind}`);

export function whatComesBack({ instance, source, leaveOut }: Restore): Exceptions {
  if (source === instance) {
    const gone = new Set(leaveOut);
    return {
      keep: (key) => key === IDENTITY,
      without: (key) => gone.has(clusterOf(key) ?? ''),
      change: (key, value) => (gone.size > 0 && BINDINGS.test(key) ? placedAnew(value, gone) : undefined),
    };
  }
  return {
    keep: (key) => key === IDENTITY || [CLUSTERS, CREDENTIALS, WORK_SPACES].some((prefix) => key.startsWith(prefix)),
    without: (key) => clusterOf(key) !== undefined || key.startsWith(DONE_WITH_CLUSTERS),
    change: (key, value) => (TEMPLATES.some((prefix) => key.startsWith(prefix)) ? withoutStatus(value) : undefined),
  };
}

/** What was on them is placed elsewhere: the scheduler sees that replicas are missing. */
function placedAnew(value: Uint8Array, gone: ReadonlySet<string>): Uint8Array {
  const binding = JSON.parse(Buffer.from(value).toString()) as ResourceBinding;
  const clusters = binding.spec.clusters?.filter(({ name }) => !gone.has(name));
  return Buffer.from(JSON.stringify({ ...binding, spec: { ...binding.spec, ...(clusters ? { clusters } : {}) } }));
}

/** How a template is doing was told by clusters that did not come along. */
function withoutStatus(value: Uint8Array): Uint8Array {
  const { status: _, ...template } = JSON.parse(Buffer.from(value).toString()) as Record<string, unknown>;
  return Buffer.from(JSON.stringify(template));
}

/** The cluster that something is there for. */
function clusterOf(key: string): string | undefined {
  for (const prefix of [CLUSTERS, WORK_SPACES]) if (key.startsWith(prefix)) return key.slice(prefix.length);
  if (key.startsWith(CREDENTIALS)) return key.slice(CREDENTIALS.length).replace(/-impersonator$/, '');
  return key
    .split('/')
    .find((part) => part.startsWith(NAMESPACES.executionPrefix))
    ?.slice(NAMESPACES.executionPrefix.length);
}

/** What is to be known of a restore beyond that it is done. */
export function saidOf({ instance, source, leaveOut }: Restore): string {
  if (source !== instance)
    return `no clusters were taken from the backup, which is of instance "${source}": "${instance}" has those that it had`;
  if (leaveOut.length === 0) return '';
  return `left out, because they are members of another instance now: ${leaveOut.join(', ')}`;
}
