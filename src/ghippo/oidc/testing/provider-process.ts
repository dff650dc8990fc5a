/**
 * A real OpenID Connect provider (panva's `oidc-provider`) as a program of its own, for tests:
 *
 *     node provider-process.ts '{"redirectUri":"…"}'
 *
 * Prints its issuer when it listens. Anybody may sign in under any name; what is claimed of them is sent to it by IPC.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
// @ts-expect-error -- it comes without types
import { Provider } from 'oidc-provider';

const { redirectUri } = JSON.parse(process.argv[2] ?? '{}') as { redirectUri: string };
const claims = new Map<string, object>();
process.on('message', (told: { sub: string; claims: object }) => {
  claims.set(told.sub, told.claims);
  process.send?.({ told: told.sub });
});
process.on('disconnect', () => process.exit(0));

const server = createServer();
server.listen(0, '127.0.0.1', () => {
  const issuer = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const provider = new Provider(issuer, {
    clients: [{ client_id: 'kairship', client_secret: 'client secret', redirect_uris: [redirectUri] }],
    claims: { profile: ['preferred_username', 'name'], email: ['email', 'email_verified'], groups: ['groups'] },
    scopes: ['openid', 'profile', 'email', 'groups'],
    findAccount: async (_context: unknown, sub: string) => ({
      accountId: sub,
      claims: async () => ({ sub, ...claims.get(sub) }),
    }),
    cookies: { keys: ['test'] },
    features: { devInteractions: { enabled: true } },
  });
  server.on('request', provider.callback());
  process.send?.({ issuer });
});
