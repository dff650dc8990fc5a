export { ONCE_MS, type Once, once } from './once.ts';
export { hashOf, type NewSecret, newSecret } from './secret.ts';
export * from './session-cookie.ts';
export * from './sessions.ts';
