/**
 * Proof that a message comes from whom one shares a key with, and is new: as https://www.standardwebhooks.com describes
 * it, so that receivers in any language find a library.
 *
 * Signed are the id, the time and the body. Several signatures may be given, so that a key can be replaced while both are
 * in use.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';
import { StatusError } from '#base/status-error.ts';

export const ID_HEADER = 'webhook-id';
export const TIME_HEADER = 'webhook-timestamp';
export const SIGNATURE_HEADER = 'webhook-signature';

/** How far the clocks of both sides may be apart, and for how long a message can be repeated. */
export const TOLERANCE_MS = 5 * 60_000;

export type SignatureHeaders = Readonly<Record<string, string>>;

export function signedHeaders(
  keys: readonly string[],
  message: { readonly id: string; readonly at: number; readonly body: string },
): SignatureHeaders {
  const seconds = String(Math.floor(message.at / 1000));
  return {
    [ID_HEADER]: message.id,
    [TIME_HEADER]: seconds,
    [SIGNATURE_HEADER]: keys.map((key) => `v1,${sign(key, message.id, seconds, message.body)}`).join(' '),
  };
}

/** Throws `Unauthorized` unless one of the keys signed exactly this, not long ago. */
export function requireSigned(
  keys: readonly string[],
  message: { readonly headers: SignatureHeaders; readonly body: string; readonly now: number },
): void {
  const { [ID_HEADER]: id = '', [TIME_HEADER]: seconds = '', [SIGNATURE_HEADER]: given = '' } = message.headers;
  const refuse = (why: string) => new StatusError('Unauthorized', `the message is refused: ${why}`);
  if (id === '' || !/^\d{1,12}$/.test(seconds) || given === '') throw refuse('it is not signed');
  const signatures = given.split(' ').filter((one) => one.startsWith('v1,'));
  const isGenuine = keys.some((key) => {
    const expected = Buffer.from(sign(key, id, seconds, message.body));
    return signatures.some((one) => isSame(Buffer.from(one.slice('v1,'.length)), expected));
  });
  // In this order: when a message was sent is known only if it is genuine.
  if (!isGenuine) throw refuse('its signature is wrong');
  if (Math.abs(message.now - Number(seconds) * 1000) > TOLERANCE_MS) throw refuse('it is too old, or from the future');
}

function sign(key: string, id: string, seconds: string, body: string): string {
  return createHmac('sha256', keyBytes(key)).update(`${id}.${seconds}.${body}`).digest('base64');
}

/** A key is written `whsec_` and base64; any other text is taken as it is. */
function keyBytes(key: string): Buffer {
  return key.startsWith('whsec_') ? Buffer.from(key.slice('whsec_'.length), 'base64') : Buffer.from(key);
}

function isSame(a: Buffer, b: Buffer): boolean {
  return a.length === b.length && timingSafeEqual(a, b);
}
