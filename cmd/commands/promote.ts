/** `kairship promote`: what one cluster has of its own, taken into the instance with what it needs. */
import pc from 'picocolors';
import { AppsService } from '#gen/proto/kairship/api/apps/v1alpha1/apps_service_pb.ts';
import { CoreService } from '#gen/proto/kairship/api/core/v1alpha1/core_service_pb.ts';
import { NetworkingService } from '#gen/proto/kairship/api/networking/v1alpha1/networking_service_pb.ts';
import { connected, type Connection, type ConnectionOptions } from '../cli/connection.ts';
import { usageFailure } from '../cli/failure.ts';
import { referenceOf } from '../cli/reference.ts';
import { note, waiting } from '../cli/screen.ts';

export interface PromoteOptions extends ConnectionOptions {
  readonly namespace: string;
  readonly service: readonly string[];
}

interface Promoted {
  readonly instance: string;
  readonly cluster: string;
  readonly namespace: string;
  readonly name: string;
  readonly services: string[];
}

interface Way {
  readonly kind: string;
  readonly called: RegExp;
  readonly runs: boolean;
  readonly promote: (on: Connection, of: Promoted) => Promise<unknown>;
}

const WAYS: readonly Way[] = [
  {
    kind: 'deployment',
    called: /^(deploy|deployments?(\.apps)?)$/,
    runs: true,
    promote: (on, of) => on.rpc(AppsService).promoteMemberClusterDeployment(of),
  },
  {
    kind: 'statefulset',
    called: /^(sts|statefulsets?(\.apps)?)$/,
    runs: true,
    promote: (on, of) => on.rpc(AppsService).promoteMemberClusterStatefulSet(of),
  },
  {
    kind: 'daemonset',
    called: /^(ds|daemonsets?(\.apps)?)$/,
    runs: true,
    promote: (on, of) => on.rpc(AppsService).promoteMemberClusterDaemonSet(of),
  },
  {
    kind: 'service',
    called: /^(svc|services?)$/,
    runs: false,
    promote: (on, of) => on.rpc(CoreService).promoteMemberClusterService(of),
  },
  {
    kind: 'ingress',
    called: /^(ing|ingress(es)?(\.networking\.k8s\.io)?)$/,
    runs: false,
    promote: (on, of) => on.rpc(NetworkingService).promoteMemberClusterIngress(of),
  },
  {
    kind: 'configmap',
    called: /^(cm|configmaps?)$/,
    runs: false,
    promote: (on, of) => on.rpc(CoreService).promoteMemberClusterConfigMap(of),
  },
  {
    kind: 'secret',
    called: /^secrets?$/,
    runs: false,
    promote: (on, of) => on.rpc(CoreService).promoteMemberClusterSecret(of),
  },
];

export function promote(cluster: string, reference: string, options: PromoteOptions): Promise<void> {
  const { kind: word, name } = referenceOf(reference, `kairship promote ${cluster}`);
  const way = WAYS.find(({ called }) => called.test(word.toLowerCase()));
  if (!way)
    throw usageFailure(
      `a ${word} cannot be promoted`,
      `what can be taken over is a ${WAYS.map(({ kind }) => kind).join(', ')}`,
      `kairship promote ${cluster} deployment/NAME`,
    );
  const { kind, runs } = way;
  return connected(options, async (on) => {
    const instance = await on.theInstance();
    const { namespace, service: services } = options;
    await waiting(
      `taking ${reference} of ${cluster} into ${instance}`,
      way.promote(on, { instance, cluster, namespace, name, services: [...services] }),
    );
    const told = `${kind}/${pc.bold(name)} of ${cluster} belongs to ${instance} now`;
    note(runs ? `${told}; its pods went on running.` : `${told}.`);
    note(pc.dim(`  Next: kairship why ${kind}/${name}${namespace === 'default' ? '' : ` -n ${namespace}`}`));
  });
}
