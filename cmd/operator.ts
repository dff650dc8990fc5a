/**
 * `kairship operator`: runs the embedded instances of a global cluster as processes of this machine, as `kairship up`
 * does for its own. Of several one leads; a leader that stops takes its instances with it, and the next one on the same
 * data directory starts them again.
 */
import { hostname } from 'node:os';
import { randomIds } from '#base/ids.ts';
import { INSTANCE_NAMESPACE } from '#kairship/instances/index.ts';
import { dataDirectory } from '#kairship/local/data-directory.ts';
import { holdDirectory } from '#kairship/local/single-run.ts';
import { httpClient } from '#kube/client/http-client.ts';
import { loadKubeconfig } from '#kube/client/load-config.ts';
import { fenced, informers, type Leadership, leaseElection } from '#kube/runtime/index.ts';
import { embeddedRunner, operate } from './platform/embedded.ts';
import { health, processMetrics, serveHealth } from './platform/health.ts';
import { insist } from './platform/insist.ts';
import { installKinds } from './platform/kinds.ts';
import { type LogOptions, runProgram } from './program.ts';

export interface OperatorOptions extends LogOptions {
  readonly host: string;
  readonly port: number;
  readonly dataDir: string;
  /** Of the global cluster. */
  readonly kubeconfig?: string;
}

const LEASE = 'kairship-operator';

export function operator(options: OperatorOptions): Promise<void> {
  return runProgram(
    'operator',
    async (program) => {
      const { log, signal } = program;
      const directory = await dataDirectory(options.dataDir);
      const client = httpClient({ ...(await loadKubeconfig(options.kubeconfig)), userAgent: LEASE });
      await insist('the global cluster', () => installKinds(client, signal), program);

      async function lead(leadership: Leadership): Promise<void> {
        const release = await insist('the data directory', () => holdDirectory(directory.path), program);
        const runner = embeddedRunner({ directory, log, signal: leadership.signal });
        const own = fenced(client, leadership);
        const shared = informers(own, { log, signal: leadership.signal });
        await operate({ client: own, informers: shared, runner, directory, log, signal: leadership.signal });
        await runner.stopped();
        await release();
      }

      const identity = `${hostname()}_${randomIds.uid()}`;
      const election = leaseElection({ client, namespace: INSTANCE_NAMESPACE, name: LEASE, identity, log });
      const ended = election.run(lead, signal);
      const checks = () => [
        { name: 'stopping', trouble: () => (signal.aborted ? 'the program is stopping' : undefined) },
      ];
      const pages = await serveHealth(health({ checks, metrics: processMetrics() }), options);
      program.ready({ port: pages.port, identity });
      if (program.alone) process.stdout.write(`The operator ${identity} waits to lead\n`);
      return async () => {
        await ended;
        await pages.close();
        client.close();
      };
    },
    options,
  );
}
