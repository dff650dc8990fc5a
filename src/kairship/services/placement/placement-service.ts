/**
 * Why here, what if, and how it was before: the instance's own answers, as messages.
 *
 * The instance keeps its decisions and knows its rules; nothing is computed here. What the caller may see there is for
 * the instance to judge.
 */
import { toJson } from '@bufbuild/protobuf';
import { badRequest, notFound } from '#base/status-error.ts';
import { ExplanationSchema } from '#gen/proto/kairship/api/placement/v1alpha1/explanation_pb.ts';
import { PlacementService } from '#gen/proto/kairship/api/placement/v1alpha1/placement_service_pb.ts';
import {
  SimulationSpecSchema,
  SimulationStatusSchema,
} from '#gen/proto/kairship/api/placement/v1alpha1/simulation_pb.ts';
import type { ObjectReference } from '#gen/proto/kairship/api/types/v1alpha1/reference_pb.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { kindNames } from '#kube/crds/kind-names.ts';
import { type ServedService, service } from '#rpc/index.ts';
import { asMessage } from '../as-message.ts';
import { clientIn, type Context, type ServiceDeps } from '../deps.ts';
import { bindingName } from '../distribution.ts';
import { pagination, slice } from '../paging.ts';

const names = (kind: string, resource: string) => kindNames('placement.kairship.io', 'v1alpha1', kind, resource);
const EXPLANATION = names('Explanation', 'explanations');
const CLUSTER_EXPLANATION = names('ClusterExplanation', 'clusterexplanations');
const SIMULATION = names('Simulation', 'simulations');

/** An explanation as the instance answers it: the newest decision, and those before. */
interface ExplanationObject extends KubeObject {
  readonly explanation: Decision;
  readonly history?: readonly Decision[];
}

interface Decision {
  readonly generation?: number;
  readonly [field: string]: unknown;
}

interface Placed {
  readonly instance: string;
  readonly namespace: string;
  readonly binding: string;
  readonly resource?: ObjectReference | undefined;
}

export function placementService(deps: ServiceDeps): ServedService {
  async function decisionsOf(request: Placed, context: Context): Promise<readonly Decision[]> {
    const { namespace, name } = bindingOf(request);
    const client = clientIn(deps, context, { instance: request.instance });
    const kind = namespace ? EXPLANATION : CLUSTER_EXPLANATION;
    const { explanation, history = [] } = await client.get<ExplanationObject>(kind, {
      ...(namespace ? { namespace } : {}),
      name,
    });
    return [explanation, ...history];
  }

  return service(PlacementService, {
    async explain(request, context) {
      const decisions = await decisionsOf(request, context);
      const wanted = Number(request.generation);
      const found = wanted === 0 ? decisions[0] : decisions.find(({ generation }) => generation === wanted);
      if (!found) throw notFound('decisions', `${request.binding}@${wanted}`);
      return asMessage(ExplanationSchema, found);
    },

    async simulate({ instance, spec }, context) {
      if (!spec) throw badRequest('spec: say what to imagine, such as {"lose":["eu-1"]}');
      const client = clientIn(deps, context, { instance });
      const { status } = await client.create(SIMULATION, {
        apiVersion: SIMULATION.apiVersion,
        kind: SIMULATION.kind,
        metadata: { name: 'simulation' },
        spec: toJson(SimulationSpecSchema, spec),
      });
      return asMessage(SimulationStatusSchema, status);
    },

    async listDecisions(request, context) {
      const all = (await decisionsOf(request, context)).filter((decision) => touches(decision, request.cluster));
      const items = slice(request, all).map((decision) => asMessage(ExplanationSchema, decision));
      return { items, pagination: pagination(request, all.length) };
    },
  });
}

function bindingOf({ namespace, binding, resource }: Placed): { readonly namespace: string; readonly name: string } {
  if (binding !== '') return { namespace, name: binding };
  if (!resource || resource.kind === '' || resource.name === '')
    throw badRequest('name a binding, or what it places: resource.kind and resource.name');
  const { kind, name } = resource;
  return { namespace: resource.namespace || namespace, name: bindingName(kind, name) };
}

/** Whether a cluster was chosen in a decision. */
function touches(decision: Decision, cluster: string): boolean {
  if (cluster === '') return true;
  const attempts = Array.isArray(decision['attempts']) ? (decision['attempts'] as readonly unknown[]) : [];
  return JSON.stringify(attempts).includes(JSON.stringify(cluster));
}
