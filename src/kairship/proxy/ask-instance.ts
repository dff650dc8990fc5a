/** Asks an instance how it is, as anybody who may talk to it can: is it ready, and which version is it. */
import { text } from 'node:stream/consumers';
import type { Transport } from '#kube/client/transport.ts';
import type { Answer } from '../instances/instance-state.ts';
import type { FindInstance } from './instance-proxy.ts';

/** An instance that takes longer to answer does not answer. */
const PATIENCE_MS = 3_000;

export async function askInstance(find: FindInstance, name: string, signal: AbortSignal): Promise<Answer | undefined> {
  const transport = find(name);
  if (!transport) return undefined;
  const patience = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]);
  try {
    await get(transport, '/readyz', patience);
    const { gitVersion } = JSON.parse(await get(transport, '/version', patience)) as { gitVersion: string };
    return { reached: true, kubernetesVersion: gitVersion };
  } catch (error) {
    signal.throwIfAborted();
    if (patience.aborted) return { reached: false, why: `no answer within ${PATIENCE_MS / 1000} s` };
    return { reached: false, why: error instanceof Error ? error.message : String(error) };
  }
}

async function get(transport: Transport, path: string, signal: AbortSignal): Promise<string> {
  const response = await transport.send({ method: 'GET', path, signal });
  const body = await text(response);
  if (response.statusCode !== 200) throw new Error(`${path} says ${response.statusCode}: ${body.slice(0, 200).trim()}`);
  return body;
}
