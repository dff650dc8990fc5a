/** The changes etcd tells of after a revision, as long as it tells them; `Expired` when it has forgotten some. */
import type { Client } from '@connectrpc/connect';
import { StatusError } from '#base/status-error.ts';
import type { Watch, WatchRequestSchema } from '#gen/proto/etcdserverpb/rpc_pb.ts';
import type { MessageInitShape } from '@bufbuild/protobuf';
import { type Event, Event_EventType } from '#gen/proto/mvccpb/kv_pb.ts';
import type { Change, Revision } from '../store.ts';
import { beginOf, endOf, keyText } from './etcd-keys.ts';

export async function* etcdChanges(
  client: Client<typeof Watch>,
  from: Revision,
  signal: AbortSignal,
): AsyncGenerator<readonly Change[]> {
  // No deadline: the stream is meant to last.
  const answers = client.watch(requests(from, signal), { signal, timeoutMs: 0 });
  for await (const { canceled, compactRevision, cancelReason, events } of answers) {
    if (canceled && compactRevision > 0n)
      throw new StatusError('Expired', `too old resource version: ${from} (${compactRevision})`);
    if (canceled) throw new StatusError('ServiceUnavailable', `etcd ended the watch: ${cancelReason}`);
    if (events.length > 0) yield events.map(changeOf);
  }
}

/** One request, and then an open door: etcd tells as long as the caller listens. */
async function* requests(
  from: Revision,
  signal: AbortSignal,
): AsyncGenerator<MessageInitShape<typeof WatchRequestSchema>> {
  const value = { key: beginOf(''), rangeEnd: endOf(''), startRevision: BigInt(from + 1), prevKv: true };
  yield { requestUnion: { case: 'createRequest', value } };
  if (signal.aborted) return;
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
}

function changeOf({ type, kv, prevKv }: Event): Change {
  const deleted = type === Event_EventType.DELETE;
  return {
    type: deleted ? 'delete' : 'put',
    key: keyText(kv?.key ?? new Uint8Array()),
    value: (deleted ? prevKv?.value : kv?.value) ?? new Uint8Array(),
    revision: Number(kv?.modRevision ?? 0n),
    previous: Number(prevKv?.modRevision ?? 0n),
  };
}
