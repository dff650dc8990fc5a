/**
 * `/signin/program`: whether a program on somebody's computer may act for them, as `kairship login` asks.
 *
 * Whoever is signed in sees who asks and decides; the answer goes to a port of their own computer. What is allowed is a
 * code that works once, within minutes, and only for the program that asked. Nothing is kept before that.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { statusOf } from '#base/status-error.ts';
import type { Caller } from '#ghippo/access/caller.ts';
import type { SignInService } from '#ghippo/identity/index.ts';
import { requireOwnPage } from '#ghippo/session/index.ts';
import { formOf, originOf, targetOf } from './browser-request.ts';
import type { ConsoleFiles } from './console-files.ts';
import { answerAt, askingPath, askingProgram } from './program-request.ts';
import { allowPage, goOnPage, refusalPage } from './sign-in-pages.ts';

export interface ProgramDeskDeps {
  readonly signIns: SignInService;
  readonly files: ConsoleFiles;
  /** Who is signed in in a browser. */
  readonly sessionOf: (request: IncomingMessage) => Promise<Caller | undefined>;
  /** The page with all ways in, which then goes on. */
  readonly waysIn: (response: ServerResponse, next: string) => Promise<void>;
}

/** Answers requests of its own and says true, or leaves a request alone. */
export type ProgramDesk = (request: IncomingMessage, response: ServerResponse) => Promise<boolean>;

export function programDesk(deps: ProgramDeskDeps): ProgramDesk {
  const { signIns, files, sessionOf } = deps;

  /** Shows who asks, to whoever is signed in. */
  async function askWhetherAllowed(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const program = askingProgram(targetOf(request).searchParams);
    const caller = await sessionOf(request);
    if (!caller) return deps.waysIn(response, askingPath(program));
    files.show(response, allowPage(caller.user, program, askingPath(program)));
  }

  async function decide(request: IncomingMessage, response: ServerResponse): Promise<void> {
    requireOwnPage('POST', (name) => request.headers[name]?.toString());
    const form = await formOf(request);
    const program = askingProgram(form);
    const caller = await sessionOf(request);
    if (!caller) return deps.waysIn(response, askingPath(program));
    const answer =
      form.get('decision') === 'allow'
        ? { code: await signIns.createCode({ ...caller, ...originOf(request) }, program) }
        : { error: 'access_denied' as const };
    files.show(response, goOnPage('Back to the terminal', answerAt(program, answer)));
  }

  return async (request, response) => {
    if (targetOf(request).pathname !== '/signin/program') return false;
    const answer = request.method === 'POST' ? decide : askWhetherAllowed;
    try {
      await answer(request, response);
    } catch (error) {
      const { code, message = '' } = statusOf(error);
      files.show(response, refusalPage(`${message}.`), { code });
    }
    return true;
  };
}
