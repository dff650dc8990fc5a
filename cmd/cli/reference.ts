/**
 * How people name an object: `deployment/nginx`, `deploy/nginx`, and in one member `frankfurt/pod/nginx-1`.
 */
import { usageFailure } from './failure.ts';

export interface Reference {
  /** The member it is in, where one was named. */
  readonly cluster?: string;
  /** As it was typed: `deploy`, `deployments.apps`. */
  readonly kind: string;
  readonly name: string;
}

export const isReference = (text: string): boolean => text.includes('/');

export function referenceOf(text: string, command = 'kairship get'): Reference {
  const parts = text.split('/');
  const [name = '', kind = '', cluster] = parts.toReversed();
  if (parts.length < 2 || parts.length > 3 || parts.includes(''))
    throw usageFailure(`"${text}" names no object`, 'a kind and a name are needed', `${command} deployment/NAME`);
  return { ...(cluster === undefined ? {} : { cluster }), kind, name };
}
