/**
 * Shells of callers: who has one open, on which instance, and until when; and what is run in them.
 *
 * A shell is its owner's alone. No program of this machine is started for it: a line is one of our own commands
 * (`commands.ts`), run here as the caller with the caller's rights. A few shells at a time, none for ever, and everything
 * typed into one is on record.
 */
import { badRequest, StatusError } from '#base/status-error.ts';
import type { Ids } from '#base/ids.ts';
import { CloudShellService } from '#gen/proto/kairship/api/cloudshell/v1alpha1/cloudshell_service_pb.ts';
import type { CloudShell } from '#gen/proto/kairship/api/cloudshell/v1alpha1/cloud_shell_pb.ts';
import { type ServedService, service } from '#rpc/index.ts';
import { callerIn, type ServiceDeps } from '../deps.ts';
import { openShells } from './open-shells.ts';
import type { Shell } from './shell-store.ts';

export interface CloudShellServiceDeps extends ServiceDeps {
  readonly ids: Ids;
}

const DEFAULT_TTL_SECONDS = 500;
const LONGEST_TTL_SECONDS = 3_600;
const MOST_A_PERSON = 5;
const PHASE = 'Ready';

export function cloudShellService(deps: CloudShellServiceDeps): ServedService {
  const { clock, ids } = deps;
  const shells = openShells(deps);

  function shellFrom(instance: string, user: string, data: CloudShell | undefined): Shell {
    const ttl = data?.spec?.ttl || DEFAULT_TTL_SECONDS;
    if (ttl < 0 || ttl > LONGEST_TTL_SECONDS)
      throw badRequest(`data.spec.ttl: between 1 and ${LONGEST_TTL_SECONDS} seconds, found ${ttl}`);
    const createdAt = clock.now();
    const { commandAction = '', once = false, cleanup = false } = data?.spec ?? {};
    const spec = { commandAction, once, ttl, cleanup };
    return { name: `cloudshell-${ids.suffix(10)}`, instance, user, createdAt, endsAt: createdAt + ttl * 1000, spec };
  }

  return service(CloudShellService, {
    async createCloudShell({ instance, data }, context) {
      const { user } = callerIn(context);
      const own = await shells.of(user);
      if (own.length >= MOST_A_PERSON)
        throw new StatusError('TooManyRequests', `user "${user}" has ${own.length} shells open: close one first`);
      const shell = shellFrom(instance, user, data);
      await shells.create(shell);
      return told(shell);
    },
    getCloudShell: async ({ instance, name }, context) =>
      told(await shells.find({ instance, name }, callerIn(context))),
    async deleteCloudShell({ instance, name }, context) {
      await shells.remove((await shells.find({ instance, name }, callerIn(context))).name);
      return {};
    },

    async *runInCloudShell({ instance, name, line, input }, context) {
      const caller = callerIn(context);
      const shell = await shells.find({ instance, name }, caller);
      await shells.renew(shell);
      yield* shells.run(shell, caller, { line, input, signal: context.signal });
      if (shell.spec.once) await shells.remove(shell.name);
    },
  });
}

function told({ name, instance, createdAt, spec }: Shell) {
  const at = `/apis/kairship.io/v1alpha1/instances/${encodeURIComponent(instance)}/cloudshells/${name}`;
  const status = { phase: PHASE, accessUrl: `${at}:run`, terminalUrl: `${at}/terminal` };
  return { metadata: { name, creationTimestamp: BigInt(createdAt) }, spec, status };
}
