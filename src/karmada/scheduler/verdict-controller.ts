/** Writes the scheduler's verdicts into the status of bindings, unless somebody who writes there takes them along first. */
import type { Clock } from '#base/clock.ts';
import type { Gate } from '#base/gate.ts';
import { jsonEqual } from '#base/json.ts';
import { hasReason } from '#base/status-error.ts';
import { type AnyBinding, CLUSTER_RESOURCE_BINDING, RESOURCE_BINDING } from '#karmada/apis/index.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import { keyOf } from '#kube/meta/object.ts';
import { type Controller, done, type Informers, type Outcome, type Reconcile, retryIn } from '#kube/runtime/index.ts';
import type { Verdicts } from './verdicts.ts';

export interface VerdictDeps {
  readonly client: KubeClient;
  readonly informers: Informers;
  readonly clock: Clock;
  readonly verdicts: Verdicts;
  /** What every status goes through on its way up. */
  readonly reporting: Gate;
  /** Whether something is on its way down, of which clusters will report when it has arrived. */
  readonly isBusy: () => boolean;
}

const CONCURRENCY = 32;
const ATTEMPTS = 5;
/** While much goes down reports come late, and a verdict waits for them for so long. */
const BUSY = { lookEveryMs: 250, atMostMs: 750 };

export function verdictController(deps: VerdictDeps): Controller {
  const { client, informers, clock, verdicts, reporting, isBusy } = deps;
  const bindings = informers<AnyBinding>(RESOURCE_BINDING);
  const clusterBindings = informers<AnyBinding>(CLUSTER_RESOURCE_BINDING);

  async function reconcile({ key }: Reconcile): Promise<Outcome> {
    const binding = (key.includes('/') ? bindings : clusterBindings).get(key);
    if (!binding) return done; // The scheduler forgets what it decided of it.
    const rest = patienceLeft(binding);
    if (rest > 0) return retryIn(rest, 'its clusters are about to report');
    await reporting(() => write(binding));
    return done;
  }

  function patienceLeft(binding: AnyBinding): number {
    const verdict = verdicts.of(binding);
    if (!verdict) return 0;
    const rest = verdict.due - clock.now();
    if (rest > 0 || verdict.due === verdict.since || !isBusy()) return rest;
    return Math.min(BUSY.lookEveryMs, rest + BUSY.atMostMs);
  }

  async function write(seen: AnyBinding): Promise<void> {
    const resource = seen.kind === 'ResourceBinding' ? RESOURCE_BINDING : CLUSTER_RESOURCE_BINDING;
    let binding = seen;
    for (let attempt = 1; ; attempt++) {
      // Somebody may have taken it along while this waited for its turn.
      const verdict = verdicts.of(binding);
      if (!verdict) return;
      const status = verdict.apply(binding.status);
      try {
        if (!jsonEqual(binding.status ?? {}, status)) {
          const body = { metadata: { resourceVersion: binding.metadata.resourceVersion }, status };
          const options = { fieldManager: 'karmada-scheduler', subresource: 'status' };
          await client.patch(resource, binding.metadata, { type: 'merge', body }, options);
        }
        return verdicts.settle(keyOf(binding), verdict);
      } catch (error) {
        if (hasReason(error, 'NotFound')) return verdicts.settle(keyOf(binding), verdict);
        if (attempt === ATTEMPTS || !hasReason(error, 'Conflict')) throw error;
        binding = await client.get<AnyBinding>(resource, seen.metadata);
      }
    }
  }

  return {
    name: 'scheduler-verdicts',
    concurrency: CONCURRENCY,
    // Watched for their copies alone.
    watches: [RESOURCE_BINDING, CLUSTER_RESOURCE_BINDING].map((gvr) => ({ gvr, wakes: () => [] })),
    source: (wake) => verdicts.follow(wake),
    reconcile,
  };
}
