import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '#base/clock.ts';
import { sessions } from '#kairship/services/session.ts';
import { loadKubeconfig } from '#kube/client/load-config.ts';
import { notRunning } from './cli/local-platform.ts';

/** `kairship open`: a fresh sign-in link, made from the administrator's token alone. */
export async function open({ dataDir }: { readonly dataDir: string }): Promise<void> {
  const token = await readFile(join(dataDir, 'admin.token'), 'utf8').catch((cause: unknown) => {
    throw notRunning(dataDir, cause);
  });
  const { server } = await loadKubeconfig(join(dataDir, 'admin.kubeconfig'));
  const code = sessions({ key: token.trim(), clock: systemClock }).link('admin');
  process.stdout.write(`http://${new URL(server).host}/signin?code=${code}\n`);
}
