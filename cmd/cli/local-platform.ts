import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { type HttpClient, httpClient } from '#kube/client/http-client.ts';
import { loadKubeconfig } from '#kube/client/load-config.ts';
import { CommandFailure } from './failure.ts';

/** A client for the instance that a kubeconfig, or else the platform started here, points to. */
export async function instanceClient(options: {
  readonly dataDir: string;
  readonly kubeconfig?: string;
}): Promise<HttpClient> {
  const path = options.kubeconfig ?? join(options.dataDir, 'admin.kubeconfig');
  await access(path).catch((cause: unknown) => {
    throw options.kubeconfig === undefined ? notRunning(options.dataDir, cause) : unreadable(path, cause);
  });
  return httpClient({ ...(await loadKubeconfig(path)), userAgent: 'kairship' });
}

export function notRunning(dataDir: string, cause: unknown): CommandFailure {
  return new CommandFailure(`no platform in ${dataDir}`, {
    why: 'kairship up has not been started there',
    next: 'kairship up, or name its folder with --data-dir',
    cause,
  });
}

function unreadable(path: string, cause: unknown): CommandFailure {
  return new CommandFailure(`cannot read ${path}`, { why: 'there is no such file', next: 'check --kubeconfig', cause });
}
