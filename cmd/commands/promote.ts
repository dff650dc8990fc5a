/** `kairship promote`: an application that runs in one cluster, taken into the instance with what it needs. */
import pc from 'picocolors';
import { AppsService } from '#gen/proto/kairship/api/apps/v1alpha1/apps_service_pb.ts';
import { connected, type ConnectionOptions } from '../cli/connection.ts';
import { usageFailure } from '../cli/failure.ts';
import { referenceOf } from '../cli/reference.ts';
import { note, waiting } from '../cli/screen.ts';

export interface PromoteOptions extends ConnectionOptions {
  readonly namespace: string;
  readonly service: readonly string[];
}

export function promote(cluster: string, reference: string, options: PromoteOptions): Promise<void> {
  const { kind, name } = referenceOf(reference, `kairship promote ${cluster}`);
  if (!/^(deploy|deployments?(\.apps)?)$/.test(kind))
    throw usageFailure(
      `a ${kind} cannot be promoted`,
      'only deployments can be taken over',
      `kairship promote ${cluster} deployment/NAME`,
    );
  return connected(options, async (on) => {
    const instance = await on.theInstance();
    const { namespace, service: services } = options;
    await waiting(
      `taking ${reference} of ${cluster} into ${instance}`,
      on
        .rpc(AppsService)
        .promoteMemberClusterDeployment({ instance, cluster, namespace, name, services: [...services] }),
    );
    note(`deployment/${pc.bold(name)} of ${cluster} is an application of ${instance} now; its pods went on running.`);
    note(pc.dim(`  Next: kairship why deployment/${name}${namespace === 'default' ? '' : ` -n ${namespace}`}`));
  });
}
