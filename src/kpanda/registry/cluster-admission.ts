/**
 * How clusters and credentials get into the inventory: nothing is kept that cannot be used.
 *
 * A kubeconfig is looked at first, and refused with a report of what is missing. A new credential must be of the same
 * cluster, and work, before it takes the place of the old one.
 */
import { type Clock, systemClock } from '#base/clock.ts';
import { badRequest, StatusError } from '#base/status-error.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import { dnsLabelProblems } from '#kube/meta/names.ts';
import {
  type Cluster,
  type ClusterSpec,
  clusters as clustersOf,
  KUBECONFIG_KEY,
  OWNED_LABEL,
  REGISTRY_NAMESPACE,
  secretNameOf,
  secrets as secretsOf,
} from './cluster.ts';
import { type ImportReport, problemsOf, type Purpose, validateKubeconfig } from './validate-kubeconfig.ts';

export interface ClusterAdmission {
  validate(kubeconfig: string, purpose?: Purpose): Promise<ImportReport>;
  /** Validates and keeps; throws `Invalid` with the report in its message and causes. */
  importCluster(request: ImportRequest): Promise<Cluster>;
  /** Takes a new credential of the same cluster; throws `Invalid` and keeps the old one when it is not. */
  rotate(name: string, kubeconfig: string, purpose?: Purpose): Promise<ImportReport>;
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

export interface AdmissionDeps {
  /** Of the global cluster. */
  readonly client: KubeClient;
  readonly clock?: Clock;
  readonly validate?: typeof validateKubeconfig;
}

export function clusterAdmission(deps: AdmissionDeps): ClusterAdmission {
  const { client, clock = systemClock } = deps;
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

  async function rotate(name: string, text: string, purpose?: Purpose): Promise<ImportReport> {
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
  }

  return { validate, importCluster, rotate };
}

function refusal(name: string, report: ImportReport): StatusError {
  const causes = report.checks
    .filter(({ ok }) => !ok)
    .map(({ name: field, message }) => ({ reason: 'FieldValueInvalid', field, message }));
  return new StatusError('Invalid', `cluster "${name}" cannot be used: ${problemsOf(report)}`, {
    details: { name, group: 'kpanda.io', kind: 'clusters', causes },
  });
}
