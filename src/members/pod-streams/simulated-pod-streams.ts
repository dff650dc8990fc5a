/**
 * The streams of simulated pods: logs from their life, a small shell over what their spec gives them, and pages behind
 * their ports that name who answers. Nothing is run and nothing is kept.
 */
import type { Pod } from '#gen/kube/types.ts';
import type { Clock } from '#base/clock.ts';
import { StatusError } from '#base/status-error.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import type { CommandOptions, PodStreams } from '#kube/streams/index.ts';
import { PODS } from '../resources.ts';
import { execSession, session } from './command-session.ts';
import { containerStatus, requireRunning } from './container-state.ts';
import { LOG_PACE, type LogPace } from './log/life-log.ts';
import { logStream } from './log/log-stream.ts';
import { machineOf } from './machine/machine.ts';
import { connectionTo, nodePage, podPage } from './pages.ts';
import { write } from './shell/io.ts';

export interface SimulatedPodStreamsDeps {
  readonly cluster: string;
  readonly client: () => KubeClient;
  readonly clock: Clock;
  readonly pace?: LogPace;
}

export function simulatedPodStreams({ cluster, client, clock, pace = LOG_PACE }: SimulatedPodStreamsDeps): PodStreams {
  const logs = (pod: Pod, options: Parameters<PodStreams['logs']>[1]) =>
    logStream({ client: client(), clock, pace }, pod, options);

  /** What the container says from now on, until it ends; then its exit code. */
  async function output(pod: Pod, { container, signal }: CommandOptions, say: (text: Uint8Array) => Promise<void>) {
    const following = { container, follow: true, previous: false, timestamps: false, since: clock.now(), signal };
    for await (const lines of logs(pod, following)) await say(lines);
    const { name, namespace } = pod.metadata;
    const key = { name, ...(namespace === undefined ? {} : { namespace }) };
    const ended = await client()
      .get<Pod>(PODS, key)
      .catch(() => undefined);
    return (ended && containerStatus(ended, container)?.state?.terminated?.exitCode) ?? 0;
  }

  return {
    async logs(pod, options) {
      return logs(pod, options);
    },
    async exec(pod, { command, ...options }) {
      requireRunning(pod, options.container);
      return execSession(await machineOf(client(), clock, pod, options.container), command, options);
    },
    async attach(pod, options) {
      requireRunning(pod, options.container);
      return session(options, ({ stdin, stdout }) => {
        // Nobody in there reads; what is typed must not pile up.
        stdin?.resume();
        return output(pod, options, (lines) => write(stdout, Buffer.from(lines)));
      });
    },
    async connect(pod, port, signal) {
      const ports = (pod.spec?.containers ?? []).flatMap((container) => container.ports ?? []);
      if (pod.status?.phase === 'Running' && ports.some(({ containerPort }) => containerPort === port)) {
        return connectionTo(podPage(cluster, pod, port), signal);
      }
      throw new StatusError(
        'ServiceUnavailable',
        `dial tcp ${pod.status?.podIP ?? ''}:${port}: connect: connection refused`,
      );
    },
    async connectNode(node, port, signal) {
      const { name } = node.metadata;
      if (port !== undefined) {
        throw new StatusError('ServiceUnavailable', `dial tcp ${name}:${port}: connect: connection refused`);
      }
      const fieldSelector = `spec.nodeName=${name}`;
      const pods = async () => (await client().list<Pod>(PODS, { fieldSelector, signal })).items;
      return connectionTo(nodePage(pods), signal);
    },
  };
}
