/**
 * A whole real Karmada control plane on loopback: Kubernetes' API server with Karmada's definitions, webhooks and
 * aggregated API, the controller-manager and the scheduler. Ready when every one of them has said so.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { hasReason } from '#base/status-error.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import { saveKeyPair } from '#kube/pki/index.ts';
import type { Gvr } from '#kube/meta/gvk.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { karmadaManifests } from './karmada-manifests.ts';
import { freePort, httpsStatus, until } from './processes.ts';
import { type RealKube, realProgram, startRealKube } from './real-kube.ts';

const GVRS = {
  CustomResourceDefinition: { group: 'apiextensions.k8s.io', version: 'v1', resource: 'customresourcedefinitions' },
  MutatingWebhookConfiguration: {
    group: 'admissionregistration.k8s.io',
    version: 'v1',
    resource: 'mutatingwebhookconfigurations',
  },
  ValidatingWebhookConfiguration: {
    group: 'admissionregistration.k8s.io',
    version: 'v1',
    resource: 'validatingwebhookconfigurations',
  },
  APIService: { group: 'apiregistration.k8s.io', version: 'v1', resource: 'apiservices' },
  Namespace: { group: '', version: 'v1', resource: 'namespaces' },
  Service: { group: '', version: 'v1', resource: 'services' },
} as const satisfies Record<string, Gvr>;

export interface RealKarmadaOptions {
  readonly directory: string;
  /** Whether Karmada's own limits of requests per second are lifted, so that nothing waits for them. Default: yes. */
  readonly raiseLimits?: boolean;
  /** Further flags of the controller-manager. */
  readonly managerFlags?: readonly string[];
  readonly webhookFlags?: readonly string[];
}

export interface RealKarmada extends RealKube {
  /** From the first process until everything was ready. */
  readonly startUpMs: number;
}

export async function startRealKarmada(options: RealKarmadaOptions): Promise<RealKarmada> {
  const started = performance.now();
  const { directory } = options;
  const probes = await Promise.all([1, 2].map(() => freePort()));
  const kube = await startRealKube({ directory, prepare: (made) => install(made, options) });
  try {
    startControllers(kube, options, probes);
    await until('the controller-manager and the scheduler', async () => {
      kube.processes.check();
      const answers = await Promise.all(probes.map((port) => fetch(`http://127.0.0.1:${port}/healthz`)));
      return answers.every(({ status }) => status === 200);
    });
    await kube.client.list(CLUSTERS);
    return { ...kube, startUpMs: performance.now() - started };
  } catch (error) {
    await kube.stop();
    throw error;
  }
}

function commonFlags({ kubeconfig }: RealKube, { raiseLimits = true }: RealKarmadaOptions): string[] {
  return [`--kubeconfig=${kubeconfig}`, ...(raiseLimits ? ['--kube-api-qps=1000', '--kube-api-burst=2000'] : [])];
}

function startControllers(kube: RealKube, options: RealKarmadaOptions, probes: readonly number[]): void {
  const probe = (port = 0) => `--health-probe-bind-address=127.0.0.1:${port}`;
  const common = [...commonFlags(kube, options), '--leader-elect=false', '--metrics-bind-address=0'];
  const memberLimits = options.raiseLimits === false ? [] : ['--cluster-api-qps=1000', '--cluster-api-burst=2000'];
  kube.processes.start('karmada-controller-manager', realProgram('karmada-controller-manager'), [
    ...common,
    ...memberLimits,
    probe(probes[0]),
    ...(options.managerFlags ?? []),
  ]);
  kube.processes.start('karmada-scheduler', realProgram('karmada-scheduler'), [...common, probe(probes[1])]);
}

/** Karmada's own API server and webhook, and what they need in Kubernetes'. */
async function install(kube: RealKube, options: RealKarmadaOptions): Promise<void> {
  const { processes, kubeconfig, etcd, directory, ca } = kube;
  const [webhook = 0, aggregated = 0] = await Promise.all([1, 2].map(() => freePort()));
  const certs = join(directory, 'webhook');
  mkdirSync(certs);
  await saveKeyPair(certs, 'tls', await ca.issue({ commonName: 'webhook', ips: ['127.0.0.1'], usages: ['server'] }));
  processes.start('karmada-webhook', realProgram('karmada-webhook'), [
    ...commonFlags(kube, options),
    '--bind-address=127.0.0.1',
    `--secure-port=${webhook}`,
    `--cert-dir=${certs}`,
    '--metrics-bind-address=0',
    '--health-probe-bind-address=0',
    ...(options.webhookFlags ?? []),
  ]);
  const configs = ['--kubeconfig', '--authentication-kubeconfig', '--authorization-kubeconfig'];
  processes.start('karmada-aggregated-apiserver', realProgram('karmada-aggregated-apiserver'), [
    ...configs.map((flag) => `${flag}=${kubeconfig}`),
    `--etcd-servers=${etcd}`,
    '--bind-address=127.0.0.1',
    `--secure-port=${aggregated}`,
    `--tls-cert-file=${join(directory, 'tls.crt')}`,
    `--tls-private-key-file=${join(directory, 'tls.key')}`,
  ]);
  await installObjects(kube, webhook, aggregated);
}

const CLUSTERS: Gvr = { group: 'cluster.karmada.io', version: 'v1alpha1', resource: 'clusters' };

async function installObjects({ client, ca, processes }: RealKube, webhook: number, aggregated: number): Promise<void> {
  const { crds, webhooks } = karmadaManifests(`https://127.0.0.1:${webhook}`, ca.cert);
  for (const name of ['karmada-system', 'karmada-cluster']) {
    await ensure(client, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  }
  await Promise.all([...crds, ...aggregatedApi(ca.cert, aggregated)].map((object) => ensure(client, object)));
  await until('the aggregated API server and the definitions', async () => {
    processes.check();
    const served = new Set((await client.discover()).map(({ group, resource }) => `${resource}.${group}`));
    return served.has('clusters.cluster.karmada.io') && crds.every(({ metadata }) => served.has(metadata.name));
  });
  await until('the webhook', async () => (await httpsStatus(webhook, '/readyz/')) === 200);
  await Promise.all(webhooks.map((object) => ensure(client, object)));
}

/** The Service stands for this machine: the API server follows an external name as it is. */
function aggregatedApi(ca: string, port: number): KubeObject[] {
  const service = { name: 'karmada-aggregated-apiserver', namespace: 'karmada-system' };
  return [
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata: service,
      spec: { type: 'ExternalName', externalName: 'localhost' },
    },
    {
      apiVersion: 'apiregistration.k8s.io/v1',
      kind: 'APIService',
      metadata: { name: 'v1alpha1.cluster.karmada.io' },
      spec: {
        caBundle: Buffer.from(ca).toString('base64'),
        group: 'cluster.karmada.io',
        version: 'v1alpha1',
        groupPriorityMinimum: 2000,
        versionPriority: 10,
        service: { ...service, port },
      },
    },
  ];
}

async function ensure(client: KubeClient, object: KubeObject): Promise<void> {
  const gvr = GVRS[object.kind as keyof typeof GVRS];
  try {
    await client.create(gvr, object);
  } catch (error) {
    if (!hasReason(error, 'AlreadyExists')) throw error;
  }
}
