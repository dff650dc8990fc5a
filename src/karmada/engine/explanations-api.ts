/**
 * `placement.kairship.io/v1alpha1` explanations: why a binding runs where it runs, by the binding's name.
 *
 * Namespaced for ResourceBindings, `clusterexplanations` for ClusterResourceBindings. The newest decision is the object's
 * `explanation`, those before it are its `history`.
 */
import { notFound, StatusError } from '#base/status-error.ts';
import type { ApiExtension, ExtensionRequest } from '#kube/apiserver/index.ts';
import type { DecisionStore } from './decision-store.ts';

export const PLACEMENT_GROUP = 'placement.kairship.io';
const VERSION = 'v1alpha1';

export function explanationsApi(decisions: () => Pick<DecisionStore, 'of'>): readonly ApiExtension[] {
  const serve = (resource: string) => async (request: ExtensionRequest) => {
    const { namespace, name } = request;
    if (name === undefined) throw new StatusError('MethodNotAllowed', `${resource} are read one by one`);
    const [newest, ...history] = decisions().of(namespace === undefined ? name : `${namespace}/${name}`);
    if (!newest) throw notFound(resource, name, PLACEMENT_GROUP);
    const metadata = { name, ...(namespace === undefined ? {} : { namespace }) };
    const kind = namespace === undefined ? 'ClusterExplanation' : 'Explanation';
    return {
      object: { apiVersion: `${PLACEMENT_GROUP}/${VERSION}`, kind, metadata, explanation: newest, history },
    };
  };
  const common = { group: PLACEMENT_GROUP, version: VERSION, verbs: ['get'], categories: ['kairship'] };
  return [
    {
      ...common,
      resource: 'explanations',
      singular: 'explanation',
      kind: { kind: 'Explanation' },
      namespaced: true,
      serve: serve('explanations'),
    },
    {
      ...common,
      resource: 'clusterexplanations',
      singular: 'clusterexplanation',
      kind: { kind: 'ClusterExplanation' },
      namespaced: false,
      serve: serve('clusterexplanations'),
    },
  ];
}
