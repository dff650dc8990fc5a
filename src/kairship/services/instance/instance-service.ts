/** Instances: what there is, their life, their settings, and a way in for kubectl. */
import { InstanceService } from '#gen/proto/kairship/api/instance/v1alpha1/instance_service_pb.ts';
import { badRequest, notFound, StatusError } from '#base/status-error.ts';
import { CLUSTER, KARMADA_VERSION } from '#karmada/apis/index.ts';
import type { Ids } from '#base/ids.ts';
import type { Draft } from '#base/json.ts';
import type { Reach } from '#ghippo/decision/index.ts';
import { problemsOf, validateKubeconfig } from '#kpanda/registry/index.ts';
import type { Desired } from '#kube/client/typed-client.ts';
import { type ServedService, service } from '#rpc/index.ts';
import { kairshipPermission } from '../../access/kairship-product.ts';
import { type PlatformCaller, reachOf } from '../../access/authorize.ts';
import { adoptInstance, type ClustersOf, INSTANCES, type Instance, requireEmpty } from '../../instances/index.ts';
import { instances as instancesOf } from '../../instances/kinds.ts';
import type { PlatformClients } from '../../proxy/instance-client.ts';
import { indexedClustersOf } from '../../read/clusters-of.ts';
import { manifestFrom } from '../../write/manifest.ts';
import { dataOf } from '../../write/writes.ts';
import { callerIn, type ServiceDeps } from '../deps.ts';
import { compareBy, pagination, slice } from '../paging.ts';
import { described, instanceFrom, instanceMessage, withoutOwn } from './instance-message.ts';
import { backupRpcs } from './backup-rpcs.ts';
import { componentsOf } from './components.ts';
import { upgradeOf } from './upgrade.ts';
import { deschedulerSet, deschedulerTold, failoverSet, failoverTold } from './instance-settings.ts';

export interface InstanceServiceDeps extends ServiceDeps {
  readonly ids: Ids;
  /** What an instance has now, also what has joined just now. */
  readonly clustersOf: ClustersOf;
  /** An instance as the platform itself. */
  readonly instances: PlatformClients;
  /** A kubeconfig through the platform's entrance, with the caller's rights on an instance and nothing else. */
  readonly kubeconfig: (
    caller: PlatformCaller,
    access: { readonly instance: string; readonly members: readonly string[]; readonly seconds: number },
  ) => Promise<string>;
}

const GVK = { group: INSTANCES.group, version: INSTANCES.version, kind: 'Instance' };

export function instanceService(deps: InstanceServiceDeps): ServedService {
  const instances = instancesOf(deps.global);
  const membersOf = indexedClustersOf(deps.reads);

  async function find(name: string): Promise<Instance> {
    const found = await instances.find(name);
    if (!found) throw notFound('instances', name, INSTANCES.group);
    return found;
  }

  async function change(name: string, edit: (draft: Draft<Instance>) => void): Promise<Instance> {
    const changed = await instances.modify(name, edit);
    if (!changed) throw notFound('instances', name, INSTANCES.group);
    return changed;
  }

  /** One that somebody else runs: looked at before anything is kept of it. */
  async function adopt({ metadata, spec }: Desired<Instance>, kubeconfig: string): Promise<Instance> {
    const { name, labels, annotations } = metadata;
    const report = await validateKubeconfig(kubeconfig, { purpose: 'manage', serves: CLUSTER.group });
    if (!report.ok) throw badRequest(`this kubeconfig does not lead to a Karmada: ${problemsOf(report)}`);
    if (await instances.find(name)) throw new StatusError('AlreadyExists', `instance "${name}" exists already`);
    await adoptInstance(deps.global, { name, endpoint: report.server ?? '', kubeconfig });
    return change(name, (draft) => {
      Object.assign(draft.metadata, { labels, annotations });
      const { alias, releaseOnDelete } = spec;
      Object.assign(
        draft.spec,
        alias === undefined ? {} : { alias },
        releaseOnDelete === undefined ? {} : { releaseOnDelete },
      );
    });
  }

  return service(InstanceService, {
    async listInstances(request, context) {
      const reach = reachOf(deps.access, callerIn(context), kairshipPermission('instance', 'list'));
      const all = (await instances.list())
        .filter(({ metadata }) => isWithin(reach, metadata.name))
        .filter(({ metadata, spec }) => [metadata.name, spec.alias ?? ''].some((text) => text.includes(request.name)))
        .toSorted(compareBy(request));
      return { items: slice(request, all).map(instanceMessage), pagination: pagination(request, all.length) };
    },
    getInstance: async ({ name }) => instanceMessage(await find(name)),
    getInstanceJSON: async ({ name }) => ({ data: dataOf(await find(name)) }),
    async createInstance({ data, cluster, kubeconfig }) {
      const wanted = instanceFrom(data, cluster);
      if (kubeconfig === '') return instanceMessage(await instances.create(wanted));
      return instanceMessage(await adopt(wanted, kubeconfig));
    },
    async updateInstance({ name, data }) {
      const sent = (await manifestFrom(data, { gvk: GVK, name })) as Instance;
      const { mode } = (await find(name)).spec;
      if (sent.spec?.mode !== undefined && sent.spec.mode !== mode)
        throw badRequest(`spec.mode of instance "${name}" is "${mode}" and cannot be changed`);
      const annotations = sent.metadata.annotations ?? {};
      const changed = await change(name, (draft) => {
        draft.metadata.labels = { ...sent.metadata.labels };
        draft.metadata.annotations = withoutOwn(annotations);
        Object.assign(draft.spec, sent.spec, described(annotations));
      });
      return { data: dataOf(changed) };
    },
    async deleteInstance({ name }) {
      await requireEmpty(await find(name), deps.clustersOf);
      await instances.remove(name);
      return {};
    },
    async upgradeInstance({ name, version }) {
      const { from, to } = upgradeOf(await find(name), version);
      if (from !== to) await change(name, (draft) => void (draft.spec.karmadaVersion = to));
      return { from, to, unchanged: from === to };
    },
    ...backupRpcs(deps),
    getInstanceKarmadaConfig: () => ({ version: KARMADA_VERSION }),

    getInstanceFailover: async ({ instance }) => failoverTold((await find(instance)).spec),
    async updateInstanceFailover({ instance, enabled, timeout }) {
      const failover = failoverSet((await find(instance)).spec, enabled, timeout);
      await change(instance, (draft) => void Object.assign(draft.spec, { failover }));
      return {};
    },
    getInstanceDescheduler: async ({ instance }) => deschedulerTold((await find(instance)).spec),
    async updateInstanceDescheduler({ instance, enabled, timeout }) {
      const descheduler = deschedulerSet(enabled, timeout);
      await change(instance, (draft) => {
        if (descheduler) Object.assign(draft.spec, { descheduler });
        else delete draft.spec.descheduler;
      });
      return {};
    },
    async listInstanceComponents({ instance }, { signal }) {
      const items = await componentsOf(await find(instance), deps.instances(instance), { clock: deps.clock, signal });
      return { items: [...items] };
    },
    getInstanceMetricsAdapter: async ({ instance }) => ({
      enabled: (await find(instance)).spec.metricsAdapter !== undefined,
    }),
    async updateInstanceMetricsAdapter({ instance, enabled }) {
      await change(instance, (draft) => {
        if (enabled) draft.spec.metricsAdapter = { enabled };
        else delete draft.spec.metricsAdapter;
      });
      return {};
    },

    async createInstanceAdminKubeConfig({ instance, expirationSeconds: seconds }, context) {
      await find(instance);
      if (seconds < 0) throw badRequest(`expirationSeconds: must not be negative, found ${seconds}`);
      const members = await membersOf(instance);
      return { instance, kubeConfigString: await deps.kubeconfig(callerIn(context), { instance, members, seconds }) };
    },
  });
}

function isWithin({ all, instances, namespaces }: Reach, name: string): boolean {
  return all || instances.includes(name) || namespaces.some(({ instance }) => instance === name);
}
