/**
 * What the programs with an API server inside share: a store, certificates, an administrator, a kubeconfig for them,
 * and a clean end.
 */
import { randomBytes } from 'node:crypto';
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Server as TlsServer } from 'node:tls';
import type { Log } from '#base/log.ts';
import { StatusError } from '#base/status-error.ts';
import {
  type ApiServer,
  clientCertificates,
  MASTERS,
  type RequestWitness,
  staticTokens,
} from '#kube/apiserver/index.ts';
import { auditLog } from '#kube/audit/index.ts';
import type { Authenticator } from '#kube/apiserver/auth/authenticate.ts';
import { newServiceAccountKey } from '#kube/auth/service-account-token.ts';
import { kubeconfigFor, saveKubeconfig } from '#kube/client/kubeconfig.ts';
import type { KeyPair } from '#kube/pki/ca.ts';
import { readIfPresent, writePrivate } from '#kube/pki/private-file.ts';
import { serving } from '#kube/pki/serving.ts';
import { memoryStore, sqliteStore, type Store } from '#kube/store/index.ts';
import { runProgram } from './program.ts';

export interface KubeProgramOptions {
  readonly host: string;
  readonly port: number;
  readonly dataDir?: string;
  readonly kubeconfigOut?: string;
  readonly store?: 'sqlite' | 'memory' | 'etcd';
  /** With `--store etcd`: where it is, and what it wants to see. */
  readonly etcdServers?: string;
  readonly etcdCafile?: string;
  readonly etcdCertfile?: string;
  readonly etcdKeyfile?: string;
  readonly durability: 'full' | 'normal';
  readonly auditLog?: string;
}

/** What a program needs to make its API server. */
export interface Parts {
  readonly store: Store;
  readonly authenticators: readonly Authenticator[];
  readonly log: Log;
  readonly signal: AbortSignal;
  /** Signs the tokens of service accounts. */
  readonly serviceAccountKey: string;
  /** The authority of the server's certificate. */
  readonly ca: () => string;
  /** The same authority with its key, which signs the certificates of clients too. */
  readonly signingAuthority: KeyPair;
  /** Keeps a record of requests, if one is asked for. */
  readonly witness?: RequestWitness;
  /** The folder of the program's own files; absent when nothing is to be kept. */
  readonly dataDir: string | undefined;
}

/** Runs an API server until the program is told to stop. `name` is its context in the kubeconfig. */
export function runKubeProgram(
  name: string,
  options: KubeProgramOptions,
  make: (parts: Parts) => Promise<ApiServer>,
): Promise<void> {
  return runProgram(name, async (program) => {
    const { log, signal } = program;
    const store = await openStore(options, log);
    const token = await adminToken(options.dataDir);
    const admin = { name: 'admin', groups: [MASTERS] };
    const authenticators = [staticTokens({ [token]: admin }), clientCertificates()];
    const pki = join(options.dataDir ?? (await mkdtemp(join(tmpdir(), 'kairship-'))), 'pki');
    const tls = await serving({ directory: pki, commonName: `${name} CA` });
    const audit = options.auditLog === undefined ? undefined : await auditLog({ file: options.auditLog, log });
    const server = await make({
      store,
      authenticators,
      log,
      signal,
      serviceAccountKey: await serviceAccountKey(pki),
      ca: () => tls.ca.cert,
      signingAuthority: tls.ca,
      ...(audit ? { witness: audit.witness } : {}),
      dataDir: options.dataDir,
    });

    const listening = await server.listen({
      host: options.host,
      port: options.port,
      tls: { ...tls.current(), ca: tls.ca.cert },
    });
    if (listening.server instanceof TlsServer) void tls.keepFresh(listening.server, signal);
    const config = kubeconfigFor({ name, server: listening.url, ca: tls.ca.cert, token });
    if (options.kubeconfigOut !== undefined) await saveKubeconfig(options.kubeconfigOut, config);
    program.answers('snapshot', async ({ file = '' }) => {
      if (!store.snapshot) throw new StatusError('NotImplemented', 'what is kept elsewhere is backed up there');
      await store.snapshot(file);
    });
    program.ready({ port: listening.port, url: listening.url });
    if (program.alone) announce(name, listening.url, options);

    return async () => {
      await server.close();
      await audit?.close();
      await store.close();
    };
  });
}

async function openStore(options: KubeProgramOptions, log: Log): Promise<Store> {
  const { store, dataDir, durability } = options;
  const backend = store ?? (options.etcdServers ? 'etcd' : dataDir === undefined ? 'memory' : 'sqlite');
  if (backend === 'etcd') return openEtcd(options, log);
  if (backend === 'memory') return memoryStore();
  if (dataDir === undefined)
    throw new StatusError('BadRequest', '--store sqlite needs --data-dir, a folder to keep the file in');
  return sqliteStore({ file: join(dataDir, 'store.db'), durability, log });
}

async function openEtcd({ etcdServers, ...files }: KubeProgramOptions, log: Log): Promise<Store> {
  if (etcdServers === undefined)
    throw new StatusError('BadRequest', '--store etcd needs --etcd-servers, the address of an etcd');
  // Imported only where it is used: the others start without gRPC.
  const { etcdStore } = await import('#kube/store/etcd/etcd-store.ts');
  const read = async (path: string | undefined) => (path === undefined ? undefined : readFile(path, 'utf8'));
  const [ca, cert, key] = await Promise.all([files.etcdCafile, files.etcdCertfile, files.etcdKeyfile].map(read));
  const tls = { ...(ca ? { ca } : {}), ...(cert ? { cert } : {}), ...(key ? { key } : {}) };
  return etcdStore({ endpoint: etcdServers.split(',')[0] ?? '', tls, log });
}

/** Kept with the data, so that a kubeconfig written once works after a restart. */
async function adminToken(dataDir: string | undefined): Promise<string> {
  const path = dataDir === undefined ? undefined : join(dataDir, 'admin.token');
  const known = path === undefined ? undefined : await readIfPresent(path);
  if (known !== undefined) return known.trim();
  const token = randomBytes(32).toString('base64url');
  if (path !== undefined) await writePrivate(path, `${token}\n`);
  return token;
}

/** Kept with the certificates, so that tokens of service accounts work after a restart. */
export async function serviceAccountKey(directory: string): Promise<string> {
  const path = join(directory, 'sa.key');
  const known = await readIfPresent(path);
  if (known !== undefined) return known;
  const key = newServiceAccountKey();
  await writePrivate(path, key);
  return key;
}

function announce(name: string, url: string, { kubeconfigOut, dataDir }: KubeProgramOptions): void {
  const lines = [
    `${name} serves at ${url}`,
    dataDir === undefined ? 'Nothing is kept: it has no --data-dir.' : `Its data is in ${dataDir}.`,
    ...(kubeconfigOut === undefined
      ? ['Give --kubeconfig-out FILE to get a kubeconfig for it.']
      : ['', `  export KUBECONFIG=${kubeconfigOut}`, '  kubectl api-resources']),
  ];
  process.stdout.write(`${lines.join('\n')}\n`);
}
