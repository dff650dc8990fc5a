/**
 * A code from the platform for this program alone, which the reader allows in their browser.
 *
 * The browser is sent to the platform with the hash of a secret and with an address of this computer, and comes back there
 * with the code (RFC 8252, RFC 7636). What else arrives there is refused, and waiting goes on. The page that the browser
 * ends at says what came of it, so it is answered last: {@link BrowserCode.tell}.
 */
import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hostname } from 'node:os';
import { sameText } from '#base/same-text.ts';
import { hashOf, newSecret } from '#ghippo/session/secret.ts';
import { askingPath, comparedCode } from '#kairship/services/program-request.ts';
import { CommandFailure, EXIT } from './failure.ts';
import { openBrowser } from './open-browser.ts';
import { note, waiting } from './screen.ts';

export interface BrowserCode {
  readonly code: string;
  readonly verifier: string;
  /** What the browser shows in the end. */
  readonly tell: (text: string) => void;
}

export interface BrowserOptions {
  /** `false` only prints the address. */
  readonly browser?: boolean;
  readonly timeout?: number;
}

const WITHIN_MS = 5 * 60_000;

/** `console` is where the platform's pages are. */
export async function codeFromBrowser(console: string, options: BrowserOptions): Promise<BrowserCode> {
  const [verifier, state] = [newSecret(), newSecret()];
  const listener = await listening(state);
  try {
    const program = { challenge: hashOf(verifier), state, redirect: listener.address, computer: hostname() };
    const address = console + askingPath(program);
    const isOpen = options.browser !== false && (await openBrowser(address));
    note(
      `${isOpen ? 'Your browser asks' : 'Open this address in a browser on this computer; it asks'} whether this may sign in. ` +
        `It should show the code ${comparedCode(program.challenge)}.\n${isOpen ? 'If no page has opened:\n' : ''}  ${address}`,
    );
    const { code, response } = await waiting(
      'waiting for your browser',
      within(options.timeout ?? WITHIN_MS, listener.answer),
    );
    return { code, verifier, tell: (text) => show(response, 200, text) };
  } finally {
    listener.close();
  }
}

interface Answer {
  readonly code: string;
  readonly response: ServerResponse;
}

async function listening(
  state: string,
): Promise<{ readonly address: string; readonly answer: Promise<Answer>; close(): void }> {
  const { promise: answer, resolve, reject } = Promise.withResolvers<Answer>();
  const server = createServer(({ method, url = '/' }, response) => {
    const { pathname, searchParams } = new URL(url, 'http://127.0.0.1');
    if (method !== 'GET' || pathname !== '/') return show(response, 404, 'There is nothing here.');
    // Any page may send a browser here: what does not know the state answers another question, or none.
    if (!sameText(searchParams.get('state') ?? '', state)) return show(response, 400, 'Nobody asked for this.');
    const code = searchParams.get('code');
    if (code !== null) return resolve({ code, response });
    show(response, 200, 'Denied. You can close this page.');
    reject(denied());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  // Answers that are under way still are sent.
  return { address: `http://127.0.0.1:${port}/`, answer, close: () => void server.close() };
}

async function within<T>(ms: number, work: Promise<T>): Promise<T> {
  const { promise, reject } = Promise.withResolvers<never>();
  const timer = setTimeout(() => reject(tooLate()), ms);
  try {
    return await Promise.race([work, promise]);
  } finally {
    clearTimeout(timer);
  }
}

const denied = () =>
  new CommandFailure('not signed in', {
    why: 'it was denied in the browser',
    next: 'run it again and allow it, or use another way: kairship login --help',
    code: EXIT.denied,
  });

const tooLate = () =>
  new CommandFailure('not signed in', {
    why: 'nobody allowed it in a browser in time',
    next: 'without a browser: kairship login URL --user NAME, or --token-stdin',
    code: EXIT.timedOut,
  });

function show(response: ServerResponse, code: number, text: string): void {
  response
    .writeHead(code, {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      connection: 'close',
    })
    .end(PAGE.replace('TEXT', text));
}

const PAGE = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Kairship</title><style>
:root { color-scheme: light dark }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; font: 15px/1.5 system-ui, sans-serif;
  background: light-dark(#fbfbfc, #0f1216); color: light-dark(#171b23, #e6e9ee) }
</style><main><p>TEXT</p></main></html>`;
