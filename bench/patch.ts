/**
 * What it costs to patch an object and to keep account of its managers, for a Deployment of 2.4 KB with four managers.
 *
 *     node bench/patch.ts
 */
import { rfc3339 } from '#base/clock.ts';
import { manageUpdate, serverSideApply, strategicMergePatch, withManagedFields } from '#kube/patch/index.ts';
import { builtinSchema } from '#kube/schema/builtin.ts';
import type { Schema } from '#kube/schema/schema.ts';

const schema: Schema = builtinSchema({ group: 'apps', version: 'v1', kind: 'Deployment' }) ?? {};
const apiVersion = 'apps/v1';
const now = Date.UTC(2026, 0, 1);

type Deployment = Record<string, unknown> & { spec: Record<string, unknown>; metadata: Record<string, unknown> };

function container(name: string): object {
  return {
    name,
    image: `registry.example/team/${name}:1.0`,
    imagePullPolicy: 'IfNotPresent',
    env: ['LOG_LEVEL', 'REGION'].map((key) => ({ name: key, value: `${key} of ${name}` })),
    ports: [{ containerPort: 8080, protocol: 'TCP' }],
    resources: { limits: { cpu: '1', memory: '1Gi' }, requests: { cpu: '100m', memory: '128Mi' } },
    terminationMessagePath: '/dev/termination-log',
    terminationMessagePolicy: 'File',
  };
}

function deployment(): Deployment {
  return {
    apiVersion,
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'default', uid: 'u', labels: { app: 'web' }, annotations: { team: 'shop' } },
    spec: {
      replicas: 2,
      selector: { matchLabels: { app: 'web' } },
      template: {
        metadata: { labels: { app: 'web' } },
        spec: { containers: [container('web'), container('sidecar')], restartPolicy: 'Always', dnsPolicy: 'Default' },
      },
      strategy: { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: '25%', maxSurge: '25%' } },
    },
    status: { observedGeneration: 1, replicas: 2, conditions: [{ type: 'Available', status: 'True' }] },
  };
}

function managed(): Deployment {
  let live = deployment();
  const update = (manager: string, next: Deployment, subresource?: string) => {
    const before = manager === 'creator' ? undefined : live;
    const entries = manageUpdate({ schema, apiVersion, manager, now, live: before, next, subresource });
    live = withManagedFields(next, entries);
  };
  update('creator', live);
  update('labeler', { ...live, metadata: { ...live.metadata, labels: { app: 'web', tier: 'front' } } });
  update('status', { ...live, status: { replicas: 1 } }, 'status');
  const config = { apiVersion, kind: 'Deployment', metadata: { name: 'web' }, spec: { revisionHistoryLimit: 3 } };
  return serverSideApply({ schema, apiVersion, manager: 'applier', now, live, config, force: false })
    .object as Deployment;
}

/** Microseconds a run, the best of several rounds. */
function measure(run: () => void): number {
  const rounds = Array.from({ length: 15 }, () => {
    const start = performance.now();
    for (let index = 0; index < 1_000; index++) run();
    return performance.now() - start;
  });
  return Math.min(...rounds);
}

const live = managed();
const text = JSON.stringify(live);
const scaled = { ...live, spec: { ...live.spec, replicas: 3 } };
const created = deployment();
const request = JSON.stringify(scaled);
const config = { apiVersion, kind: 'Deployment', metadata: { name: 'web' }, spec: { minReadySeconds: 1 } };
const patch = { spec: { template: { spec: { containers: [{ name: 'web', image: 'other' }] } } } };

const parsing = measure(() => JSON.parse(request));
const results: Record<string, number> = {
  'parse an update': parsing,
  create: measure(() => manageUpdate({ schema, apiVersion, manager: 'm', now, live: undefined, next: created })),
  // Nothing is shared with the live object; the time to parse the request is taken off.
  'update, as from a request':
    measure(() =>
      manageUpdate({ schema, apiVersion, manager: 'm', now, live, next: JSON.parse(request) as Deployment }),
    ) - parsing,
  'update, sharing with the live object': measure(() =>
    manageUpdate({ schema, apiVersion, manager: 'm', now, live, next: scaled }),
  ),
  'update without change': measure(() => manageUpdate({ schema, apiVersion, manager: 'm', now, live, next: live })),
  'server-side apply of a new field': measure(() =>
    serverSideApply({ schema, apiVersion, manager: 'n', now, live, config, force: false }),
  ),
  'server-side apply that drops a field': measure(() =>
    serverSideApply({ schema, apiVersion, manager: 'applier', now, live, config, force: false }),
  ),
  'strategic merge': measure(() => strategicMergePatch(schema, live, patch)),
};

const entries = (live.metadata['managedFields'] as unknown[]).length;
console.log(`${text.length} bytes, ${entries} managers, ${rfc3339(Date.now())}`);
for (const [name, microseconds] of Object.entries(results)) {
  console.log(`${microseconds.toFixed(1).padStart(8)} µs  ${name}`);
}
