/**
 * The inventory as people and services use it: import, look, change, rotate, remove.
 *
 * Nothing is kept of a cluster that cannot be used: a kubeconfig is looked at first, and refused with a report of what
 * is missing. A new credential must be of the same cluster, and work, before it takes the place of the old one. Making
 * a cluster's facts true is the controllers' work.
 */
import { type Clock, systemClock } from '#base/clock.ts';
import { badRequest, notFound, StatusError } from '#base/status-error.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import { type LabelSelector, parseLabelSelector } from '#kube/meta/label-selector.ts';
import { dnsLabelProblems } from '#kube/meta/names.ts';
import type { IndexReader, UsageSample } from '../index/store/index-store.ts';
import {
  type Cluster,
  type ClusterPhase,
  type ClusterSpec,
  clusters as clustersOf,
  isVirtual,
  KUBECONFIG_KEY,
  OWNED_LABEL,
  REGISTRY_NAMESPACE,
  secretNameOf,
  secrets as secretsOf,
} from './cluster.ts';
import { type ImportReport, problemsOf, type Purpose, validateKubeconfig } from './validate-kubeconfig.ts';

export interface ClusterRegistry {
  list(filter?: ClusterFilter): Promise<readonly Cluster[]>;
  get(name: string): Promise<Cluster>;
  validate(kubeconfig: string, purpose?: Purpose): Promise<ImportReport>;
  /** Validates and keeps; throws `Invalid` with the report in its message and causes. */
  importCluster(request: ImportRequest): Promise<Cluster>;
  update(name: string, change: ClusterChange): Promise<Cluster>;
  /** Replaces the labels people gave; those of the platform stay. */
  setLabels(name: string, labels: Readonly<Record<string, string>>): Promise<Cluster>;
  /** Takes a new credential of the same cluster; throws `Invalid` and keeps the old one when it is not. */
  rotate(name: string, kubeconfig: string, purpose?: Purpose): Promise<ImportReport>;
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

export type ClusterChange = Partial<
  Pick<ClusterSpec, 'aliasName' | 'description' | 'provider' | 'region' | 'zone' | 'collect'>
>;

export interface ImportRequest extends ClusterChange {
  readonly name: string;
  readonly kubeconfig: string;
  readonly labels?: Readonly<Record<string, string>>;
  readonly purpose?: Purpose;
}

export interface RegistryDeps {
  /** Of the global cluster. */
  readonly client: KubeClient;
  readonly reader: IndexReader;
  readonly clock?: Clock;
  readonly validate?: typeof validateKubeconfig;
}

const HOUR_MS = 3_600_000;
const PLATFORM_LABEL = /(^|\.)(kpanda|kairship|ghippo)\.io\//;

export function clusterRegistry(deps: RegistryDeps): ClusterRegistry {
  const { client, reader, clock = systemClock } = deps;
  const examine = deps.validate ?? validateKubeconfig;
  const clusters = clustersOf(client);
  const secrets = secretsOf(client);

  const validate = (kubeconfig: string, purpose: Purpose = 'manage') => examine(kubeconfig, { purpose, clock });

  async function importCluster(request: ImportRequest): Promise<Cluster> {
    const { name, kubeconfig, labels = {}, purpose, ...spec } = request;
    const problems = dnsLabelProblems(name);
    if (problems.length > 0) throw badRequest(`the name of a cluster: ${problems.join('; ')}`);
    if (await clusters.find(name))
      throw new StatusError('AlreadyExists', `clusters.kpanda.io "${name}" already exists`);
    const report = await validate(kubeconfig, purpose);
    if (!report.ok) throw refusal(name, report);
    await refuseTwice(name, report);
    // The credential first: a cluster without one could not be followed, a credential without one is overwritten.
    await keepSecret(name, kubeconfig);
    return clusters.create({
      metadata: { name, labels },
      spec: {
        ...spec,
        ...(report.server === undefined ? {} : { apiEndpoint: report.server }),
        secretRef: { namespace: REGISTRY_NAMESPACE, name: secretNameOf(name), key: KUBECONFIG_KEY },
      },
    });
  }

  async function keepSecret(cluster: string, kubeconfig: string): Promise<void> {
    await secrets.ensure({
      metadata: { namespace: REGISTRY_NAMESPACE, name: secretNameOf(cluster), labels: { [OWNED_LABEL]: cluster } },
      type: 'Opaque',
      data: { [KUBECONFIG_KEY]: Buffer.from(kubeconfig).toString('base64') },
    });
  }

  /** One cluster under two names would be counted, placed and indexed twice. */
  async function refuseTwice(name: string, { kubeSystemID }: ImportReport): Promise<void> {
    if (kubeSystemID === undefined) return;
    const same = (await clusters.list()).find(({ status }) => status?.kubeSystemID === kubeSystemID);
    if (same)
      throw new StatusError(
        'AlreadyExists',
        `cluster "${name}" is in the inventory already, as "${same.metadata.name}"`,
      );
  }

  async function change(name: string, edit: Parameters<typeof clusters.modify>[1]): Promise<Cluster> {
    const changed = await clusters.modify(name, edit);
    if (!changed) throw notFound('clusters', name, 'kpanda.io');
    return changed;
  }

  async function kubeconfig(name: string): Promise<string> {
    const { spec } = await clusters.get(name);
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
    validate,
    importCluster,
    update: (name, wanted) => change(name, (draft) => void Object.assign(draft.spec, wanted)),
    setLabels: (name, labels) =>
      change(name, (draft) => {
        const kept = Object.entries(draft.metadata.labels ?? {}).filter(([key]) => PLATFORM_LABEL.test(key));
        const given = Object.entries(labels).filter(([key]) => !PLATFORM_LABEL.test(key));
        draft.metadata.labels = Object.fromEntries([...given, ...kept]);
      }),
    async rotate(name, text, purpose) {
      const cluster = await clusters.get(name);
      const report = await validate(text, purpose);
      if (!report.ok) throw refusal(name, report);
      const known = cluster.status?.kubeSystemID;
      if (known !== undefined && report.kubeSystemID !== undefined && known !== report.kubeSystemID) {
        throw new StatusError(
          'Invalid',
          `the credential is of another cluster: its kube-system is ${report.kubeSystemID}, that of "${name}" ${known}`,
        );
      }
      const { secretRef } = cluster.spec;
      const key = secretRef.key ?? KUBECONFIG_KEY;
      await secrets.modify(secretRef, (draft) => {
        draft.data = { ...draft.data, [key]: Buffer.from(text).toString('base64') };
      });
      const { server } = report;
      if (server !== undefined) await clusters.modify(name, (draft) => void (draft.spec.apiEndpoint = server));
      return report;
    },
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

function refusal(name: string, report: ImportReport): StatusError {
  const causes = report.checks
    .filter(({ ok }) => !ok)
    .map(({ name: field, message }) => ({ reason: 'FieldValueInvalid', field, message }));
  return new StatusError('Invalid', `cluster "${name}" cannot be used: ${problemsOf(report)}`, {
    details: { name, group: 'kpanda.io', kind: 'clusters', causes },
  });
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
