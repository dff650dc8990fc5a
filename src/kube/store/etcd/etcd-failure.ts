/** What etcd says went wrong, in the words of the store. */
import { Code, ConnectError } from '@connectrpc/connect';
import { StatusError } from '#base/status-error.ts';
import { unavailable } from '../store-error.ts';

export function failureOf(error: unknown, what: string, endpoint: string): StatusError {
  if (error instanceof StatusError) return error;
  const { code, rawMessage } = ConnectError.from(error);
  if (rawMessage.includes('revision has been compacted'))
    return new StatusError('Expired', `too old resource version: ${what}`, { cause: error });
  if (code === Code.ResourceExhausted) return unavailable(`${what}: etcd has no room for it: ${rawMessage}`, error);
  return unavailable(`cannot ${what}: etcd at ${endpoint} says: ${rawMessage}`, error);
}
