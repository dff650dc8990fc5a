/** The open shells of callers, and the desk at which a line of theirs is run: the same for a call and for a terminal. */
import { notFound } from '#base/status-error.ts';
import type { PlatformCaller } from '../../access/authorize.ts';
import type { ServiceDeps } from '../deps.ts';
import { membersOf, requireMember } from '../membership.ts';
import type { Desk } from './commands.ts';
import { LINE_LIMITS, runLine, type Said } from './run-line.ts';
import { type Shell, type ShellStore, shellStore } from './shell-store.ts';

export interface ShellPlace {
  readonly instance: string;
  readonly name: string;
}

export interface Line {
  readonly line: string;
  /** What a command reads where it is told `-f -`. */
  readonly input: string;
  readonly signal: AbortSignal;
}

export interface OpenShells extends Pick<ShellStore, 'create' | 'of' | 'renew' | 'remove'> {
  /** Throws `NotFound` for a shell that is over, or somebody else's. */
  find(place: ShellPlace, caller: PlatformCaller): Promise<Shell>;
  run(shell: Shell, caller: PlatformCaller, line: Line): AsyncGenerator<Said>;
}

export function openShells(deps: ServiceDeps): OpenShells {
  const store = shellStore(deps.global, deps.clock);

  function deskOf({ instance }: Shell, caller: PlatformCaller, { input, signal }: Line): Desk {
    return {
      instance,
      input,
      signal: AbortSignal.any([signal, AbortSignal.timeout(LINE_LIMITS.seconds * 1000)]),
      members: () => membersOf(deps, instance),
      async client(cluster) {
        if (cluster === undefined) return deps.clients({ instance }, caller);
        await requireMember(deps, instance, cluster);
        return deps.clients({ instance, cluster }, caller);
      },
    };
  }

  return {
    ...store,
    async find({ instance, name }, { user }) {
      const found = await store.find(name);
      // Somebody else's is as good as none.
      if (!found || found.instance !== instance || found.user !== user)
        throw notFound('cloudshells', name, 'kairship.io');
      return found;
    },
    run: (shell, caller, line) => runLine(line.line, deskOf(shell, caller, line)),
  };
}
