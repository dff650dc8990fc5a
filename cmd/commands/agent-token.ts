/** `kairship cluster agent-token`: what the agent of a cluster is started with. */
import { type Timestamp, timestampDate } from '@bufbuild/protobuf/wkt';
import pc from 'picocolors';
import { hasReason } from '#base/status-error.ts';
import {
  ClusterService,
  type CreateAgentTokenResponse,
} from '#gen/proto/kairship/api/cluster/v1alpha1/cluster_service_pb.ts';
import { connected, type Connection, type ConnectionOptions } from '../cli/connection.ts';
import { CommandFailure, usageFailure } from '../cli/failure.ts';
import { note } from '../cli/screen.ts';

export interface AgentTokenOptions extends ConnectionOptions {
  /** In milliseconds. */
  readonly ttl: number;
}

const SHORTEST_MS = 600_000;
const LONGEST_MS = 30 * 24 * 3_600_000;

export function agentToken(name: string, options: AgentTokenOptions): Promise<void> {
  if (options.ttl < SHORTEST_MS || options.ttl > LONGEST_MS)
    throw usageFailure(
      '--ttl is out of bounds',
      'a token for an agent lasts from 10m to 720h; an agent that runs renews its own',
      `kairship cluster agent-token ${name}`,
    );
  return connected(options, async (on) => {
    const instance = await on.theInstance();
    const { token, expiresAt } = await newAgentToken(on, instance, name, options.ttl);
    process.stdout.write(`${token}\n`);
    note(
      `For the agent of ${pc.bold(name)} in ${instance}, good ${until(expiresAt)}. Where the cluster can be reached:`,
    );
    note(pc.dim('  kairship agent --kubeconfig FILE --token TOKEN'));
  });
}

export async function newAgentToken(
  on: Connection,
  instance: string,
  name: string,
  ttlMs = 0,
): Promise<CreateAgentTokenResponse> {
  const expirationSeconds = BigInt(Math.round(ttlMs / 1000));
  return on
    .rpc(ClusterService)
    .createAgentToken({ instance, name, expirationSeconds })
    .catch((error: unknown) => {
      if (!hasReason(error, 'Conflict')) throw error;
      throw new CommandFailure(`cluster "${name}" gets no agent`, {
        why: error.message,
        next: `kairship cluster list -i ${instance}`,
        cause: error,
      });
    });
}

export const until = (at: Timestamp | undefined): string =>
  at === undefined ? '' : `until ${timestampDate(at).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
