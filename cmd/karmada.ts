/** `kairship karmada`: the engine of an instance, with an API server of its own or beside one of others. */
import { join } from 'node:path';
import { karmadaApiServer } from '#karmada/engine/index.ts';
import { CommandFailure, EXIT } from './cli/failure.ts';
import { type EngineFlags, engineSettings } from './karmada-flags.ts';
import { explainOnly, remoteEngine } from './karmada-remote.ts';
import { type KubeProgramOptions, runKubeProgram } from './kube-program.ts';

export interface KarmadaProgramOptions extends KubeProgramOptions, EngineFlags {
  /** The kubeconfig of another API server that holds Karmada's kinds. */
  readonly server?: string;
  readonly explainOnly?: boolean;
  readonly leaderElect?: boolean;
  readonly leaderElectResourceNamespace?: string;
  readonly allowNoExecuteTaintPolicy?: boolean;
}

export function karmada(options: KarmadaProgramOptions): Promise<void> {
  const settings = engineSettings(options);
  const { server, allowNoExecuteTaintPolicy = false } = options;
  if (options.explainOnly && server === undefined) {
    throw new CommandFailure('--explain-only needs --server', {
      why: 'it explains what another Karmada has placed',
      next: 'kairship karmada --server KUBECONFIG --explain-only',
      code: EXIT.usage,
    });
  }
  return runKubeProgram('karmada', options, async ({ dataDir, ...parts }) => {
    const engine = { ...settings, ...(dataDir === undefined ? {} : filesIn(dataDir)) };
    if (server !== undefined) {
      return options.explainOnly
        ? explainOnly({ ...parts, server, settings })
        : remoteEngine({ ...parts, server, settings: engine, options });
    }
    const instance = await karmadaApiServer({ ...parts, engine, allowNoExecuteTaintPolicy });
    await instance.ready;
    return { ...instance.server, close: () => instance.close() };
  });
}

function filesIn(dataDir: string) {
  return { decisionsFile: join(dataDir, 'decisions.db'), tracesFile: join(dataDir, 'traces.db') };
}
