/** `kairship agent`: brings the cluster it runs beside into an instance; see src/agent. */
import { readFile } from 'node:fs/promises';
import { agentCredential } from '#agent/credential.ts';
import { startAgent } from '#agent/start-agent.ts';
import { systemClock } from '#base/clock.ts';
import { hasReason, StatusError } from '#base/status-error.ts';
import { type AgentToken, decodeAgentToken } from '#karmada/apis/agent-token.ts';
import type { ClusterConfig } from '#kube/client/cluster-config.ts';
import { httpClient } from '#kube/client/http-client.ts';
import { inClusterConfig, loadKubeconfig } from '#kube/client/load-config.ts';
import { CommandFailure, EXIT } from './cli/failure.ts';
import { labelChanges } from './cli/options.ts';
import { note } from './cli/screen.ts';
import { runProgram } from './program.ts';

export interface AgentProgramOptions {
  readonly token?: string;
  readonly tokenFile?: string;
  readonly kubeconfig?: string;
  readonly kubeContext?: string;
  readonly provider?: string;
  readonly region?: string;
  readonly zone: readonly string[];
  readonly label: readonly string[];
  readonly tunnel: boolean;
}

export async function agent(options: AgentProgramOptions): Promise<void> {
  const given = await tokenOf(options);
  const config = await memberConfig(options);
  const { cluster } = given;
  return runProgram('agent', async (program) => {
    const { log, signal, alone } = program;
    const member = httpClient({ ...config, userAgent: 'karmada-agent/kairship' });
    const credential = await agentCredential({ given, member, clock: systemClock, log });
    const control = httpClient(credential.config);
    const running = await startAgent({
      cluster,
      control,
      member,
      tunnel: options.tunnel,
      facts: factsOf(options),
      signal,
      log,
    }).catch((error: unknown) => {
      throw explained(error, given, config);
    });
    const keeping = credential.keep(control, signal);
    await running.ready;
    program.ready({ cluster });
    if (alone) note(`The agent of ${cluster} is at work: ${config.server} answers to ${given.server}. Ctrl-C ends it.`);
    running.ended.catch((error: unknown) => {
      process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
      process.exit(hasReason(error, 'Gone') ? 0 : 1);
    });
    return async () => {
      await Promise.all([running.ended, keeping]);
      control.close();
      member.close();
    };
  });
}

async function tokenOf({ token, tokenFile }: AgentProgramOptions): Promise<AgentToken> {
  const text = tokenFile === undefined ? token : await readFile(tokenFile, 'utf8');
  if (text !== undefined) return decodeAgentToken(text);
  throw new CommandFailure('an agent needs a token', {
    why: 'it says which cluster of which instance this is',
    next: 'kairship cluster agent-token NAME, at the platform',
    code: EXIT.usage,
  });
}

async function memberConfig({ kubeconfig, kubeContext }: AgentProgramOptions): Promise<ClusterConfig> {
  const inside = kubeconfig === undefined && kubeContext === undefined ? await inClusterConfig() : undefined;
  return inside ?? loadKubeconfig(kubeconfig, kubeContext === undefined ? {} : { context: kubeContext });
}

function factsOf({ provider, region, zone, label }: AgentProgramOptions) {
  const labels = labelChanges(label).set;
  return {
    ...(provider ? { provider } : {}),
    ...(region ? { region } : {}),
    ...(zone.length > 0 ? { zones: zone } : {}),
    ...(Object.keys(labels).length > 0 ? { labels } : {}),
  };
}

/** Which of the two it was that did not answer, or did not want to, and what helps. */
function explained(error: unknown, { server, cluster }: AgentToken, member: ClusterConfig): unknown {
  if (hasReason(error, 'Unauthorized', 'Gone'))
    return new CommandFailure(`the instance does not take this agent of "${cluster}"`, {
      why: `${error.message} (${server}); the token may have ended, or the cluster was removed`,
      next: `kairship cluster agent-token ${cluster}`,
      code: EXIT.denied,
    });
  if (error instanceof StatusError && hasReason(error, 'ServiceUnavailable', 'Timeout'))
    return new CommandFailure(`the agent of "${cluster}" cannot begin`, {
      why: error.message,
      next: error.message.startsWith(member.server)
        ? 'kubectl --kubeconfig FILE get nodes, to see whether the cluster is reached from here'
        : `curl -k ${new URL(server).origin}/healthz, to see whether the platform is reached from here`,
      code: EXIT.failed,
    });
  return error;
}
