/** The kinds this room writes, each with its type. */
import type { Namespace, Secret } from '#gen/kube/types.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import { type TypedClient, typed } from '#kube/client/typed-client.ts';
import { INSTANCES, type Instance } from './instance.ts';
import { KARMADAS, type Karmada } from './karmada.ts';

const core = (resource: string) => ({ group: '', version: 'v1', resource });

export const instances = (client: KubeClient): TypedClient<Instance> =>
  typed<Instance>(client, { gvr: INSTANCES, kind: 'Instance', namespaced: false });
export const karmadas = (client: KubeClient): TypedClient<Karmada> =>
  typed<Karmada>(client, { gvr: KARMADAS, kind: 'Karmada', namespaced: true });
export const secrets = (client: KubeClient): TypedClient<Secret> =>
  typed<Secret>(client, { gvr: core('secrets'), kind: 'Secret', namespaced: true });
export const namespaces = (client: KubeClient): TypedClient<Namespace> =>
  typed<Namespace>(client, { gvr: core('namespaces'), kind: 'Namespace', namespaced: false });
