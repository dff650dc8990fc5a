import { memberCluster } from '#members/member.ts';
import { type KubeProgramOptions, runKubeProgram } from './kube-program.ts';

export interface MemberProgramOptions extends KubeProgramOptions {
  readonly name: string;
  readonly nodes: number;
  readonly nodeCpu: string;
  readonly nodeMemory: string;
  readonly region?: string;
  readonly zone?: string;
  readonly provider?: string;
}

/** `kairship member`: a simulated member cluster. */
export function member(options: MemberProgramOptions): Promise<void> {
  const { name, nodes: count, nodeCpu: cpu, nodeMemory: memory, region, zone, provider } = options;
  const where = { ...(region ? { region } : {}), ...(zone ? { zone } : {}), ...(provider ? { provider } : {}) };
  return runKubeProgram(name, options, (parts) =>
    memberCluster({ ...parts, name, nodes: { count, cpu, memory, ...where } }),
  );
}
