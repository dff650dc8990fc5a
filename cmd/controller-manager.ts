/**
 * `kairship controller-manager`: what keeps instances, clusters and registrations true. Any number may run on one global
 * cluster; one leads, agreed on by a Lease, and what it writes is fenced.
 */
import { hostname } from 'node:os';
import { systemClock } from '#base/clock.ts';
import { randomIds } from '#base/ids.ts';
import { INSTANCE_NAMESPACE } from '#kairship/instances/index.ts';
import { instancePool } from '#kairship/proxy/instance-pool.ts';
import { reads } from '#kairship/read/reads.ts';
import { sqlIndexReader } from '#kpanda/index/index.ts';
import { memberClients } from '#kpanda/registry/index.ts';
import { httpClient } from '#kube/client/http-client.ts';
import { loadKubeconfig } from '#kube/client/load-config.ts';
import { leaseElection } from '#kube/runtime/index.ts';
import { chosen, leadControllers } from './platform/controllers.ts';
import { openIndex, openPeople } from './platform/databases.ts';
import { health, processMetrics, serveHealth } from './platform/health.ts';
import { insist } from './platform/insist.ts';
import { installKinds } from './platform/kinds.ts';
import { type LogOptions, runProgram } from './program.ts';

export interface ControllerManagerOptions extends LogOptions {
  readonly host: string;
  readonly port: number;
  /** Of the global cluster. */
  readonly kubeconfig?: string;
  readonly index: string;
  readonly database: string;
  readonly controllers: string;
  readonly leaderElectLeaseDuration: number;
  readonly leaderElectRenewDeadline: number;
  readonly leaderElectRetryPeriod: number;
}

export const LEASE = 'kairship-controller-manager';

export function controllerManager(options: ControllerManagerOptions): Promise<void> {
  const runs = chosen(options.controllers);
  return runProgram(
    'controller-manager',
    async (program) => {
      const { log, signal } = program;
      const client = httpClient({ ...(await loadKubeconfig(options.kubeconfig)), userAgent: LEASE });
      const index = openIndex(options.index);
      const database = await insist('the database', () => openPeople(options.database), program);
      await insist('the global cluster', () => installKinds(client, signal), program);
      const pool = instancePool({ client, log, signal });
      const members = memberClients({ client });
      const metrics = processMetrics();
      const read = reads(sqlIndexReader(index), systemClock);
      const parts = { client, database, pool, reads: read, members, log, metrics, runs };

      const identity = `${hostname()}_${randomIds.uid()}`;
      const election = leaseElection({
        client,
        namespace: INSTANCE_NAMESPACE,
        name: LEASE,
        identity,
        leaseMs: options.leaderElectLeaseDuration,
        renewWithinMs: options.leaderElectRenewDeadline,
        retryMs: options.leaderElectRetryPeriod,
        log,
      });
      const leads = metrics.gauge('kairship_controller_manager_leader', '1 while this process leads.').labels({});
      const ended = election.run(async (leadership) => {
        leads.set(1);
        await leadControllers(parts, leadership).finally(() => leads.set(0));
      }, signal);
      const checks = () => [
        { name: 'stopping', trouble: () => (signal.aborted ? 'the program is stopping' : undefined) },
      ];
      const pages = await serveHealth(health({ checks, metrics }), options);
      program.ready({ port: pages.port, identity });
      if (program.alone) process.stdout.write(`The controller-manager ${identity} waits to lead\n`);

      return async () => {
        await ended;
        await pages.close();
        members.close();
        await Promise.all([index.close(), database.close()]);
        client.close();
      };
    },
    options,
  );
}
