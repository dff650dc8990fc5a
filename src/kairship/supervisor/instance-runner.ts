/**
 * Runs embedded control planes as supervised processes, each in a folder and on a port of its own.
 *
 * One that is asked for with other flags than it runs with is stopped and started again; calls for one name take turns,
 * so two processes never share a folder. A folder goes only when its control plane is ended for good.
 */
import { readFile, rm } from 'node:fs/promises';
import type { Clock } from '#base/clock.ts';
import { jsonEqual } from '#base/json.ts';
import type { Log } from '#base/log.ts';
import { StatusError } from '#base/status-error.ts';
import type { Runner, Running, Serving } from '../instances/embedded-operator.ts';
import type { DataDirectory } from '../local/data-directory.ts';
import { type Program, type Supervised, supervise } from './supervise.ts';

export interface InstanceRunnerDeps {
  readonly directory: DataDirectory;
  /** The command line of a control plane with these flags. */
  readonly program: (flags: readonly string[]) => Pick<Program, 'command' | 'args'>;
  readonly versions: Pick<Serving, 'karmadaVersion' | 'kubernetesVersion'>;
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
  /** Told when a control plane ended by itself and is started again. */
  readonly onEnd?: (program: string, how: string) => void;
}

export interface InstanceRunner extends Runner {
  /** Starts what ran last at once, as it ran; whoever asks for it afterwards finds it running. */
  resume(): void;
  /** Resolves when every process has ended, after the signal has aborted. */
  stopped(): Promise<void>;
}

interface Plane extends Running {
  flags: readonly string[];
  serving: Serving | undefined;
  /** How it ended last, until it serves again. */
  ended: string | undefined;
  readonly listeners: Set<() => void>;
  /** The running process, and what ends it. */
  life: { readonly supervised: Supervised; readonly stop: AbortController } | undefined;
  /** What is under way for this control plane; the next thing waits for it. */
  turn: Promise<void>;
}

export function instanceRunner(deps: InstanceRunnerDeps): InstanceRunner {
  const { directory, log, clock, signal } = deps;
  const planes = new Map<string, Plane>();

  function newPlane(flags: readonly string[]): Plane {
    const listeners = new Set<() => void>();
    const plane: Plane = {
      flags,
      serving: undefined,
      ended: undefined,
      listeners,
      life: undefined,
      turn: Promise.resolve(),
      current: () => plane.serving,
      trouble: () => plane.ended,
      onChange: (changed) => void listeners.add(changed),
    };
    return plane;
  }

  function next(name: string, plane: Plane, action: () => Promise<void>): void {
    plane.turn = plane.turn.then(action).catch((error: unknown) => {
      log.error('a control plane cannot be started', { instance: name, error });
    });
  }

  async function start(name: string, plane: Plane): Promise<void> {
    if (signal.aborted) return;
    await directory.rememberInstance(name, plane.flags);
    const kubeconfig = directory.at('instances', name, 'kubeconfig');
    const flags = [
      `--data-dir=${directory.at('instances', name)}`,
      `--port=${await directory.portFor(name)}`,
      `--kubeconfig-out=${kubeconfig}`,
      ...plane.flags,
    ];
    const stop = new AbortController();
    const program = { name: `instance-${name}`, logFile: directory.at('logs', `instance-${name}.log`) };
    const supervised = supervise(
      { ...program, ...deps.program(flags) },
      {
        clock,
        log,
        signal: AbortSignal.any([signal, stop.signal]),
        onReady: () => next(name, plane, () => announce(plane, kubeconfig)),
        onEnd(how) {
          plane.ended = how;
          tell(plane);
          deps.onEnd?.(program.name, how);
        },
      },
    );
    plane.life = { supervised, stop };
  }

  async function announce(plane: Plane, kubeconfig: string): Promise<void> {
    if (!plane.life) return;
    plane.serving = { kubeconfig: await readFile(kubeconfig, 'utf8'), ...deps.versions };
    plane.ended = undefined;
    tell(plane);
  }

  function tell(plane: Plane): void {
    for (const changed of plane.listeners) changed();
  }

  async function stop(plane: Plane): Promise<void> {
    const { life } = plane;
    plane.life = undefined;
    plane.serving = undefined;
    plane.ended = undefined;
    life?.stop.abort();
    await life?.supervised.stopped;
  }

  function run(name: string, flags: readonly string[]): Plane {
    const known = planes.get(name);
    if (known && jsonEqual(known.flags, flags)) return known;
    const plane = known ?? newPlane(flags);
    planes.set(name, plane);
    plane.flags = flags;
    next(name, plane, async () => {
      await stop(plane);
      await start(name, plane);
    });
    return plane;
  }

  return {
    run,
    resume() {
      for (const [name, flags] of Object.entries(directory.instances())) run(name, flags);
    },
    async end(name, { purge }) {
      const plane = planes.get(name);
      if (plane) next(name, plane, () => stop(plane));
      await plane?.turn;
      planes.delete(name);
      await directory.rememberInstance(name, undefined);
      if (!purge) return;
      await rm(directory.at('instances', name), { recursive: true, force: true });
      await rm(directory.at('logs', `instance-${name}.log`), { force: true });
      await directory.forgetPort(name);
    },
    async snapshot(name, file) {
      const plane = planes.get(name);
      await plane?.turn;
      if (!plane?.life) throw new StatusError('ServiceUnavailable', `instance "${name}" does not run here now`);
      await plane.life.supervised.ask('snapshot', { file });
    },
    whileStopped(name, action) {
      const plane = planes.get(name);
      const folder = directory.at('instances', name);
      return new Promise((resolve, reject) => {
        if (!plane) return reject(new StatusError('ServiceUnavailable', `instance "${name}" does not run here now`));
        next(name, plane, async () => {
          await stop(plane);
          tell(plane);
          try {
            action(folder);
            resolve();
          } catch (error) {
            reject(error);
          }
          await start(name, plane);
        });
      });
    },
    async stopped() {
      await Promise.all([...planes.values()].map(async ({ turn, life }) => turn.then(() => life?.supervised.stopped)));
    },
  };
}
