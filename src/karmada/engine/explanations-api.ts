/**
 * `placement.kairship.io/v1alpha1` explanations: why a binding runs where it runs, by the binding's name.
 *
 * Namespaced for ResourceBindings, `clusterexplanations` for ClusterResourceBindings. The newest decision is the object's
 * `explanation`, those before it are its `history`. A list has the newest of each without its history.
 */
import { type Clock, systemClock } from '#base/clock.ts';
import { notFound } from '#base/status-error.ts';
import { why } from '#karmada/explain/index.ts';
import type { Explanation } from '#karmada/scheduler/index.ts';
import type { ApiExtension, Column } from '#kube/apiserver/index.ts';
import { ageOf } from '#kube/meta/age.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { PLACEMENT, PLACEMENT_API_VERSION, PLACEMENT_GROUP } from './placement-group.ts';
import { EXPLANATION_SCHEMA } from './placement-schemas.ts';
import { virtualResource } from './virtual-resource.ts';

/** Where explanations are found: what was decided, or what would be decided now. */
export interface Explanations {
  /** Newest first; `binding` is `namespace/name`, or the bare name of a cluster-scoped one. */
  of(binding: string): readonly Explanation[];
  bindings(): readonly string[];
}

interface ExplanationObject extends KubeObject {
  readonly explanation: Explanation;
  readonly history?: readonly Explanation[];
}

export function explanationsApi(explanations: () => Explanations, clock: Clock = systemClock): readonly ApiExtension[] {
  const resource = (namespaced: boolean) => {
    const kind = namespaced ? 'Explanation' : 'ClusterExplanation';
    const plural = `${kind.toLowerCase()}s`;
    const has = (key: string, namespace: string | undefined) =>
      key.includes('/') === namespaced && (namespace === undefined || key.startsWith(`${namespace}/`));
    return virtualResource({
      ...PLACEMENT,
      resource: plural,
      singular: kind.toLowerCase(),
      kind,
      namespaced,
      columns: COLUMNS,
      schema: EXPLANATION_SCHEMA,
      now: () => clock.now(),
      async get({ namespace, name }) {
        const [newest, ...history] = explanations().of(namespace === undefined ? name : `${namespace}/${name}`);
        if (!newest) throw notFound(plural, name, PLACEMENT_GROUP);
        return { ...objectOf(kind, newest), history };
      },
      async list(namespace) {
        const keys = explanations()
          .bindings()
          .filter((key) => has(key, namespace));
        const items = keys.flatMap((key) => explanations().of(key).slice(0, 1));
        return { revision: '0', items: items.map((newest) => objectOf(kind, newest)) };
      },
    });
  };
  return [resource(true), resource(false)];
}

function objectOf(kind: string, explanation: Explanation): ExplanationObject {
  const [first = '', second] = explanation.binding.split('/');
  const metadata = {
    ...(second === undefined ? { name: first } : { namespace: first, name: second }),
    creationTimestamp: explanation.decidedAt,
    generation: explanation.generation,
  };
  return { apiVersion: PLACEMENT_API_VERSION, kind, metadata, explanation };
}

const summaryOf = (object: KubeObject) => why((object as ExplanationObject).explanation);

const COLUMNS: readonly Column[] = [
  { name: 'Name', type: 'string', format: 'name', priority: 0, cell: ({ metadata }) => metadata.name },
  { name: 'Verdict', type: 'string', priority: 0, cell: (object) => summaryOf(object).outcome.type },
  { name: 'Clusters', type: 'string', priority: 0, cell: clustersText },
  {
    name: 'Replicas',
    type: 'string',
    priority: 0,
    cell(object) {
      const { placedReplicas, replicas } = summaryOf(object);
      return replicas === 0 ? '' : `${placedReplicas}/${replicas}`;
    },
  },
  { name: 'Because', type: 'string', priority: 0, cell: (object) => summaryOf(object).because ?? '' },
  { name: 'Age', type: 'string', priority: 0, cell: ({ metadata }, now) => ageOf(metadata.creationTimestamp, now) },
  { name: 'Message', type: 'string', priority: 1, cell: (object) => summaryOf(object).outcome.message },
];

/** `m1:3,m2:1 of 5`. */
function clustersText(object: KubeObject): string {
  const { rows, clusters } = summaryOf(object);
  const placed = rows.filter(({ verdict }) => verdict === 'placed');
  const names = placed.map(({ cluster, replicas }) => (replicas === undefined ? cluster : `${cluster}:${replicas}`));
  return `${names.length > 0 ? names.join(',') : 'none'} of ${clusters}`;
}
