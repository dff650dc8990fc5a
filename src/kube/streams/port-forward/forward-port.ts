/** One forwarded connection: bytes between a client's stream and a port of the pod. */
import type { Duplex, Readable, Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Pod } from '#gen/kube/types.ts';
import type { PodStreams } from '../pod-streams.ts';

/** Resolves when both directions have ended; rejects, with a sentence for the user, when the port is not reached. */
export async function forwardPort(
  streams: PodStreams,
  pod: Pod,
  port: number,
  client: { readonly from: Readable; readonly to: Writable },
  signal: AbortSignal,
): Promise<void> {
  const { name, uid = '' } = pod.metadata;
  let target: Duplex;
  try {
    target = await streams.connect(pod, port, signal);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`error forwarding port ${port} to pod ${name}, uid ${uid}: ${why}`, { cause });
  }
  // Either end may break off: the other is then ended too, and that is all there is to say.
  await Promise.allSettled([pipeline(client.from, target), pipeline(target, client.to)]);
}

export function portIn(text: string | undefined): number | undefined {
  const port = /^\d{1,5}$/.test(text ?? '') ? Number(text) : 0;
  return port >= 1 && port <= 65_535 ? port : undefined;
}
