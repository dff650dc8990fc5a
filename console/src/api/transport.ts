/** The only way to the platform: its published services, with the session's cookie. */
import { createConnectTransport } from '@connectrpc/connect-web';
import { answeredWithin } from './deadline.ts';

/** JSON, not binary: whoever looks at the network panel shall be able to read along. */
export const transport = createConnectTransport({
  baseUrl: globalThis.location?.origin ?? 'http://127.0.0.1',
  interceptors: [answeredWithin()],
});
