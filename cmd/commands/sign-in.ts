/**
 * `kairship login`, `logout`, `whoami` and `token`: who one is, to which platform.
 *
 * Signing in ends in a token of one's own that is kept in a context. The session that a browser, a password or a link
 * opens lives only as long as it takes to make that token.
 */
import { hostname } from 'node:os';
import { type Client, createClient, type Interceptor } from '@connectrpc/connect';
import { createConnectTransport } from '@connectrpc/connect-node';
import pc from 'picocolors';
import { StatusError } from '#base/status-error.ts';
import { AccountService } from '#gen/proto/ghippo/api/account/v1alpha1/account_service_pb.ts';
import { LoginService } from '#gen/proto/ghippo/api/login/v1alpha1/login_service_pb.ts';
import { UsersService } from '#gen/proto/ghippo/api/users/v1alpha1/users_service_pb.ts';
import { toStatusError } from '#rpc/status-codes.ts';
import { type BrowserOptions, codeFromBrowser } from '../cli/browser-code.ts';
import {
  connected,
  type ConnectionOptions,
  connectTo,
  findPlatform,
  localPlatform,
  type Platform,
} from '../cli/connection.ts';
import { consoleAddress } from '../cli/console-address.ts';
import { type Context, findContext, readContexts, saveContexts, withContext, withoutContext } from '../cli/contexts.ts';
import { CommandFailure, EXIT, usageFailure } from '../cli/failure.ts';
import { type Format, printValue, write } from '../cli/output.ts';
import { platformAddress } from '../cli/platform-address.ts';
import { ask, askHidden, fromStdin } from '../cli/prompt.ts';
import { note } from '../cli/screen.ts';
import { trustedAuthority } from '../cli/trust.ts';
import { DEFAULT_DIRECTORY } from '../up/default-directory.ts';
import { scopeText } from './access-words.ts';

export interface LoginOptions extends BrowserOptions {
  readonly user?: string;
  readonly passwordStdin?: boolean;
  readonly token?: string;
  readonly tokenStdin?: boolean;
  readonly certificateAuthority?: string;
  readonly name?: string;
  readonly ttl?: number;
  readonly dataDir?: string;
  readonly yes?: boolean;
}

export async function login(url: string | undefined, options: LoginOptions): Promise<void> {
  const made = url === undefined ? await here(options) : await signIn(platformAddress(url), options);
  const { user } = await connectTo(asPlatform(made))
    .rpc(AccountService)
    .getUser({})
    .then(({ name }) => ({ user: name }));
  const context: Context = { ...made, user };
  await saveContexts(withContext(await readContexts(), context));
  note(`Signed in to ${context.server} as ${pc.bold(user)}; context ${pc.bold(context.name)} is current.`);
  note(pc.dim('  Next: kairship status'));
}

const asPlatform = (context: Context): Platform => ({ ...context, found: [], because: 'signing in' });

/** Without an address: the platform of this folder, so that it is found from every other folder too. */
async function here({ dataDir = DEFAULT_DIRECTORY, name }: LoginOptions): Promise<Context> {
  const { server, token, ca } = await localPlatform(dataDir);
  return { name: name ?? 'local', server, token, ...(ca === undefined ? {} : { ca }) };
}

async function signIn(url: URL, options: LoginOptions): Promise<Context> {
  const code = url.searchParams.get('code');
  // kubectl sends no token without TLS, so contexts are always kept with it.
  const server = `https://${url.host}`;
  const ca = await trustedAuthority(server, options);
  const base = { name: options.name ?? url.host, server, ...(ca === undefined ? {} : { ca }) };
  const given = options.tokenStdin ? await fromStdin() : options.token;
  if (given !== undefined) return { ...base, token: given };
  return { ...base, ...(await newToken(base, code, options)) };
}

/** Opens a session, makes a token in it, and ends it. */
async function newToken(
  { server, ca }: Pick<Context, 'server' | 'ca'>,
  code: string | null,
  options: LoginOptions,
): Promise<Pick<Context, 'token' | 'tokenId'>> {
  let cookie = '';
  const keepingCookie: Interceptor = (next) => async (request) => {
    if (cookie !== '') request.header.set('cookie', cookie);
    request.header.set('origin', server);
    request.header.set('user-agent', 'kairship');
    const response = await next(request);
    cookie = response.header.get('set-cookie')?.split(';')[0] ?? cookie;
    return response;
  };
  const transport = createConnectTransport({
    baseUrl: server,
    httpVersion: '1.1',
    nodeOptions: ca === undefined ? {} : { ca },
    interceptors: [keepingCookie],
  });
  const door = createClient(LoginService, transport);
  const way = wayIn(code, options);
  let tell: ((text: string) => void) | undefined;
  try {
    tell = await enter(door, way, { code: code ?? '', console: consoleAddress(server), options });
    const account = createClient(AccountService, transport);
    const { token, accessToken } = await account.createAccessToken({
      description: `kairship on ${hostname()}`,
      lifeSeconds: BigInt(Math.round((options.ttl ?? 0) / 1000)),
    });
    await door.logout({});
    tell?.('Signed in. You can close this page and go back to the terminal.');
    return { token, ...(accessToken ? { tokenId: accessToken.id } : {}) };
  } catch (error) {
    tell?.(NOT_SIGNED_IN);
    throw refused(error, way);
  }
}

const NOT_SIGNED_IN = 'Not signed in: the terminal says why.';

type WayIn = 'link' | 'password' | 'browser';

/** Whoever says who they are has a password; everybody else has a browser, where all ways in are. */
function wayIn(code: string | null, { user, passwordStdin }: LoginOptions): WayIn {
  if (code !== null) return 'link';
  return user !== undefined || passwordStdin === true ? 'password' : 'browser';
}

/** Opens a session; what it returns tells a browser what came of it. */
async function enter(
  door: Client<typeof LoginService>,
  way: WayIn,
  given: { readonly code: string; readonly console: string; readonly options: LoginOptions },
): Promise<((text: string) => void) | undefined> {
  if (way === 'link') await door.loginByLink({ code: given.code });
  if (way === 'password') await door.login(await credentials(given.options));
  if (way !== 'browser') return undefined;
  const { code, verifier, tell } = await codeFromBrowser(given.console, given.options);
  try {
    await door.loginByCode({ code, verifier });
  } catch (error) {
    tell(NOT_SIGNED_IN);
    throw error;
  }
  return tell;
}

async function credentials({ user, passwordStdin }: LoginOptions): Promise<{ user: string; password: string }> {
  const name = user ?? (await ask('User: ', '--user NAME'));
  return {
    user: name,
    password: passwordStdin ? await fromStdin() : await askHidden('Password: ', '--password-stdin'),
  };
}

const REFUSALS = {
  link: { why: 'the link has been used, or is too old', next: 'make another: kairship open' },
  password: {
    why: 'the name or the password is wrong',
    next: 'try again, or ask an administrator: kairship user password NAME',
  },
  browser: { why: 'the platform did not take the code from your browser', next: 'try again: kairship login URL' },
} as const;

function refused(error: unknown, way: WayIn): unknown {
  if (error instanceof CommandFailure) return error;
  const known = toStatusError(error);
  if (known.reason !== 'Unauthorized') return known;
  return new CommandFailure('not signed in', { ...REFUSALS[way], code: EXIT.denied, cause: known });
}

export async function logout(options: ConnectionOptions): Promise<void> {
  const contexts = await readContexts();
  const context = findContext(contexts, options.context);
  if (!context) throw usageFailure('not signed in anywhere', 'there is no such context', 'kairship login URL');
  if (context.tokenId !== undefined) await takeBack(context, context.tokenId);
  await saveContexts(withoutContext(contexts, context.name));
  note(`Signed out of ${context.server}; context ${context.name} is gone.`);
}

/** A server that is gone, or a token that no longer counts, is no reason to keep it. */
async function takeBack(context: Context, id: string): Promise<void> {
  const connection = connectTo(asPlatform(context));
  try {
    await connection.rpc(AccountService).deleteAccessToken({ id });
  } catch (error) {
    if (!(error instanceof StatusError)) throw error;
    note(`The token could not be taken back (${error.message}); it ends by itself.`);
  } finally {
    connection.close();
  }
}

export function whoami(options: ConnectionOptions & { readonly output?: Format }): Promise<void> {
  return connected(options, async (on) => {
    const user = await on.rpc(AccountService).getUser({});
    // One may know oneself without being allowed to know what one was given.
    const roles = await on
      .rpc(UsersService)
      .listUserRoles({ id: user.id })
      .then(({ items }) => items.map(({ role, scope }) => ({ role, where: scope ? scopeText(scope) : 'everywhere' })))
      .catch(() => []);
    const { output } = options;
    const value = { user: user.name, displayName: user.displayName, email: user.email, server: on.server, roles };
    if (output && output.type !== 'table') return printValue(value, output);
    const given = roles.map(({ role, where }) => `${role} ${pc.dim(`(${where})`)}`);
    write(
      [
        `${pc.bold(user.name)}${user.displayName ? `  ${user.displayName}` : ''}${user.email ? `  <${user.email}>` : ''}`,
        `  Server   ${on.server} ${pc.dim(`(${on.because})`)}`,
        ...(given.length > 0 ? [`  Roles    ${given.join(', ')}`] : []),
      ].join('\n'),
    );
  });
}

/** A credential for kubectl, as an exec plugin prints it. */
export async function execCredential(options: ConnectionOptions): Promise<void> {
  const { token } = await findPlatform(options);
  const asked = process.env['KUBERNETES_EXEC_INFO'];
  const { apiVersion = 'client.authentication.k8s.io/v1' } =
    asked === undefined ? {} : (JSON.parse(asked) as { apiVersion?: string });
  write(JSON.stringify({ apiVersion, kind: 'ExecCredential', status: { token } }));
}
