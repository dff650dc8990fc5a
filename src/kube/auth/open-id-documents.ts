import type { Documents } from '#kube/apiserver/index.ts';
import { ISSUER, type TokenSigner } from './service-account-token.ts';

/** What programs that get tokens of service accounts need in order to check them without asking the API server. */
export function openIdDocuments(signer: Pick<TokenSigner, 'jwks'>): Documents {
  const configuration = {
    issuer: ISSUER,
    jwks_uri: `${ISSUER}/openid/v1/jwks`,
    response_types_supported: ['id_token'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['ES256'],
  };
  return {
    '/.well-known/openid-configuration': { type: 'application/json', body: () => JSON.stringify(configuration) },
    '/openid/v1/jwks': { type: 'application/jwk-set+json', body: () => JSON.stringify(signer.jwks()) },
  };
}
