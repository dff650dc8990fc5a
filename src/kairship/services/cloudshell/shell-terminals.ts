/**
 * Terminals on shells, over WebSockets: `/apis/kairship.io/v1alpha1/instances/{instance}/cloudshells/{name}/terminal`.
 *
 * They speak what `exec` of a pod speaks (`v5.channel.k8s.io` and its elders), so that one client is enough for both.
 * Every line is a call of `RunInCloudShell`: asked for with the caller's rights of that moment, and on record. A shell
 * has one terminal: whoever comes back takes the place of who was there.
 */
import { create } from '@bufbuild/protobuf';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { badRequest, StatusError } from '#base/status-error.ts';
import {
  CloudShellService,
  RunInCloudShellRequestSchema,
} from '#gen/proto/kairship/api/cloudshell/v1alpha1/cloudshell_service_pb.ts';
import { runCommand } from '#kube/streams/command/run-command.ts';
import { websocketCommand } from '#kube/streams/command/websocket-command.ts';
import { STREAM_LIMITS } from '#kube/streams/index.ts';
import { type Session, sessions } from '#kube/streams/session.ts';
import { type Audited, type Call, toStatusError } from '#rpc/index.ts';
import { headersOf, peerOf } from '#rpc/node-request.ts';
import { authorizeCall, type PlatformCaller } from '../../access/authorize.ts';
import type { ServiceDeps } from '../deps.ts';
import { openShells, type ShellPlace } from './open-shells.ts';
import type { Said } from './run-line.ts';
import type { Shell } from './shell-store.ts';
import { terminalSession } from './terminal-session.ts';

export interface ShellTerminals {
  /** The shell whose terminal a path is. */
  placeOf(url: string | undefined): ShellPlace | undefined;
  /** Throws unless there is such a shell of the caller's, and they may use it now. */
  requireOpen(visit: Visit): Promise<void>;
  /** Until it is over. */
  serve(visit: Visit, socket: Duplex, head: Buffer): Promise<void>;
}

export interface Visit {
  readonly place: ShellPlace;
  readonly caller: PlatformCaller;
  readonly request: IncomingMessage;
}

export interface ShellTerminalsDeps extends ServiceDeps {
  readonly audit: (entry: Audited) => void;
}

const PATH = /^\/apis\/kairship\.io\/v1alpha1\/instances\/([^/?]+)\/cloudshells\/([^/?]+)\/terminal(?:\?|$)/;
const LIMITS = { ...STREAM_LIMITS, sessions: 200, messageBytes: 1 << 20 };
const TERMINAL = { stdin: true, stdout: true, stderr: false, tty: true };

export function shellTerminals(deps: ShellTerminalsDeps): ShellTerminals {
  const { access, audit, clock } = deps;
  const shells = openShells(deps);
  const inSession = sessions(LIMITS, clock);
  const open = new Map<string, Session>();
  const closing = new AbortController();

  /** One line, as a call of its own. */
  async function* runLine(visit: Visit, line: string, input: string, signal: AbortSignal): AsyncGenerator<Said> {
    const call = callOf(visit, line, signal);
    const at = clock.now();
    let error: StatusError | undefined;
    try {
      authorizeCall(access, call);
      const shell = await shells.find(visit.place, visit.caller);
      await shells.renew(shell);
      yield* shells.run(shell, visit.caller, { line, input, signal });
    } catch (thrown) {
      error = toStatusError(thrown);
      throw error;
    } finally {
      // Also of what was given up half-way.
      audit({ ...call, at, ms: clock.now() - at, error });
    }
  }

  function start(visit: Visit, { spec, ...shell }: Shell, signal: AbortSignal) {
    let renewed = clock.now();
    return terminalSession({
      instance: visit.place.instance,
      idleMs: spec.ttl * 1000,
      clock,
      signal,
      run: (line, input, given) => runLine(visit, line, input, given),
      onActivity() {
        if (clock.now() < renewed + spec.ttl * 250) return;
        renewed = clock.now();
        // A shell that is gone by now is seen to be at the next line.
        shells.renew({ spec, ...shell }).catch(() => undefined);
      },
    });
  }

  return {
    placeOf(url) {
      const [, instance, name] = PATH.exec(url ?? '') ?? [];
      if (instance === undefined || name === undefined) return undefined;
      return { instance: decoded(instance), name: decoded(name) };
    },

    async requireOpen(visit) {
      const call = callOf(visit, '', closing.signal);
      try {
        authorizeCall(access, call);
      } catch (error) {
        audit({ ...call, at: clock.now(), ms: 0, error: toStatusError(error) });
        throw error;
      }
      await shells.find(visit.place, visit.caller);
    },

    async serve(visit, socket, head) {
      const { request } = visit;
      if ((request.headers.upgrade ?? '').toLowerCase() !== 'websocket') throw badRequest('a terminal is a WebSocket');
      const shell = await shells.find(visit.place, visit.caller);
      await inSession(closing.signal, async (session) => {
        const upgrade = { request, socket, head, to: 'websocket' } as const;
        const channels = await websocketCommand(upgrade, TERMINAL, { session, limits: LIMITS });
        open.get(shell.name)?.abort(new StatusError('Gone', 'the shell is used elsewhere'));
        open.set(shell.name, session);
        await runCommand(channels, session, async () => start(visit, shell, session.signal));
        if (open.get(shell.name) !== session) return;
        open.delete(shell.name);
        if (shell.spec.once || shell.spec.cleanup) await shells.remove(shell.name);
      });
    },
  };
}

function callOf({ place, caller, request }: Visit, line: string, signal: AbortSignal): Call {
  return {
    rpc: CloudShellService.method.runInCloudShell,
    caller,
    peer: peerOf(request),
    message: create(RunInCloudShellRequestSchema, { ...place, line }),
    header: headersOf(request),
    verb: 'GET',
    url: request.url ?? '',
    signal,
  };
}

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    throw badRequest('the path cannot be read');
  }
}
