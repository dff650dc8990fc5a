/**
 * Takes over into the template of a divided Deployment the replicas that its members' own autoscalers chose
 * (`replicas-sync.ts`), so that a later change of the template does not undo them. Off by default; acts only on
 * Deployments with the label `retain-replicas`.
 */
import type { Deployment } from '#gen/kube/types.ts';
import { LABELS, RESOURCE_BINDING, type ResourceBinding } from '#karmada/apis/index.ts';
import { bindingName } from '#karmada/names/index.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import type { Gvr } from '#kube/meta/gvk.ts';
import { keyOf, type KubeObject, parseKey } from '#kube/meta/object.ts';
import { type Controller, done, type Informers, type Outcome, type Reconcile, retryIn } from '#kube/runtime/index.ts';
import { replicasSync } from './replicas-sync.ts';

export interface DeploymentReplicasSyncerDeps {
  readonly client: KubeClient;
  readonly informers: Informers;
}

const DEPLOYMENT: Gvr = { group: 'apps', version: 'v1', resource: 'deployments' };
const WAIT_MS = 1_000;

export function deploymentReplicasSyncerController({ client, informers }: DeploymentReplicasSyncerDeps): Controller {
  const deployments = informers<Deployment>(DEPLOYMENT);
  const bindings = informers<ResourceBinding>(RESOURCE_BINDING);

  async function reconcile({ key }: Reconcile): Promise<Outcome> {
    const { namespace = '', name } = parseKey(key);
    const deployment = deployments.get(key);
    const binding = bindings.get(`${namespace}/${bindingName('Deployment', name)}`);
    if (!deployment || !binding) return done;
    const sync = replicasSync(deployment, binding);
    if (sync.type === 'wait') return retryIn(WAIT_MS, sync.because);
    if (sync.type === 'none') return done;
    const { resourceVersion } = deployment.metadata;
    const body = { metadata: { resourceVersion }, spec: { replicas: sync.replicas } };
    await client.patch(DEPLOYMENT, { namespace, name }, { type: 'merge', body });
    return done;
  }

  return {
    name: 'deployment-replicas-syncer',
    watches: [
      { gvr: DEPLOYMENT, wakes: wokenByDeployment },
      { gvr: RESOURCE_BINDING, wakes: () => [] },
    ],
    reconcile,
  };
}

/** When it gets the label, and with it when the replicas change, on either side. */
function wokenByDeployment(object: KubeObject, old: KubeObject | undefined, change: string): readonly string[] {
  if (change !== 'modified' || !old || !isRetained(object)) return [];
  const [now, before] = [object, old].map((each) => each as unknown as Deployment);
  const same =
    isRetained(old) &&
    now?.spec?.replicas === before?.spec?.replicas &&
    now?.status?.replicas === before?.status?.replicas;
  return same ? [] : [keyOf(object)];
}

function isRetained({ metadata }: KubeObject): boolean {
  return metadata.labels?.[LABELS.retainReplicas] === 'true';
}
