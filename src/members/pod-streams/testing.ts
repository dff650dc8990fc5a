/** What tests of simulated streams share: a server with pods that run because their status says so. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { type Clock, rfc3339, systemClock } from '#base/clock.ts';
import type { Pod } from '#gen/kube/types.ts';
import { type ApiServer, type ApiServerOptions, apiServer } from '#kube/apiserver/api-server.ts';
import { staticTokens } from '#kube/apiserver/index.ts';
import { createCa } from '#kube/pki/index.ts';
import { memoryStore } from '#kube/store/index.ts';
import { podStreamExtensions, type StreamLimits } from '#kube/streams/index.ts';
import { PODS } from '../resources.ts';
import type { LogPace } from './log/life-log.ts';
import { simulatedPodStreams } from './simulated-pod-streams.ts';

export interface StreamServer {
  readonly server: ApiServer;
  /** Plain HTTP; the token is `admin`. */
  readonly url: string;
  /** Of a user who may do everything. */
  readonly kubeconfig: string;
  /** Creates a pod whose containers have run since `startedAt`. */
  readonly run: (name: string, spec: Partial<NonNullable<Pod['spec']>>, startedAt?: number) => Promise<Pod>;
  /** Ends all containers of a pod. */
  readonly end: (name: string, exitCode?: number) => Promise<void>;
}

export async function streamServer(
  t: Pick<TestContext, 'after'>,
  options: {
    readonly clock?: Clock;
    readonly pace?: LogPace;
    readonly limits?: Partial<StreamLimits>;
    readonly server?: Partial<ApiServerOptions>;
  } = {},
): Promise<StreamServer> {
  const { clock = systemClock, pace, limits } = options;
  const client = () => server.client();
  const streams = simulatedPodStreams({ cluster: 'm1', client, clock, ...(pace ? { pace } : {}) });
  const server = await apiServer({
    store: memoryStore(),
    authenticators: [staticTokens({ admin: { name: 'admin', uid: 'u', groups: ['system:masters'] } })],
    extensions: podStreamExtensions({ client, streams, clock, ...(limits ? { limits } : {}) }),
    ...options.server,
  });
  t.after(() => server.close());
  const { url } = await server.listen();
  const ca = await createCa({ commonName: 'test' });
  const own = await ca.issue({ commonName: 'server', ips: ['127.0.0.1'], usages: ['server'] });
  const secure = await server.listen({ tls: { cert: own.cert, key: own.key } });

  return {
    server,
    url,
    kubeconfig: kubeconfigFor(t, secure.url, ca.cert),
    async run(name, spec, startedAt = clock.now()) {
      const pod = await client().create<Pod>(PODS, {
        apiVersion: 'v1',
        kind: 'Pod',
        metadata: { name, namespace: 'default', labels: { app: name } },
        spec: { nodeName: 'n1', containers: [{ name: 'main', image: 'app:1' }], ...spec },
      });
      return client().update<Pod>(PODS, { ...pod, status: runningStatus(pod, startedAt) }, { subresource: 'status' });
    },
    async end(name, exitCode = 0) {
      const pod = await client().get<Pod>(PODS, { namespace: 'default', name });
      const status = endedStatus(pod, clock.now(), exitCode);
      await client().update<Pod>(PODS, { ...pod, status }, { subresource: 'status' });
    },
  };
}

function runningStatus(pod: Pod, startedAt: number): NonNullable<Pod['status']> {
  const at = rfc3339(startedAt);
  return {
    phase: 'Running',
    podIP: '10.244.0.9',
    podIPs: [{ ip: '10.244.0.9' }],
    conditions: [{ type: 'Ready', status: 'True', lastTransitionTime: at }],
    containerStatuses: (pod.spec?.containers ?? []).map(({ name, image = '' }) => ({
      name,
      image,
      imageID: image,
      ready: true,
      restartCount: 0,
      state: { running: { startedAt: at } },
    })),
  };
}

function endedStatus({ status = {} }: Pod, now: number, exitCode: number): NonNullable<Pod['status']> {
  return {
    ...status,
    phase: exitCode === 0 ? 'Succeeded' : 'Failed',
    containerStatuses: (status.containerStatuses ?? []).map(({ state, ...kept }) => ({
      ...kept,
      ready: false,
      state: {
        terminated: {
          exitCode,
          reason: exitCode === 0 ? 'Completed' : 'Error',
          startedAt: state?.running?.startedAt ?? rfc3339(now),
          finishedAt: rfc3339(now),
        },
      },
    })),
  };
}

/** Clients send their token only over TLS. */
function kubeconfigFor(t: Pick<TestContext, 'after'>, server: string, ca: string): string {
  const directory = mkdtempSync(join(tmpdir(), 'kairship-streams-'));
  t.after(() => rmSync(directory, { recursive: true, force: true }));
  const path = join(directory, 'kubeconfig');
  const config = {
    apiVersion: 'v1',
    kind: 'Config',
    clusters: [{ name: 'c', cluster: { server, 'certificate-authority-data': Buffer.from(ca).toString('base64') } }],
    users: [{ name: 'u', user: { token: 'admin' } }],
    contexts: [{ name: 'x', context: { cluster: 'c', user: 'u' } }],
    'current-context': 'x',
  };
  writeFileSync(path, JSON.stringify(config));
  return path;
}
