/**
 * A client of a service whose errors are our own: callers branch on a reason whichever server answered, and however.
 */
import type { DescService } from '@bufbuild/protobuf';
import { type Client, createClient, type Transport } from '@connectrpc/connect';
import { toStatusError } from './status-codes.ts';

type AnyCall = (...args: unknown[]) => Promise<unknown> | AsyncIterable<unknown>;

export function rpcClient<Desc extends DescService>(desc: Desc, transport: Transport): Client<Desc> {
  const client = createClient(desc, transport) as Record<string, AnyCall>;
  const calls = desc.methods.map(({ localName }) => [localName, translated(client[localName] as AnyCall)]);
  return Object.fromEntries(calls);
}

const translated =
  (call: AnyCall): AnyCall =>
  (...args) => {
    const answer = call(...args);
    return Symbol.asyncIterator in answer ? translatedStream(answer) : answer.catch(rethrow);
  };

async function* translatedStream(messages: AsyncIterable<unknown>): AsyncGenerator {
  try {
    yield* messages;
  } catch (error) {
    rethrow(error);
  }
}

function rethrow(error: unknown): never {
  throw toStatusError(error);
}
