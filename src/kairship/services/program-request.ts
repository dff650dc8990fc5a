/**
 * What a program on somebody's computer asks for when it sends their browser to `/signin/program`, as the command line
 * does: a code that only it can use, sent to an address of that computer and to nowhere else.
 *
 *     /signin/program?challenge=…&state=…&redirect=http://127.0.0.1:4711/&computer=laptop
 *
 * Pure: the pages around it are `sign-in-pages.ts`, the codes are the identity module's.
 */
import { createHash } from 'node:crypto';
import { badRequest } from '#base/status-error.ts';

export interface AskingProgram {
  /** The SHA-256 of what the program will show with the code (RFC 7636, S256). */
  readonly challenge: string;
  /** Given back with the answer, so that the program knows it for one to its own question. */
  readonly state: string;
  /** Where the answer goes: a port of the computer that the browser runs on. */
  readonly redirect: string;
  /** Which computer it says it runs on. */
  readonly computer: string;
}

/** Throws `BadRequest` for what must not be answered. */
export function askingProgram(given: URLSearchParams): AskingProgram {
  const [challenge, state] = [given.get('challenge') ?? '', given.get('state') ?? ''];
  if (!/^[\w-]{43}$/.test(challenge)) throw badRequest('a program must show the SHA-256 of a secret of its own');
  if (!/^[\w-]{16,200}$/.test(state)) throw badRequest('a program must say how it knows the answer to its question');
  const computer = (given.get('computer') ?? '').replaceAll(/[^\w. -]/g, '').slice(0, 64);
  return { challenge, state, redirect: loopback(given.get('redirect') ?? ''), computer: computer || 'this computer' };
}

/** A code must not leave the computer of whoever allowed it. */
function loopback(redirect: string): string {
  const url = URL.canParse(redirect) ? new URL(redirect) : undefined;
  const isHere = url !== undefined && /^(127\.0\.0\.1|localhost|\[::1\])$/.test(url.hostname);
  const isPlain = url?.protocol === 'http:' && url.port !== '' && url.username === '' && url.password === '';
  if (!isHere || !isPlain || url.search !== '' || url.hash !== '')
    throw badRequest('a program is answered at a port of the same computer only, as http://127.0.0.1:4711/');
  return url.href;
}

/** The address of `/signin/program` for a program. */
export function askingPath(program: AskingProgram): string {
  return `/signin/program?${new URLSearchParams({ ...program }).toString()}`;
}

/** Where to send the browser with what its person decided. */
export function answerAt(
  { redirect, state }: AskingProgram,
  answer: { readonly code: string } | { readonly error: 'access_denied' },
): string {
  return `${redirect}?${new URLSearchParams({ ...answer, state }).toString()}`;
}

const LETTERS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** What the program and the page both show, so that a person can see that one belongs to the other. */
export function comparedCode(challenge: string): string {
  const digest = createHash('sha256').update(`compare ${challenge}`).digest();
  const letters = [...digest.subarray(0, 8)].map((byte) => LETTERS[byte % LETTERS.length]).join('');
  return `${letters.slice(0, 4)}-${letters.slice(4)}`;
}
