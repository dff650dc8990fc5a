/**
 * Signing in with an identity provider. The browser is sent there with a state that works once, is remembered for ten
 * minutes, and has to come back in the same browser: {@link Begun.state} goes into a cookie, too.
 */
import { sameText } from '#base/same-text.ts';
import { notFound, StatusError } from '#base/status-error.ts';
import { GHIPPO_GROUP, GHIPPO_NAMESPACE, type IdentityProvider } from '#ghippo/apis/kinds.ts';
import type { GhippoClients } from '#ghippo/apis/resources.ts';
import type { Origin, SignedIn, SignInService } from '#ghippo/identity/sign-in-service.ts';
import type { Once } from '#ghippo/session/once.ts';
import { personOf } from './external-identity.ts';
import type { ExternalUsers } from './external-users.ts';
import type { Challenge, ClientSettings, OidcClient } from './oidc-client.ts';

export interface Begun {
  readonly url: string;
  readonly state: string;
}

export interface OidcService {
  /** Whom people can sign in with. */
  listProviders(): Promise<readonly { readonly name: string; readonly displayName: string }[]>;
  begin(provider: string, redirectUri: string): Promise<Begun>;
  finish(back: Returned, from?: Origin): Promise<SignedIn>;
}

/** A browser that comes back from a provider. */
export interface Returned {
  readonly query: URLSearchParams;
  /** The state it was sent away with. */
  readonly cookie: string;
  /** Where it came back to: each provider has a place of its own, so that one cannot answer for another. */
  readonly redirectUri: string;
}

interface Pending extends Challenge {
  readonly provider: string;
  readonly redirectUri: string;
}

const PURPOSE = 'oidc';
const DEFAULT_SCOPES = ['profile', 'email', 'groups'];

export function oidcService(deps: {
  readonly clients: GhippoClients;
  readonly oidc: OidcClient;
  readonly once: Once;
  readonly people: ExternalUsers;
  readonly signIns: SignInService;
}): OidcService {
  const { clients, oidc, once, people, signIns } = deps;

  async function requireProvider(name: string): Promise<IdentityProvider> {
    const provider = await clients.identityProviders.find(name);
    if (!provider || provider.spec.disabled) throw notFound('identityproviders', name, GHIPPO_GROUP);
    return provider;
  }

  async function settingsOf({ spec }: IdentityProvider): Promise<ClientSettings> {
    const { issuer, clientId, clientSecretName, scopes = DEFAULT_SCOPES } = spec;
    if (clientSecretName === undefined) return { issuer, clientId, scopes };
    const secret = await clients.secrets.find({ namespace: GHIPPO_NAMESPACE, name: clientSecretName });
    const kept = secret?.data?.['clientSecret'];
    if (kept === undefined) throw new StatusError('Invalid', `secret "${clientSecretName}" has no key "clientSecret"`);
    return { issuer, clientId, scopes, clientSecret: Buffer.from(kept, 'base64').toString() };
  }

  return {
    async listProviders() {
      const all = await clients.identityProviders.list();
      return all
        .filter(({ spec }) => !spec.disabled)
        .map(({ metadata, spec }) => ({ name: metadata.name, displayName: spec.displayName ?? metadata.name }));
    },
    async begin(name, redirectUri) {
      const settings = await settingsOf(await requireProvider(name));
      const challenge = oidc.newChallenge();
      const pending: Pending = { ...challenge, provider: name, redirectUri };
      const state = await once.issue(PURPOSE, pending);
      return { url: await oidc.authorizationUrl(settings, { ...challenge, state, redirectUri }), state };
    },
    async finish({ query, cookie, redirectUri }, from = {}) {
      const state = query.get('state') ?? '';
      // Somebody else's sign-in must not be finished in this browser.
      if (state === '' || !sameText(state, cookie))
        throw new StatusError('Unauthorized', 'this sign-in was begun in another browser');
      const pending = (await once.redeem(PURPOSE, state)) as Pending | undefined;
      if (!pending) throw new StatusError('Unauthorized', 'this sign-in was finished already or took too long');
      if (pending.redirectUri !== redirectUri)
        throw new StatusError('Unauthorized', 'this sign-in was begun with another provider');
      const provider = await requireProvider(pending.provider);
      const url = new URL(`${redirectUri}?${query.toString()}`);
      const claims = await oidc.claims(await settingsOf(provider), { ...pending, state, url });
      const user = await people.admit(personOf(pending.provider, provider.spec, claims));
      return signIns.admit(user, 'oidc', from);
    },
  };
}
