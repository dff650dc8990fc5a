/** Who asks Ghippo for something, after they have proven who they are. */
import type { Narrowing } from '#ghippo/decision/verdict.ts';

export interface Caller {
  readonly user: string;
  /** How they proved it. */
  readonly method: 'session' | 'token' | 'system';
  /** Groups known from elsewhere than Ghippo's own objects. */
  readonly groups?: readonly string[];
  /** The session or token they came with. */
  readonly credential?: string;
  /** What their token is limited to. */
  readonly token?: Narrowing;
  readonly address?: string;
  readonly agent?: string;
}

/**
 * The platform itself, setting up what nobody has rights for yet. Recognised by being this very object: no request from
 * outside can become it.
 */
export const SYSTEM: Caller = { user: 'system:ghippo', method: 'system' };
