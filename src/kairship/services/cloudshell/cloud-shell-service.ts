/**
 * Shells of callers: who has one open, on which instance, and until when.
 *
 * A shell is its owner's alone. No program of this machine is started for it, so it has no terminal to visit: its phase
 * says so, and its owner gets in with kubectl and a kubeconfig of their own. A few at a time, none for ever.
 */
import type { Clock } from '#base/clock.ts';
import type { Ids } from '#base/ids.ts';
import { badRequest, notFound, StatusError } from '#base/status-error.ts';
import { CloudShellService } from '#gen/proto/kairship/api/cloudshell/v1alpha1/cloudshell_service_pb.ts';
import type { CloudShell, CloudShellSpec } from '#gen/proto/kairship/api/cloudshell/v1alpha1/cloud_shell_pb.ts';
import { type ServedService, service } from '#rpc/index.ts';
import { callerIn } from '../deps.ts';

export interface CloudShellServiceDeps {
  readonly clock: Clock;
  readonly ids: Ids;
}

const DEFAULT_TTL_SECONDS = 500;
const LONGEST_TTL_SECONDS = 3_600;
const MOST_A_PERSON = 5;
/** Of a shell that has no terminal. */
const PHASE = 'NoTerminal';

interface Shell {
  readonly name: string;
  readonly instance: string;
  readonly user: string;
  readonly createdAt: number;
  readonly endsAt: number;
  readonly spec: Pick<CloudShellSpec, 'commandAction' | 'once' | 'ttl' | 'cleanup'>;
}

export function cloudShellService({ clock, ids }: CloudShellServiceDeps): ServedService {
  const shells = new Map<string, Shell>();

  function forget(): void {
    for (const [name, { endsAt }] of shells) if (endsAt <= clock.now()) shells.delete(name);
  }

  function find(instance: string, name: string, user: string): Shell {
    forget();
    const found = shells.get(name);
    // Somebody else's is as good as none.
    if (!found || found.instance !== instance || found.user !== user)
      throw notFound('cloudshells', name, 'kairship.io');
    return found;
  }

  return service(CloudShellService, {
    createCloudShell({ instance, data }, context) {
      forget();
      const { user } = callerIn(context);
      const own = [...shells.values()].filter((shell) => shell.user === user).length;
      if (own >= MOST_A_PERSON)
        throw new StatusError('TooManyRequests', `user "${user}" has ${own} shells open: close one first`);
      const shell = shellFrom(instance, user, data, { clock, ids });
      shells.set(shell.name, shell);
      return told(shell);
    },
    getCloudShell: ({ instance, name }, context) => told(find(instance, name, callerIn(context).user)),
    deleteCloudShell({ instance, name }, context) {
      shells.delete(find(instance, name, callerIn(context).user).name);
      return {};
    },
  });
}

function shellFrom(
  instance: string,
  user: string,
  data: CloudShell | undefined,
  { clock, ids }: CloudShellServiceDeps,
): Shell {
  const ttl = data?.spec?.ttl || DEFAULT_TTL_SECONDS;
  if (ttl < 0 || ttl > LONGEST_TTL_SECONDS)
    throw badRequest(`data.spec.ttl: between 1 and ${LONGEST_TTL_SECONDS} seconds, found ${ttl}`);
  const createdAt = clock.now();
  const { commandAction = '', once = false, cleanup = false } = data?.spec ?? {};
  const name = `cloudshell-${ids.suffix(10)}`;
  return {
    name,
    instance,
    user,
    createdAt,
    endsAt: createdAt + ttl * 1000,
    spec: { commandAction, once, ttl, cleanup },
  };
}

function told({ name, createdAt, spec }: Shell) {
  return { metadata: { name, creationTimestamp: BigInt(createdAt) }, spec, status: { phase: PHASE, accessUrl: '' } };
}
