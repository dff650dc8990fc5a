/**
 * Credentials from an exec plugin (`client.authentication.k8s.io`), as cloud providers hand them out.
 *
 * The plugin runs when a credential is first wanted, when the last one ended, and when the server refused it; requests
 * that come in the meantime wait for the same run. Plugins that want to talk to a person are refused their terminal.
 */
import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import type { Clock } from '#base/clock.ts';
import { isObject } from '#base/json.ts';
import { StatusError } from '#base/status-error.ts';
import type { KeyPairProvider, TokenProvider } from './cluster-config.ts';
import type { ExecConfig, KubeconfigCluster } from './kubeconfig.ts';

interface Credential {
  readonly token?: string;
  readonly clientCertificateData?: string;
  readonly clientKeyData?: string;
  readonly expirationTimestamp?: string;
}

const SUPPORTED = ['client.authentication.k8s.io/v1', 'client.authentication.k8s.io/v1beta1'];
/** Renewed a little early: a credential that ends on its way to the server is of no use. */
const LEEWAY = 10_000;

export function execCredential(
  config: ExecConfig,
  around: { readonly cluster: KubeconfigCluster; readonly clock: Clock; readonly directory?: string },
): { readonly token: TokenProvider; readonly clientCert: KeyPairProvider } {
  let kept: Promise<Credential> | undefined;
  let endsAt = 0;

  function credential(): Promise<Credential> {
    if (kept && around.clock.now() < endsAt) return kept;
    endsAt = Number.POSITIVE_INFINITY;
    kept = run(config, around).then(
      (fresh) => {
        const end = fresh.expirationTimestamp;
        if (end !== undefined) endsAt = Date.parse(end) - LEEWAY;
        return fresh;
      },
      (error: unknown) => {
        kept = undefined;
        throw error;
      },
    );
    return kept;
  }

  return {
    async token(rejected) {
      const last = await credential();
      if (rejected === undefined || last.token !== rejected) return last.token;
      kept = undefined;
      return (await credential()).token;
    },
    async clientCert() {
      const { clientCertificateData: cert, clientKeyData: key } = await credential();
      return cert !== undefined && key !== undefined ? { cert, key } : undefined;
    },
  };
}

async function run(
  config: ExecConfig,
  { cluster, directory }: { readonly cluster: KubeconfigCluster; readonly directory?: string },
): Promise<Credential> {
  const { apiVersion = '', command, args, env, installHint } = config;
  if (!SUPPORTED.includes(apiVersion)) {
    throw new StatusError('Unauthorized', `exec plugin "${command}" speaks unsupported version "${apiVersion}"`);
  }
  if (config.interactiveMode === 'Always') {
    throw new StatusError('Unauthorized', `exec plugin "${command}" wants a terminal, and there is none`);
  }
  const info = {
    kind: 'ExecCredential',
    apiVersion,
    spec: { interactive: false, ...(config.provideClusterInfo ? { cluster } : {}) },
  };
  // A path is relative to the kubeconfig, a bare name is looked up in PATH.
  const program = /[\\/]/.test(command) ? resolve(directory ?? '.', command) : command;
  const own = Object.fromEntries((env ?? []).map(({ name, value }) => [name, value]));
  const output = await outputOf(program, args ?? [], {
    ...process.env,
    ...own,
    KUBERNETES_EXEC_INFO: JSON.stringify(info),
  }).catch((cause: unknown) => {
    const hint = installHint ? `: ${installHint.trim()}` : '';
    throw new StatusError('Unauthorized', `exec plugin "${command}" failed${hint}`, { cause });
  });
  return credentialOf(output, config);
}

function credentialOf(output: string, { command, apiVersion }: ExecConfig): Credential {
  let answer: unknown;
  try {
    answer = JSON.parse(output);
  } catch {
    answer = undefined;
  }
  if (!isObject(answer) || answer['apiVersion'] !== apiVersion || !isObject(answer['status'])) {
    throw new StatusError('Unauthorized', `exec plugin "${command}" did not print an ExecCredential of ${apiVersion}`);
  }
  return answer['status'];
}

function outputOf(program: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<string> {
  return new Promise((resolve, reject) => {
    execFile(program, args, { env, timeout: 60_000, maxBuffer: 1 << 20 }, (error, stdout) => {
      if (error) reject(error);
      else resolve(stdout);
    });
  });
}
