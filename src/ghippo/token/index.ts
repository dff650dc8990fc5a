export type { AccessToken } from './access-token.ts';
export { type TokenAuthenticator, tokenAuthenticator } from './token-authenticator.ts';
export { TOKEN_PREFIX } from './token-text.ts';
export * from './tokens-service.ts';
