export { MOST_GROUPS, personOf } from './external-identity.ts';
export { externalUsers } from './external-users.ts';
export { CLOCK_SKEW_SECONDS, oidcClient } from './oidc-client.ts';
export { type Begun, type OidcService, oidcService } from './oidc-service.ts';
