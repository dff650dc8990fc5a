import { join } from 'node:path';
import { karmadaApiServer } from '#karmada/engine/index.ts';
import { type KubeProgramOptions, runKubeProgram } from './kube-program.ts';

/** `kairship karmada`: one instance, with its API server, kinds and all controllers in this process. */
export function karmada(options: KubeProgramOptions): Promise<void> {
  return runKubeProgram('karmada', options, async ({ dataDir, ...parts }) => {
    const engine = dataDir === undefined ? {} : { engine: { decisionsFile: join(dataDir, 'decisions.db') } };
    const instance = await karmadaApiServer({ ...parts, ...engine });
    await instance.ready;
    return { ...instance.server, close: () => instance.close() };
  });
}
