/** What of a member could be taken into the instance, and by which operation each kind is. */
import { createClient } from '@connectrpc/connect';
import { AppsService } from '#gen/proto/kairship/api/apps/v1alpha1/apps_service_pb.ts';
import { CoreService } from '#gen/proto/kairship/api/core/v1alpha1/core_service_pb.ts';
import { NetworkingService } from '#gen/proto/kairship/api/networking/v1alpha1/networking_service_pb.ts';
import {
  CONFIG_MAP,
  DAEMON_SET,
  DEPLOYMENT,
  INGRESS,
  type Kind,
  SECRET,
  SERVICE,
  STATEFUL_SET,
} from '../../api/kinds.ts';
import type { Thing } from '../../api/objects.ts';
import { transport } from '../../api/transport.ts';

const apps = createClient(AppsService, transport);
const core = createClient(CoreService, transport);
const networking = createClient(NetworkingService, transport);

export interface Promoted {
  readonly instance: string;
  readonly cluster: string;
  readonly namespace: string;
  readonly name: string;
}

export interface Promotable {
  readonly kind: Kind;
  /** The right that is asked for. */
  readonly right: string;
  /** Whether services may come along. */
  readonly withServices: boolean;
  readonly promote: (of: Promoted, services: readonly string[]) => Promise<unknown>;
}

const WORKLOAD = { right: 'kairship/workload/promote', withServices: true };
const NETWORK = { right: 'kairship/network/promote', withServices: false };

export const PROMOTABLE: readonly Promotable[] = [
  {
    kind: DEPLOYMENT,
    ...WORKLOAD,
    promote: (of, services) => apps.promoteMemberClusterDeployment({ ...of, services: [...services] }),
  },
  {
    kind: STATEFUL_SET,
    ...WORKLOAD,
    promote: (of, services) => apps.promoteMemberClusterStatefulSet({ ...of, services: [...services] }),
  },
  {
    kind: DAEMON_SET,
    ...WORKLOAD,
    promote: (of, services) => apps.promoteMemberClusterDaemonSet({ ...of, services: [...services] }),
  },
  { kind: SERVICE, ...NETWORK, promote: (of) => core.promoteMemberClusterService({ ...of }) },
  { kind: INGRESS, ...NETWORK, promote: (of) => networking.promoteMemberClusterIngress({ ...of }) },
  {
    kind: CONFIG_MAP,
    right: 'kairship/config/promote',
    withServices: false,
    promote: (of) => core.promoteMemberClusterConfigMap({ ...of }),
  },
  {
    kind: SECRET,
    right: 'kairship/secret/promote',
    withServices: false,
    promote: (of) => core.promoteMemberClusterSecret({ ...of }),
  },
];

export function promotable(word: string): Promotable {
  const [first] = PROMOTABLE as readonly [Promotable, ...Promotable[]];
  return PROMOTABLE.find(({ kind }) => kind.kind === word) ?? first;
}

const SYSTEM_NAMESPACE = /^(kube|karmada)-/;
/** What every cluster has of its own. */
const SYSTEM: ReadonlySet<string> = new Set(['ConfigMap/kube-root-ca.crt', 'Service/kubernetes']);

/** What an instance put there is in the instance already, and what runs the cluster stays with the cluster. */
export function isFree({ kind, metadata }: Pick<Thing, 'kind' | 'metadata'>): boolean {
  return (
    metadata.labels?.['karmada.io/managed'] !== 'true' &&
    !SYSTEM_NAMESPACE.test(metadata.namespace ?? '') &&
    !SYSTEM.has(`${kind}/${metadata.name}`)
  );
}
