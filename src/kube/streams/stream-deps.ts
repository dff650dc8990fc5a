import type { Pod } from '#gen/kube/types.ts';
import type { Clock } from '#base/clock.ts';
import type { ExtensionRequest } from '#kube/apiserver/extension.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import type { StreamLimits } from './limits.ts';
import type { PodStreams } from './pod-streams.ts';
import type { Sessions } from './session.ts';

/** What every stream is served with. */
export interface StreamDeps {
  readonly client: () => KubeClient;
  readonly streams: PodStreams;
  readonly clock: Clock;
  readonly limits: StreamLimits;
  readonly sessions: Sessions;
  now(): number;
  /** Counts up, to take turns by. */
  turn(): number;
  /** The pod that a request names. */
  pod(request: ExtensionRequest): Promise<Pod>;
}
