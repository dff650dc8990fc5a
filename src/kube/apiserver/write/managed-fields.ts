/** Records in `metadata.managedFields` who wrote which fields. */
import type { Draft } from '#base/json.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import type { Served } from '../served.ts';

export interface Recording {
  readonly manager: string;
  readonly now: number;
  readonly subresource?: string | undefined;
}

/** Records that `draft` differs from `live` by the hand of a manager who sent it whole. */
export function recordUpdate(
  _served: Served,
  _live: KubeObject | undefined,
  _draft: Draft<KubeObject>,
  _recording: Recording,
): void {}
