/**
 * Tells the control plane how far things have come here, so that a trace says of this cluster what it says of any other.
 *
 * Hops are sent a few at a time and never waited for. A control plane that does not ask for them (Karmada's own) is not
 * told again; what could not be sent after a while is forgotten: a trace is worth no backlog.
 */
import type { Clock } from '#base/clock.ts';
import type { Log } from '#base/log.ts';
import { hasReason } from '#base/status-error.ts';
import { CLUSTER } from '#karmada/apis/index.ts';
import { hopsReport, MOST_HOPS } from '#karmada/trace/reported-hops.ts';
import { type Hop, type Tracer, untraced } from '#karmada/trace/tracer.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';

export interface TraceReportsDeps {
  readonly control: KubeClient;
  readonly cluster: string;
  readonly clock: Clock;
  readonly log: Log;
  readonly signal: AbortSignal;
}

const TOGETHER_MS = 20;
const RETRY_MS = 2_000;

export function traceReports({ control, cluster, clock, log, signal }: TraceReportsDeps): Tracer {
  let waiting: Hop[] = [];
  let due = false;
  let wanted = true;

  function later(ms: number): void {
    if (due || signal.aborted) return;
    due = true;
    clock.after(ms, () => void send());
  }

  async function send(): Promise<void> {
    const hops = waiting.slice(0, MOST_HOPS);
    waiting = waiting.slice(hops.length);
    const report = { apiVersion: CLUSTER.apiVersion, kind: 'ClusterTraceReport', metadata: { name: cluster } };
    let wait = TOGETHER_MS;
    try {
      await control.create(CLUSTER, { ...report, ...hopsReport(hops) }, { subresource: 'trace', signal });
    } catch (error) {
      wanted = !hasReason(error, 'NotFound', 'MethodNotAllowed', 'Forbidden');
      if (wanted) waiting = [...hops, ...waiting].slice(-MOST_HOPS);
      wait = RETRY_MS;
      log.debug('what was done here is not told', { error });
    }
    due = false;
    if (wanted && waiting.length > 0) later(wait);
  }

  return {
    ...untraced,
    hop(hop) {
      if (!wanted) return;
      waiting.push(hop);
      later(TOGETHER_MS);
    },
  };
}
