import { badRequest } from '#base/status-error.ts';
import { isQuantity } from '#kube/meta/quantity.ts';
import { memberCluster } from '#members/member.ts';
import { parseDuration } from '#members/requests.ts';
import { type KubeProgramOptions, runKubeProgram } from './kube-program.ts';

export interface MemberProgramOptions extends KubeProgramOptions {
  readonly name: string;
  readonly nodes: number;
  readonly nodeCpu: string;
  readonly nodeMemory: string;
  readonly region?: string;
  readonly zone?: string;
  readonly provider?: string;
  readonly speed: number;
  readonly startDelay?: string;
}

/** `kairship member`: a simulated member cluster. */
export function member(options: MemberProgramOptions): Promise<void> {
  const { name, nodes: count, nodeCpu: cpu, nodeMemory: memory, region, zone, provider, speed } = options;
  for (const [flag, value] of [['--node-cpu', cpu] as const, ['--node-memory', memory] as const]) {
    if (!isQuantity(value)) throw badRequest(`${flag} ${value}: a quantity is written as 500m, 8 or 32Gi`);
  }
  const where = { ...(region ? { region } : {}), ...(zone ? { zone } : {}), ...(provider ? { provider } : {}) };
  const pace = paceOf(options.startDelay);
  return runKubeProgram(name, options, (parts) =>
    memberCluster({ ...parts, name, nodes: { count, cpu, memory, ...where }, pace, speed }),
  );
}

function paceOf(startDelay: string | undefined): { readonly startMs?: number } {
  if (startDelay === undefined) return {};
  const startMs = parseDuration(startDelay);
  if (startMs === undefined) throw badRequest(`--start-delay ${startDelay}: a duration is written as 2s, 500ms or 1m`);
  return { startMs };
}
