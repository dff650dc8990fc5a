/** Examples of a kind: what suffices, what is refused and in which words. Tests run them, the documentation lists them. */
import type { Change } from './lifecycle.ts';

export interface KindCases {
  readonly kind: string;
  readonly apiVersion: string;
  /** The least a client has to send; kind, apiVersion, a name and a namespace are added. */
  readonly least: object;
  /** Changes that make it wrong, and every line Kubernetes then says; `…` ends a line whose rest is long. */
  readonly refused: readonly Refusal[];
  /** Changes that an existing object does not allow. */
  readonly fixed?: readonly Refusal[];
  /** What the existing object is like, other than `least`, for the changes above. */
  readonly existing?: Change;
}

export type Refusal = readonly [because: string, change: Change, ...lines: string[]];
