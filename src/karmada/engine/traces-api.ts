/**
 * `placement.kairship.io/v1alpha1` traces: how far a template's change has come, by the template's uid.
 *
 * Namespaced for namespaced templates, `clustertraces` for the others. The newest run is the object itself, those before
 * it are its `history`. Lists and watches can be narrowed by fields: `template.kind`, `template.name`, `state`.
 */
import { type Clock, systemClock } from '#base/clock.ts';
import { notFound } from '#base/status-error.ts';
import { type Kept, type RunView, type TraceChange, type TraceStore, traceView } from '#karmada/trace/index.ts';
import type { ApiExtension, Column } from '#kube/apiserver/index.ts';
import { ageOf } from '#kube/meta/age.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { PLACEMENT, PLACEMENT_API_VERSION, PLACEMENT_GROUP } from './placement-group.ts';
import { TRACE_SCHEMA } from './placement-schemas.ts';
import { type VirtualEvent, virtualResource } from './virtual-resource.ts';

type TraceObject = KubeObject & RunView & ReturnType<typeof traceView>;

/** Traces are decoded for a list, some at a time: others have a turn in between. */
const SLICE = 100;

export function tracesApi(traces: () => TraceStore, clock: Clock = systemClock): readonly ApiExtension[] {
  const resource = (namespaced: boolean) => {
    const kind = namespaced ? 'Trace' : 'ClusterTrace';
    const plural = `${kind.toLowerCase()}s`;
    const isOurs = ({ trace }: Kept) => (trace.template.namespace !== undefined) === namespaced;
    const eventOf = ({ type, ...kept }: TraceChange): VirtualEvent => ({
      type: type === 'gone' ? 'DELETED' : 'MODIFIED',
      object: objectOf(kind, kept),
    });
    return virtualResource({
      ...PLACEMENT,
      resource: plural,
      singular: kind.toLowerCase(),
      kind,
      namespaced,
      columns: COLUMNS,
      schema: TRACE_SCHEMA,
      fields: FIELDS,
      now: () => clock.now(),
      async get({ namespace, name }) {
        const kept = traces().of(name);
        if (!kept || !isOurs(kept) || kept.trace.template.namespace !== namespace)
          throw notFound(plural, name, PLACEMENT_GROUP);
        return objectOf(kind, kept);
      },
      async list(namespace) {
        const store = traces();
        const revision = String(store.revision());
        const items: KubeObject[] = [];
        for (const [at, uid] of store.uids().entries()) {
          if (at % SLICE === SLICE - 1) await new Promise((resolve) => setImmediate(resolve));
          const kept = store.of(uid);
          const asked = kept && (namespace === undefined || kept.trace.template.namespace === namespace);
          if (kept && asked && isOurs(kept)) items.push(objectOf(kind, kept));
        }
        return { revision, items };
      },
      watch(from, tell) {
        const store = traces();
        const missed = from === undefined ? [] : store.since(Number(from));
        if (!missed) return undefined;
        tell(missed.filter(isOurs).map(eventOf));
        return { end: store.subscribe((changes) => tell(changes.filter(isOurs).map(eventOf))) };
      },
    });
  };
  return [resource(true), resource(false)];
}

function objectOf(kind: string, { trace, revision }: Kept): TraceObject {
  const view = traceView(trace) as RunView & ReturnType<typeof traceView>;
  const { namespace, uid } = trace.template;
  const metadata = {
    name: uid,
    ...(namespace === undefined ? {} : { namespace }),
    uid,
    resourceVersion: String(revision),
    creationTimestamp: `${view.startedAt.slice(0, 19)}Z`,
  };
  return { apiVersion: PLACEMENT_API_VERSION, kind, metadata, ...view };
}

const runOf = (object: KubeObject) => object as TraceObject;

const FIELDS = {
  'template.apiVersion': (object: KubeObject) => runOf(object).template.apiVersion,
  'template.kind': (object: KubeObject) => runOf(object).template.kind,
  'template.namespace': (object: KubeObject) => runOf(object).template.namespace ?? '',
  'template.name': (object: KubeObject) => runOf(object).template.name,
  state: (object: KubeObject) => runOf(object).state,
};

const COLUMNS: readonly Column[] = [
  { name: 'Name', type: 'string', format: 'name', priority: 0, cell: ({ metadata }) => metadata.name },
  {
    name: 'Template',
    type: 'string',
    priority: 0,
    cell: (object) => `${runOf(object).template.kind.toLowerCase()}/${runOf(object).template.name}`,
  },
  { name: 'Generation', type: 'integer', priority: 0, cell: (object) => runOf(object).generation },
  { name: 'State', type: 'string', priority: 0, cell: (object) => runOf(object).state },
  { name: 'Clusters', type: 'string', priority: 0, cell: (object) => progress(runOf(object)) },
  { name: 'Took', type: 'string', priority: 0, cell: (object) => `${runOf(object).durationMs}ms` },
  { name: 'Age', type: 'string', priority: 0, cell: ({ metadata }, now) => ageOf(metadata.creationTimestamp, now) },
  { name: 'Slowest', type: 'string', priority: 1, cell: (object) => runOf(object).slowest ?? '' },
  { name: 'Because', type: 'string', priority: 1, cell: (object) => runOf(object).because },
];

/** In how many clusters it has arrived, of how many. */
function progress({ clusters }: RunView): string {
  const arrived = clusters.filter(({ state }) => state === 'Applied' || state === 'Ready').length;
  return `${arrived}/${clusters.length}`;
}
