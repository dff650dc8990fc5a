/** kubectl as tests drive it: a namespace of its own, manifests from objects, failures that show what was said. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before } from 'node:test';
import { type KubectlVersion, kubectlPath } from '../../scripts/test-tools.ts';
import { kubectl, type Result, temporaryDirectory } from '../platform.ts';
import { type KubeServer, startKube } from './kube-server.ts';

export interface Tour {
  readonly server: KubeServer;
  readonly directory: string;
  /** Runs kubectl, which must succeed; answers its stdout. */
  readonly ok: (...args: readonly string[]) => Promise<string>;
  /** Runs kubectl, which must fail; answers its stderr. */
  readonly fails: (...args: readonly string[]) => Promise<string>;
  readonly run: (...args: readonly string[]) => Promise<Result>;
  /** Writes objects into a file, to be named with `-f`. */
  readonly file: (name: string, ...objects: readonly object[]) => string;
  /** `kubectl get -w` and its like: prints until it is stopped. */
  readonly follow: (...args: readonly string[]) => Following;
}

export interface Following {
  /** Resolves with everything printed once it matches. */
  printed(pattern: RegExp): Promise<string>;
  stop(): Promise<void>;
}

/**
 * A server for the tests of a file, and a kubectl in a namespace `tour` that is there already.
 *
 * With TOUR_KUBECONFIG the tour is made on another cluster, to see whether a real Kubernetes agrees with what the tests
 * say of it.
 */
export function touring(version: KubectlVersion = '1.35'): () => Tour {
  const { path: directory, remove } = temporaryDirectory();
  let tour: Tour | undefined;
  before(async () => {
    const other = process.env['TOUR_KUBECONFIG'];
    tour = tourOf(other === undefined ? await startKube(directory) : elsewhere(other), directory, version);
    await tour.ok('create', 'namespace', 'tour');
  });
  after(async () => {
    await tour?.server.stop();
    remove();
  });
  return () => {
    assert.ok(tour);
    return tour;
  };
}

function elsewhere(kubeconfig: string): KubeServer {
  const nothing = () => Promise.resolve();
  const [process, stop] = [spawn('true'), () => Promise.resolve(0)];
  return { port: 0, ca: '', token: '', kubeconfig, process, errors: () => '', stop, kill: nothing };
}

/** The same server with another kubectl, in another namespace. */
export function tourOf(server: KubeServer, directory: string, version: KubectlVersion, namespace = 'tour'): Tour {
  const call = kubectl(server.kubeconfig, version);
  const run: Tour['run'] = (...args) => call('-n', namespace, ...args);
  return {
    server,
    directory,
    run,
    async ok(...args) {
      const { code, stdout, stderr } = await run(...args);
      assert.equal(code, 0, `kubectl ${args.join(' ')}: ${stderr}`);
      return stdout;
    },
    async fails(...args) {
      const { code, stdout, stderr } = await run(...args);
      assert.notEqual(code, 0, `kubectl ${args.join(' ')} succeeded: ${stdout}`);
      return stderr;
    },
    file(name, ...objects) {
      const path = join(directory, `${name}.yaml`);
      writeFileSync(path, objects.map((object) => JSON.stringify(object)).join('\n---\n'));
      return path;
    },
    follow: (...args) => following(server, version, ['-n', namespace, ...args]),
  };
}

function following(server: KubeServer, version: KubectlVersion, args: readonly string[]): Following {
  const cache = `${server.kubeconfig}.cache`;
  const child = spawn(kubectlPath(version) ?? '', ['--kubeconfig', server.kubeconfig, '--cache-dir', cache, ...args]);
  const gone = new Promise<void>((done) => child.once('exit', () => done()));
  let output = '';
  let check = () => {};
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
    check();
  });
  return {
    printed: (pattern) =>
      new Promise((done, fail) => {
        check = () => {
          if (pattern.test(output)) done(output);
        };
        check();
        void gone.then(() => fail(new Error(`kubectl ended and had printed only: ${output}`)));
      }),
    async stop() {
      child.kill();
      await gone;
    },
  };
}

export const configMap = (name: string, data?: Readonly<Record<string, string>>, labels?: object) => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, ...(labels ? { labels } : {}) },
  ...(data ? { data } : {}),
});

export const deployment = (name: string, { image = 'nginx:1.27', env = ['A', 'B'], replicas = 2 } = {}) => ({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name, labels: { app: name } },
  spec: {
    replicas,
    selector: { matchLabels: { app: name } },
    template: {
      metadata: { labels: { app: name } },
      spec: {
        containers: [
          {
            name: 'web',
            image,
            ports: [{ containerPort: 80 }],
            env: env.map((variable) => ({ name: variable, value: 'x' })),
          },
        ],
      },
    },
  },
});

export const pod = (name: string, labels = {}, nodeName?: string) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, labels },
  spec: {
    ...(nodeName === undefined ? {} : { nodeName }),
    containers: [{ name: 'c', image: 'nginx', resources: { requests: { cpu: '100m', memory: '64Mi' } } }],
  },
});

export const node = (name: string) => ({
  apiVersion: 'v1',
  kind: 'Node',
  metadata: { name, labels: { 'kubernetes.io/hostname': name } },
  status: {
    capacity: { cpu: '4', memory: '8Gi', pods: '110' },
    allocatable: { cpu: '4', memory: '8Gi', pods: '110' },
    conditions: [{ type: 'Ready', status: 'True', reason: 'KubeletReady', message: 'it is ready' }],
    addresses: [{ type: 'InternalIP', address: '10.0.0.1' }],
  },
});

export const shipDefinition = {
  apiVersion: 'apiextensions.k8s.io/v1',
  kind: 'CustomResourceDefinition',
  metadata: { name: 'ships.sea.example.com' },
  spec: {
    group: 'sea.example.com',
    scope: 'Namespaced',
    names: { plural: 'ships', singular: 'ship', kind: 'Ship', shortNames: ['sh'] },
    versions: [
      {
        name: 'v1',
        served: true,
        storage: true,
        subresources: { status: {}, scale: { specReplicasPath: '.spec.crew', statusReplicasPath: '.status.crew' } },
        additionalPrinterColumns: [{ name: 'Crew', type: 'integer', jsonPath: '.spec.crew' }],
        schema: {
          openAPIV3Schema: {
            type: 'object',
            description: 'A ship of the line.',
            properties: {
              spec: {
                type: 'object',
                required: ['crew'],
                properties: {
                  crew: { type: 'integer', minimum: 1, description: 'How many sail her.' },
                  flag: { type: 'string', default: 'none' },
                },
              },
              status: { type: 'object', properties: { crew: { type: 'integer' } } },
            },
          },
        },
      },
    ],
  },
};

export const ship = (name: string, crew: number) => ({
  apiVersion: 'sea.example.com/v1',
  kind: 'Ship',
  metadata: { name },
  spec: { crew },
});
