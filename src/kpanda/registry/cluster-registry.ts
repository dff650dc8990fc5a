/**
 * The inventory as people and services use it: import, look, change, rotate, remove.
 *
 * Nothing is kept of a cluster that cannot be used: a kubeconfig is looked at first, and refused with a report of what
 * is missing. A new credential must be of the same cluster, and work, before it takes the place of the old one. Making
 * a cluster's facts true is the controllers' work.
 */
import { systemClock } from '#base/clock.ts';
import { badRequest, notFound } from '#base/status-error.ts';
import { type LabelSelector, parseLabelSelector } from '#kube/meta/label-selector.ts';
import type { IndexReader, UsageSample } from '../index/store/index-store.ts';
import {
  type Cluster,
  type ClusterPhase,
  clusters as clustersOf,
  isVirtual,
  KUBECONFIG_KEY,
  secrets as secretsOf,
} from './cluster.ts';
import {
  type AdmissionDeps,
  type ClusterAdmission,
  type ClusterChange,
  clusterAdmission,
} from './cluster-admission.ts';

export interface ClusterRegistry extends ClusterAdmission {
  list(filter?: ClusterFilter): Promise<readonly Cluster[]>;
  get(name: string): Promise<Cluster>;
  update(name: string, change: ClusterChange): Promise<Cluster>;
  /** Replaces the labels people gave; those of the platform stay. */
  setLabels(name: string, labels: Readonly<Record<string, string>>): Promise<Cluster>;
  kubeconfig(name: string): Promise<string>;
  /** Resolves when its removal has begun; the cluster itself is never asked, it may be dead. */
  remove(name: string): Promise<void>;
  /** CPU and memory, of the cluster (`node` empty) and of each node, oldest first. */
  usage(name: string, sinceMs?: number): Promise<readonly UsageSample[]>;
}

export interface ClusterFilter {
  readonly showVirtualCluster?: boolean;
  readonly name?: string;
  readonly fuzzyName?: string;
  readonly phase?: ClusterPhase;
  readonly kubernetesVersion?: string;
  readonly provider?: string;
  readonly region?: string;
  readonly zone?: string;
  readonly labelSelector?: string;
}

export interface RegistryDeps extends AdmissionDeps {
  readonly reader: IndexReader;
}

const HOUR_MS = 3_600_000;
const PLATFORM_LABEL = /(^|\.)(kpanda|kairship|ghippo)\.io\//;

export function clusterRegistry(deps: RegistryDeps): ClusterRegistry {
  const { client, reader, clock = systemClock } = deps;
  const clusters = clustersOf(client);
  const secrets = secretsOf(client);

  async function change(name: string, edit: Parameters<typeof clusters.modify>[1]): Promise<Cluster> {
    const changed = await clusters.modify(name, edit);
    if (!changed) throw notFound('clusters', name, 'kpanda.io');
    return changed;
  }

  async function kubeconfig(name: string): Promise<string> {
    const { spec } = await clusters.get(name);
    // The kubeconfig is of another cluster then, and opens all of that.
    if (spec.apiPath !== undefined)
      throw badRequest(`cluster "${name}" has no kubeconfig of its own here: it is reached through its agent`);
    const secret = await secrets.get(spec.secretRef);
    const data = secret.data?.[spec.secretRef.key ?? KUBECONFIG_KEY];
    if (data === undefined) throw notFound('secrets', spec.secretRef.name);
    return Buffer.from(data, 'base64').toString('utf8');
  }

  return {
    async list(filter = {}) {
      const wanted = filterOf(filter);
      return (await clusters.list()).filter(wanted);
    },
    get: (name) => clusters.get(name),
    ...clusterAdmission(deps),
    update: (name, wanted) => change(name, (draft) => void Object.assign(draft.spec, wanted)),
    setLabels: (name, labels) =>
      change(name, (draft) => {
        const kept = Object.entries(draft.metadata.labels ?? {}).filter(([key]) => PLATFORM_LABEL.test(key));
        const given = Object.entries(labels).filter(([key]) => !PLATFORM_LABEL.test(key));
        draft.metadata.labels = Object.fromEntries([...given, ...kept]);
      }),
    kubeconfig,
    async remove(name) {
      await clusters.get(name);
      await clusters.remove(name);
    },
    async usage(name, sinceMs = clock.now() - HOUR_MS) {
      await clusters.get(name);
      return reader.usage(name, sinceMs);
    },
  };
}

function filterOf(filter: ClusterFilter): (cluster: Cluster) => boolean {
  const selector: LabelSelector = parseLabelSelector(filter.labelSelector ?? '');
  const same = (wanted: string | undefined, found: string | undefined) => !wanted || wanted === found;
  return (cluster) => {
    const { metadata, spec, status } = cluster;
    return (
      (filter.showVirtualCluster === true || !isVirtual(cluster)) &&
      same(filter.name, metadata.name) &&
      metadata.name.includes(filter.fuzzyName ?? '') &&
      same(filter.phase, status?.phase ?? 'Pending') &&
      same(filter.kubernetesVersion, status?.kubernetesVersion) &&
      same(filter.provider, spec.provider) &&
      same(filter.region, spec.region) &&
      same(filter.zone, spec.zone) &&
      selector.matches(metadata.labels)
    );
  };
}
