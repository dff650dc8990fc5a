/** Runs the platform's controllers: beside the apiserver, or in a controller-manager for as long as it leads. */
import { systemClock } from '#base/clock.ts';
import type { Log } from '#base/log.ts';
import type { Metrics } from '#base/metrics.ts';
import type { Database } from '#ghippo/database/database.ts';
import { leadingClient, leadingMembers } from '#kairship/controllers/leading-clients.ts';
import { CONTROLLERS, type ControllerName } from '#kairship/controllers/controller-names.ts';
import { platformControllers } from '#kairship/controllers/platform-controllers.ts';
import { platformClients } from '#kairship/proxy/instance-client.ts';
import type { InstancePool } from '#kairship/proxy/instance-pool.ts';
import type { Reads } from '#kairship/read/reads.ts';
import type { MemberClients } from '#kpanda/registry/index.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import { chosenControllers } from '#kube/runtime/chosen-controllers.ts';
import { type Informers, informers as newInformers, type Leadership, manager } from '#kube/runtime/index.ts';
import { CommandFailure, EXIT } from '../cli/failure.ts';

export interface ControllersDeps {
  readonly client: KubeClient;
  readonly database: Database;
  readonly pool: InstancePool;
  readonly reads: Reads;
  readonly members: MemberClients;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly runs: (name: ControllerName) => boolean;
}

/** Where only one process can hold the store: until the signal aborts. */
export function runControllers(deps: ControllersDeps, informers: Informers, signal: AbortSignal): Promise<void> {
  const instances = platformClients((wanted) => deps.pool.find(wanted));
  return run({ ...deps, informers, instances }, signal);
}

/** Where several may run them: until the leadership ends, and with nothing written after it. */
export function leadControllers(deps: ControllersDeps, leadership: Leadership): Promise<void> {
  const { signal } = leadership;
  const client = leadingClient(deps.client, leadership);
  const members = leadingMembers(deps.members, leadership);
  const unguarded = platformClients((wanted) => deps.pool.find(wanted));
  const instances = (instance: string) => leadingClient(unguarded(instance), leadership);
  const informers = newInformers(client, { log: deps.log, signal });
  return run({ ...deps, client, members, instances, informers }, signal);
}

type Parts = ControllersDeps & Pick<Parameters<typeof platformControllers>[0], 'informers' | 'instances'>;

function run({ runs, metrics, ...parts }: Parts, signal: AbortSignal): Promise<void> {
  const { client, informers, log } = parts;
  const all = platformControllers({ ...parts, clock: systemClock });
  const controllers = all.filter(({ name }) => runs(name as ControllerName));
  return manager({ client, controllers, informers, log, metrics }).start(signal);
}

/** What `--controllers` means; throws a usage failure that names what would be valid. */
export function chosen(list: string): ControllersDeps['runs'] {
  const choice = chosenControllers(list, CONTROLLERS);
  if ('runs' in choice) return choice.runs;
  throw new CommandFailure(`--controllers: no controller is called "${choice.unknown.join('", "')}"`, {
    why: `the controllers are ${CONTROLLERS.join(', ')}`,
    next: 'for example: --controllers "*,-resource-statistics"',
    code: EXIT.usage,
  });
}
