/** The operator of embedded instances on this machine: each `Karmada` that is ours, a supervised process. */
import { resolve } from 'node:path';
import { systemClock } from '#base/clock.ts';
import type { Log } from '#base/log.ts';
import { backupControllers } from '#kairship/backups/backup-controllers.ts';
import { backupKeeper } from '#kairship/backups/backup-keeper.ts';
import { embeddedOperator } from '#kairship/instances/index.ts';
import type { DataDirectory } from '#kairship/local/data-directory.ts';
import { type InstanceRunner, instanceRunner } from '#kairship/supervisor/instance-runner.ts';
import { KARMADA_VERSION } from '#karmada/apis/index.ts';
import { KUBERNETES_VERSION } from '#kube/apiserver/version.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import { type Informers, manager } from '#kube/runtime/index.ts';

const KAIRSHIP = resolve(import.meta.dirname, '..', 'kairship.ts');

/** The command line of one of our own programs. */
export const ownProgram = (...args: readonly string[]) => ({
  command: process.execPath,
  args: [...process.execArgv, KAIRSHIP, ...args],
});

export interface EmbeddedDeps {
  readonly directory: DataDirectory;
  readonly log: Log;
  readonly signal: AbortSignal;
  readonly onEnd?: (program: string, how: string) => void;
}

export function embeddedRunner({ directory, log, signal, onEnd }: EmbeddedDeps): InstanceRunner {
  return instanceRunner({
    directory,
    program: (flags) => ownProgram('karmada', ...flags),
    versions: { karmadaVersion: KARMADA_VERSION, kubernetesVersion: KUBERNETES_VERSION.gitVersion },
    clock: systemClock,
    log,
    signal,
    ...(onEnd ? { onEnd } : {}),
  });
}

export interface OperateDeps {
  readonly client: KubeClient;
  readonly informers: Informers;
  readonly runner: InstanceRunner;
  readonly directory: DataDirectory;
  readonly log: Log;
  readonly signal: AbortSignal;
}

/** Runs until the signal aborts. */
export function operate({ client, informers, runner, directory, log, signal }: OperateDeps): Promise<void> {
  const common = { client, informers, clock: systemClock };
  const keeper = backupKeeper(directory, runner);
  const controllers = [embeddedOperator({ ...common, runner }), ...backupControllers({ ...common, keeper })];
  return manager({ client, controllers, informers, log }).start(signal);
}
