/** What can go wrong with a request, as the console tells it: one word to branch on, one sentence to read. */
import { Code, ConnectError } from '@connectrpc/connect';
import { engineSays } from '../i18n/language.ts';

export type ProblemKind =
  | 'signedOut'
  | 'forbidden'
  | 'missing'
  | 'notServed'
  | 'unreachable'
  | 'conflict'
  | 'invalid'
  | 'failed';

export interface Problem {
  readonly kind: ProblemKind;
  readonly message: string;
}

const KINDS: Readonly<Partial<Record<Code, ProblemKind>>> = {
  [Code.Unauthenticated]: 'signedOut',
  [Code.PermissionDenied]: 'forbidden',
  [Code.NotFound]: 'missing',
  [Code.Unimplemented]: 'notServed',
  [Code.Unavailable]: 'unreachable',
  [Code.DeadlineExceeded]: 'unreachable',
  [Code.AlreadyExists]: 'conflict',
  [Code.Aborted]: 'conflict',
  [Code.InvalidArgument]: 'invalid',
  [Code.FailedPrecondition]: 'invalid',
};

export function problemOf(error: unknown): Problem {
  // A browser that cannot connect says so with a TypeError, which Connect takes for an unknown failure.
  if (error instanceof ConnectError && error.cause instanceof TypeError)
    return { kind: 'unreachable', message: error.rawMessage };
  const failure = ConnectError.from(error);
  return { kind: KINDS[failure.code] ?? 'failed', message: engineSays(failure.rawMessage) };
}

/** Which right a refusal of this platform says is missing, and which roles have it. */
export function missingRight(message: string): { readonly right: string; readonly roles: string } | undefined {
  const right = /has no binding that grants (\S+) in /.exec(message)?.[1];
  return right === undefined
    ? undefined
    : { right, roles: /roles that would grant it: (.+)$/.exec(message)?.[1] ?? '' };
}

/** Whether asking again may help: what was refused stays refused. */
export function mayPass(error: unknown): boolean {
  const { kind } = problemOf(error);
  return kind === 'unreachable' || kind === 'failed';
}
