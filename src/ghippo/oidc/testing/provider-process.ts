/**
 * A real OpenID Connect provider (panva's `oidc-provider`) as a program of its own, for tests:
 *
 *     node provider-process.ts '{"redirectUri":"…"}'
 *
 * Tells its issuer by IPC when it listens. Anybody may sign in under any name; what is claimed of them, when it changes
 * its key, and how it lies are told to it by IPC, and each is confirmed.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
// @ts-expect-error -- it comes without types
import { Provider } from 'oidc-provider';
import { forged, type Lie, newKey, type SigningKey } from './forged-token.ts';

/** What a test may tell it. */
export type Told =
  | { readonly sub: string; readonly claims: object }
  | { readonly rotate: true }
  | { readonly lie: Lie | 'none' };

const { redirectUri } = JSON.parse(process.argv[2] ?? '{}') as { redirectUri: string };
const claims = new Map<string, object>();
let lie: Lie | 'none' = 'none';
let key = newKey();
let answer: (...exchange: readonly unknown[]) => void = () => undefined;

const server = createServer((request, response) => answer(request, response));
server.listen(0, '127.0.0.1', () => {
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  answer = serve(issuer, key);
  process.on('message', (told: Told) => {
    if ('sub' in told) claims.set(told.sub, told.claims);
    else if ('lie' in told) ({ lie } = told);
    else answer = serve(issuer, (key = newKey()));
    process.send?.({ told });
  });
  process.send?.({ issuer });
});
process.on('disconnect', () => process.exit(0));

function serve(issuer: string, signing: SigningKey): typeof answer {
  const provider = new Provider(issuer, {
    clients: [{ client_id: 'kairship', client_secret: 'client secret', redirect_uris: [redirectUri] }],
    claims: { profile: ['preferred_username', 'name'], email: ['email', 'email_verified'], groups: ['groups'] },
    scopes: ['openid', 'profile', 'email', 'groups'],
    findAccount: async (_context: unknown, sub: string) => ({
      accountId: sub,
      claims: async () => ({ sub, ...claims.get(sub) }),
    }),
    cookies: { keys: ['test'] },
    jwks: { keys: [signing.jwk] },
    features: { devInteractions: { enabled: true } },
  });
  provider.use(async ({ path, response }: KoaContext, next: () => Promise<void>) => {
    await next();
    if (path !== '/token' || lie === 'none' || response.body?.id_token === undefined) return;
    response.body = { ...response.body, id_token: forged(response.body.id_token, lie, key) };
  });
  return provider.callback() as typeof answer;
}

interface KoaContext {
  readonly path: string;
  readonly response: { body?: { readonly id_token?: string } };
}
