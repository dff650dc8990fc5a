/** etcd, kube-apiserver and, where wanted, kube-controller-manager, as plain processes on loopback. */
import { generateKeyPairSync } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { httpClient, type HttpClient } from '#kube/client/http-client.ts';
import type { ClusterConfig } from '#kube/client/cluster-config.ts';
import { kubeconfigFor, saveKubeconfig } from '#kube/client/kubeconfig.ts';
import { type Ca, createCa, type KeyPair, saveKeyPair } from '#kube/pki/index.ts';
import { REAL_PROGRAMS, realPath, type RealProgram } from '../../scripts/real-setup.ts';
import type { Endpoint } from '../kube/kube-server.ts';
import { freePort, type Processes, processes, until } from './processes.ts';

export interface RealKube {
  readonly directory: string;
  readonly ca: Ca;
  readonly config: ClusterConfig;
  readonly kubeconfig: string;
  readonly client: HttpClient;
  readonly etcd: string;
  readonly processes: Processes;
  stop(): Promise<void>;
}

/** Why the real programs cannot be used here, or undefined when they all can. */
export function realMissing(): string | undefined {
  const missing = REAL_PROGRAMS.filter((name) => realPath(name) === undefined);
  return missing.length === 0 ? undefined : `${missing.join(', ')} not built: npm run real:setup`;
}

export function realProgram(name: RealProgram): string {
  const path = realPath(name);
  if (path === undefined) throw new Error(`${name} is not built: npm run real:setup`);
  return path;
}

/** How a test that speaks plainly reaches it. */
export function endpointOfReal({ config, ca }: RealKube): Endpoint {
  const { clientCert } = config;
  if (typeof clientCert !== 'object') throw new Error('the real server is asked with a certificate');
  return { port: Number(new URL(config.server).port), ca: ca.cert, cert: clientCert.cert, key: clientCert.key };
}

const CONTROLLERS = [
  'namespace',
  'garbagecollector',
  'serviceaccount-token',
  'ttl-after-finished',
  'csrcleaner',
  'csrsigning',
  'clusterrole-aggregation',
];

export interface RealKubeOptions {
  readonly directory: string;
  /** Beyond those of a Karmada control plane. */
  readonly controllers?: readonly string[];
  /** Whether pods are given service accounts: a control plane of Karmada does not. */
  readonly podAccounts?: boolean;
  /**
   * Done before the controllers start: the garbage collector looks for new definitions only twice a minute, and whatever
   * it does not know is not deleted with its owner.
   */
  readonly prepare?: (kube: RealKube) => Promise<void>;
}

/** A Kubernetes API server with the controllers of a control plane; no nodes and no pods. */
export async function startRealKube(options: RealKubeOptions): Promise<RealKube> {
  const { directory, controllers = [], podAccounts = false, prepare } = options;
  mkdirSync(directory, { recursive: true });
  const running = processes(directory);
  try {
    const [etcdPort, peerPort, port, managerPort] = await Promise.all([1, 2, 3, 4].map(() => freePort()));
    const etcd = `http://127.0.0.1:${etcdPort}`;
    running.start('etcd', realProgram('etcd'), etcdFlags(directory, etcd, `http://127.0.0.1:${peerPort}`));
    const ca = await certificates(directory);
    const server = `https://127.0.0.1:${port}`;
    const cert = await ca.issue({ commonName: 'admin', organizations: ['system:masters'], usages: ['client'] });
    const config: ClusterConfig = { server, ca: ca.cert, clientCert: cert, userAgent: 'kubectl' };
    const kubeconfig = join(directory, 'kubeconfig');
    await saveKubeconfig(kubeconfig, kubeconfigFor({ name: 'real', server, ca: ca.cert, cert }));
    const flags = apiserverFlags(directory, etcd, port ?? 0, podAccounts);
    running.start('kube-apiserver', realProgram('kube-apiserver'), flags);
    const client = httpClient(config);
    await until('kube-apiserver', async () => {
      running.check();
      return (await client.getText('/readyz')) === 'ok';
    });
    const stop = async () => {
      client.close();
      await running.stop();
    };
    const kube: RealKube = { directory, ca, config, kubeconfig, client, etcd, processes: running, stop };
    await prepare?.(kube);
    const all = [...CONTROLLERS, ...controllers];
    const manager = managerFlags(directory, kubeconfig, managerPort ?? 0, all);
    running.start('kube-controller-manager', realProgram('kube-controller-manager'), manager);
    return kube;
  } catch (error) {
    await running.stop();
    throw error;
  }
}

/** One authority for everything; what Kubernetes keeps apart for safety may be one in a test. */
async function certificates(directory: string): Promise<Ca> {
  const ca = await createCa({ commonName: 'real' });
  const save = (name: string, pair: KeyPair) => saveKeyPair(directory, name, pair);
  await save('ca', ca);
  const dnsNames = ['localhost', 'karmada-aggregated-apiserver.karmada-system.svc', 'kubernetes.default.svc'];
  await save('tls', await ca.issue({ commonName: 'server', dnsNames, ips: ['127.0.0.1'], usages: ['server'] }));
  await save('proxy', await ca.issue({ commonName: 'front-proxy-client', usages: ['client'] }));
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  writeFileSync(join(directory, 'sa.key'), privateKey.export({ type: 'pkcs1', format: 'pem' }), { mode: 0o600 });
  return ca;
}

function etcdFlags(directory: string, client: string, peer: string): string[] {
  return [
    `--data-dir=${join(directory, 'etcd')}`,
    `--listen-client-urls=${client}`,
    `--advertise-client-urls=${client}`,
    `--listen-peer-urls=${peer}`,
    `--initial-advertise-peer-urls=${peer}`,
    `--initial-cluster=default=${peer}`,
    '--log-level=error',
  ];
}

function apiserverFlags(directory: string, etcd: string, port: number, podAccounts: boolean): string[] {
  const disabled = ['StorageObjectInUseProtection', ...(podAccounts ? [] : ['ServiceAccount'])];
  const file = (name: string) => join(directory, name);
  return [
    `--etcd-servers=${etcd}`,
    `--secure-port=${port}`,
    '--bind-address=127.0.0.1',
    '--authorization-mode=Node,RBAC',
    `--disable-admission-plugins=${disabled.join(',')}`,
    '--service-account-issuer=https://kubernetes.default.svc.cluster.local',
    `--service-account-key-file=${file('sa.key')}`,
    `--service-account-signing-key-file=${file('sa.key')}`,
    '--service-cluster-ip-range=10.96.0.0/12',
    `--tls-cert-file=${file('tls.crt')}`,
    `--tls-private-key-file=${file('tls.key')}`,
    `--client-ca-file=${file('ca.crt')}`,
    `--proxy-client-cert-file=${file('proxy.crt')}`,
    `--proxy-client-key-file=${file('proxy.key')}`,
    `--requestheader-client-ca-file=${file('ca.crt')}`,
    '--requestheader-allowed-names=front-proxy-client',
    '--requestheader-extra-headers-prefix=X-Remote-Extra-',
    '--requestheader-group-headers=X-Remote-Group',
    '--requestheader-username-headers=X-Remote-User',
  ];
}

function managerFlags(directory: string, kubeconfig: string, port: number, controllers: readonly string[]): string[] {
  const file = (name: string) => join(directory, name);
  return [
    ...['--kubeconfig', '--authentication-kubeconfig', '--authorization-kubeconfig'].map(
      (flag) => `${flag}=${kubeconfig}`,
    ),
    '--bind-address=127.0.0.1',
    `--secure-port=${port}`,
    `--controllers=${controllers.join(',')}`,
    '--leader-elect=false',
    `--root-ca-file=${file('ca.crt')}`,
    `--cluster-signing-cert-file=${file('ca.crt')}`,
    `--cluster-signing-key-file=${file('ca.key')}`,
    `--service-account-private-key-file=${file('sa.key')}`,
    '--use-service-account-credentials=true',
  ];
}
