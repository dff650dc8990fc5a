import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { StatusError } from '#base/status-error.ts';
import { FIRST_ADMIN } from '#ghippo/bootstrap.ts';
import { loadKubeconfig } from '#kube/client/load-config.ts';
import { transport } from '#kube/client/transport.ts';
import { notRunning } from './not-running.ts';

/**
 * A link that signs the administrator in once, made by the platform that runs in a folder. One who was removed or
 * disabled gets none: then it is the page with the other ways in.
 */
export async function signInLink(dataDir: string): Promise<string> {
  const config = await loadKubeconfig(join(dataDir, 'admin.kubeconfig')).catch((cause: unknown) => {
    throw notRunning(dataDir, cause);
  });
  const { host, origin } = new URL(config.server);
  const door = transport({ ...config, server: origin });
  try {
    const path = `/apis/ghippo.io/v1alpha1/users/${FIRST_ADMIN}/login-link`;
    const headers = { 'content-type': 'application/json' };
    const response = await door.send({ method: 'POST', path, headers, body: '{}' });
    const answer = await text(response);
    if (response.statusCode === 403) return `http://${host}/signin`;
    if (response.statusCode !== 200) throw new StatusError('InternalError', `the platform made no link: ${answer}`);
    const { code } = JSON.parse(answer) as { readonly code: string };
    return `http://${host}/signin?code=${code}`;
  } finally {
    door.close();
  }
}
