export type { FindService } from './hook-address.ts';
export { type HookClient, hookClient } from './hook-client.ts';
export { type Hook, hookFor, hooksOf } from './hooks.ts';
export { webhookInterpreter } from './webhook-interpreter.ts';
