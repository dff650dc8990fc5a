/**
 * Talking to an OpenID Connect provider: authorization code with PKCE, through `openid-client` (docs/adr/0021-identity.md).
 *
 * What the provider says of itself is asked once an hour, its signing keys at every sign-in: a new key counts at once,
 * and so does that an old one was withdrawn. Tokens must be signed, for us, new, and for the sign-in that was begun.
 */
import * as oidc from 'openid-client';
import type { Clock } from '#base/clock.ts';
import { StatusError } from '#base/status-error.ts';
import type { Claims } from './external-identity.ts';

export interface ClientSettings {
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret?: string;
  readonly scopes: readonly string[];
}

/** What has to be remembered until the browser comes back. */
export interface Challenge {
  readonly nonce: string;
  readonly verifier: string;
}

export interface OidcClient {
  newChallenge(): Challenge;
  /** Where to send the browser. */
  authorizationUrl(
    settings: ClientSettings,
    sign: Challenge & { readonly state: string; readonly redirectUri: string },
  ): Promise<string>;
  /** Who came back, as the provider vouches; throws `Unauthorized` otherwise. */
  claims(
    settings: ClientSettings,
    returned: Challenge & { readonly state: string; readonly url: URL },
  ): Promise<Claims>;
}

export const CLOCK_SKEW_SECONDS = 30;
export const DISCOVERY_MS = 3_600_000;
const TIMEOUT_SECONDS = 10;

export function oidcClient({ clock }: { readonly clock: Clock }): OidcClient {
  const known = new Map<string, { readonly config: Promise<oidc.Configuration>; readonly until: number }>();

  function configuration(settings: ClientSettings): Promise<oidc.Configuration> {
    const key = JSON.stringify([settings.issuer, settings.clientId, settings.clientSecret]);
    const found = known.get(key);
    if (found && found.until > clock.now()) return found.config;
    const config = discover(settings);
    known.set(key, { config, until: clock.now() + DISCOVERY_MS });
    // A provider that could not be reached may be back the next time.
    config.catch(() => known.delete(key));
    return config;
  }

  return {
    newChallenge: () => ({ nonce: oidc.randomNonce(), verifier: oidc.randomPKCECodeVerifier() }),
    async authorizationUrl(settings, { nonce, verifier, state, redirectUri }) {
      const url = oidc.buildAuthorizationUrl(await configuration(settings), {
        redirect_uri: redirectUri,
        scope: [...new Set(['openid', ...settings.scopes])].join(' '),
        state,
        nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      });
      return url.href;
    },
    async claims(settings, { nonce, verifier, state, url }) {
      const config = withoutKeys(await configuration(settings), settings);
      try {
        const checks = {
          expectedNonce: nonce,
          expectedState: state,
          pkceCodeVerifier: verifier,
          idTokenExpected: true,
        };
        const tokens = await oidc.authorizationCodeGrant(config, url, checks);
        const token = tokens.claims();
        if (!token) throw new StatusError('Unauthorized', `${settings.issuer} gave no identity`);
        const more = config.serverMetadata().userinfo_endpoint
          ? await oidc.fetchUserInfo(config, tokens.access_token, token.sub)
          : {};
        return { ...more, ...token };
      } catch (cause) {
        const why = cause instanceof Error ? cause.message : String(cause);
        throw new StatusError('Unauthorized', `${settings.issuer} did not vouch for this sign-in: ${why}`, { cause });
      }
    },
  };
}

async function discover(settings: ClientSettings): Promise<oidc.Configuration> {
  const { issuer, clientId } = settings;
  const server = new URL(issuer);
  const isHere = server.hostname === 'localhost' || server.hostname === '127.0.0.1' || server.hostname === '[::1]';
  if (server.protocol !== 'https:' && !isHere)
    throw new StatusError('Invalid', `${issuer} is not safe: identities are asked for over https only`);
  try {
    return await oidc.discovery(server, clientId, SKEW, authenticationOf(settings), {
      timeout: TIMEOUT_SECONDS,
      execute: manners(settings),
    });
  } catch (cause) {
    throw new StatusError('ServiceUnavailable', `${issuer} could not be asked about itself`, { cause });
  }
}

/** The same provider, of whose keys nothing is known yet. */
function withoutKeys(config: oidc.Configuration, settings: ClientSettings): oidc.Configuration {
  const fresh = new oidc.Configuration(config.serverMetadata(), settings.clientId, SKEW, authenticationOf(settings));
  fresh.timeout = TIMEOUT_SECONDS;
  for (const teach of manners(settings)) teach(fresh);
  return fresh;
}

const SKEW = { [oidc.clockTolerance]: CLOCK_SKEW_SECONDS };

function authenticationOf({ clientSecret }: ClientSettings): oidc.ClientAuth {
  return clientSecret === undefined ? oidc.None() : oidc.ClientSecretBasic(clientSecret);
}

/** Tokens come straight from the provider over TLS; their signatures are checked all the same. */
function manners({ issuer }: ClientSettings): ((config: oidc.Configuration) => void)[] {
  const plain = new URL(issuer).protocol === 'http:';
  return [oidc.enableNonRepudiationChecks, ...(plain ? [oidc.allowInsecureRequests] : [])];
}
