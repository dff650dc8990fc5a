/** `kairship cluster agent-token`: what the agent of a cluster is started with. */
import { timestampDate } from '@bufbuild/protobuf/wkt';
import pc from 'picocolors';
import { ClusterService } from '#gen/proto/kairship/api/cluster/v1alpha1/cluster_service_pb.ts';
import { connected, type ConnectionOptions } from '../cli/connection.ts';
import { note } from '../cli/screen.ts';

export interface AgentTokenOptions extends ConnectionOptions {
  /** In milliseconds. */
  readonly ttl: number;
}

export function agentToken(name: string, options: AgentTokenOptions): Promise<void> {
  return connected(options, async (on) => {
    const instance = await on.theInstance();
    const expirationSeconds = BigInt(Math.round(options.ttl / 1000));
    const { token, expiresAt } = await on.rpc(ClusterService).createAgentToken({ instance, name, expirationSeconds });
    process.stdout.write(`${token}\n`);
    const end = expiresAt
      ? ` Good until ${timestampDate(expiresAt).toISOString().slice(0, 16).replace('T', ' ')} UTC.`
      : '';
    note(`For the agent of ${pc.bold(name)} in ${instance}.${end} Where the cluster can be reached:`);
    note(pc.dim('  kairship agent --kubeconfig FILE --token TOKEN'));
  });
}
