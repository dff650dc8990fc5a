/** What `kairship agent` can be told. */
import { type Command, Option } from 'commander';
import { list } from './cli/options.ts';

export function agentCommand(command: Command): void {
  command
    .description('run beside a cluster that nobody reaches from outside, and bring it into an instance')
    .addOption(new Option('--token <token>', 'what `kairship cluster agent-token` printed').env('KAIRSHIP_AGENT_TOKEN'))
    .option('--token-file <file>', 'a file with that token')
    .option('--kubeconfig <file>', 'the cluster; inside of one, the cluster itself when absent')
    .option('--kube-context <name>', 'the context in it; its current one when absent')
    .option('--provider <name>', 'whose the cluster is')
    .option('--region <name>', 'where it is')
    .option('--zone <name>', 'where in the region; may be given several times', list, [])
    .option('--label <key=value>', 'of the cluster, for choosing by it; may be given several times', list, [])
    .option('--no-tunnel', 'users of the instance do not reach the cluster: no logs, no exec, no search')
    .addHelpText(
      'after',
      `
The agent needs to reach two things: the API server of its cluster, and the platform. Nobody has to reach the agent.

  kairship cluster agent-token edge-1                          at the platform
  kairship agent --kubeconfig edge-1.yaml --token TOKEN        near the cluster`,
    )
    .action(async (options) => (await import('./agent.ts')).agent(options));
}
