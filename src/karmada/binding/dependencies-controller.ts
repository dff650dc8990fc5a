/**
 * Takes along what a template depends on: ConfigMaps, Secrets and the like go to the clusters the template goes to.
 *
 * For every binding that asks for it, the dependencies that exist get bindings of their own which name it
 * (`dependencies.ts`). They follow when the template moves, when a dependency appears or goes, and are let go when the
 * binding is, or no longer asks. A finalizer keeps the binding until its dependencies have been let go.
 */
import { jsonEqual } from '#base/json.ts';
import { hasReason } from '#base/status-error.ts';
import {
  ANNOTATIONS,
  type BindingSnapshot,
  EVENT_REASONS,
  FINALIZERS,
  RESOURCE_BINDING,
  type ResourceBinding,
} from '#karmada/apis/index.ts';
import { specificationChanged } from '#karmada/detector/event-filter.ts';
import type { Templates } from '#karmada/detector/templates.ts';
import type { EventRecorder } from '#karmada/events/index.ts';
import type { DependentObject, ResourceInterpreter } from '#karmada/interpreter/index.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import { gvkOf } from '#kube/meta/gvk.ts';
import { keyOf, type KubeObject } from '#kube/meta/object.ts';
import { type Controller, done, type Informers, type Outcome, type Reconcile } from '#kube/runtime/index.ts';
import {
  attach,
  attachedBinding,
  dependenciesOf,
  dependenciesText,
  detach,
  isDependency,
  requirementLabel,
  strategyConflicts,
} from './dependencies.ts';

export interface DependenciesDeps {
  readonly client: KubeClient;
  readonly informers: Informers;
  readonly templates: Templates;
  readonly interpreter: ResourceInterpreter;
  readonly events: EventRecorder;
}

const CONCURRENCY = 16;
const ATTEMPTS = 5;
/** Bindings by the namespace their dependencies are in. */
const DEPENDS_IN = 'depends-in';
/** Attached bindings by the requirement labels they carry. */
const REQUIRED = 'required-by';

export function dependenciesController(deps: DependenciesDeps): Controller {
  const { client, informers, templates, interpreter, events } = deps;
  const bindings = informers<ResourceBinding>(RESOURCE_BINDING);
  bindings.index(DEPENDS_IN, (binding) => dependenciesOf(binding).map(({ namespace = '' }) => namespace));
  bindings.index(REQUIRED, ({ metadata: { labels = {} } }) =>
    Object.entries(labels).map(([key, value]) => `${key}=${value}`),
  );
  const referrer = ({ namespace, name }: BindingSnapshot) => bindings.get(namespace ? `${namespace}/${name}` : name);

  async function reconcile({ key }: Reconcile): Promise<Outcome> {
    const binding = bindings.get(key);
    if (!binding) return done;
    if (!binding.spec.propagateDeps || binding.metadata.deletionTimestamp) return letGo(binding);
    const template = await templates.find(binding.spec.resource);
    if (!template || !interpreter.handles(gvkOf(template), 'InterpretDependency')) return done;
    const dependencies = await dependenciesFor(template);
    try {
      await follow(await note(binding, dependencies), dependencies);
    } catch (error) {
      if (!hasReason(error, 'Conflict')) {
        events.warning(binding, EVENT_REASONS.syncScheduleResultToDependenciesFailed, textOf(error));
      }
      throw error;
    }
    return done;
  }

  async function dependenciesFor(template: KubeObject): Promise<readonly DependentObject[]> {
    try {
      return await interpreter.dependencies(template);
    } catch (error) {
      events.warning(template, EVENT_REASONS.getDependenciesFailed, textOf(error));
      throw error;
    }
  }

  /** Before anything is attached: what is written down here is what is let go later. */
  async function note(binding: ResourceBinding, dependencies: readonly DependentObject[]): Promise<ResourceBinding> {
    const finalizers = [...new Set([...(binding.metadata.finalizers ?? []), FINALIZERS.dependenciesDistributor])];
    const annotations = { ...binding.metadata.annotations, [ANNOTATIONS.dependencies]: dependenciesText(dependencies) };
    const noted = { ...binding, metadata: { ...binding.metadata, finalizers, annotations } };
    return jsonEqual(binding, noted) ? binding : client.update(RESOURCE_BINDING, noted);
  }

  async function follow(binding: ResourceBinding, dependencies: readonly DependentObject[]): Promise<void> {
    const objects = (await Promise.all(dependencies.map(objectsOf))).flat();
    const wanted = new Map(objects.map((object) => [keyOf(attachedBinding(binding, object)), object]));
    const orphans = attachedTo(binding).filter((attached) => !wanted.has(keyOf(attached)));
    const changes = await Promise.all([
      ...orphans.map((orphan) => write(orphan, (current) => detach(current, binding, referrer))),
      ...[...wanted.values()].map((object) => attachTo(binding, object)),
    ]);
    if (!changes.includes(true)) return;
    const message = 'Sync schedule results to dependencies succeed.';
    events.normal(binding, EVENT_REASONS.syncScheduleResultToDependenciesSucceed, message);
  }

  async function objectsOf(dependency: DependentObject): Promise<readonly KubeObject[]> {
    const { apiVersion, kind, namespace, name } = dependency;
    if (name) {
      const found = await templates.find({ apiVersion, kind, name, ...(namespace ? { namespace } : {}) });
      return found ? [found] : [];
    }
    return [...templates.selected({ ...dependency })];
  }

  function attachedTo(binding: ResourceBinding): readonly ResourceBinding[] {
    const { key, value } = requirementLabel(binding);
    return bindings.byIndex(REQUIRED, `${key}=${value}`);
  }

  async function attachTo(binding: ResourceBinding, object: KubeObject): Promise<boolean> {
    const wanted = attachedBinding(binding, object);
    const existing = bindings.get(keyOf(wanted));
    if (!existing) {
      try {
        await client.create(RESOURCE_BINDING, wanted);
        return true;
      } catch (error) {
        if (!hasReason(error, 'AlreadyExists')) throw error;
      }
    }
    const current = existing ?? (await client.get<ResourceBinding>(RESOURCE_BINDING, wanted.metadata));
    return write(current, (each) => attach(each, wanted, referrer));
  }

  /** Whether anything had to be written. */
  async function write(seen: ResourceBinding, change: (binding: ResourceBinding) => KubeObject): Promise<boolean> {
    let current = seen;
    for (let attempt = 1; ; attempt++) {
      const changed = change(current);
      if (jsonEqual(current, changed)) return false;
      try {
        warnOfConflicts(await client.update<ResourceBinding>(RESOURCE_BINDING, changed as ResourceBinding));
        return true;
      } catch (error) {
        if (hasReason(error, 'NotFound')) return false;
        if (attempt === ATTEMPTS || !hasReason(error, 'Conflict')) throw error;
        current = await client.get<ResourceBinding>(RESOURCE_BINDING, seen.metadata);
      }
    }
  }

  function warnOfConflicts(binding: ResourceBinding): void {
    const conflicts = strategyConflicts((binding.spec.requiredBy ?? []).flatMap((each) => referrer(each) ?? []));
    if (conflicts.length === 0 || binding.spec.placement) return;
    const message = `Dependency policy conflict detected: ${conflicts.join('; ')}.`;
    events.warning(binding, EVENT_REASONS.dependencyPolicyConflict, message);
  }

  async function letGo(binding: ResourceBinding): Promise<Outcome> {
    await Promise.all(
      attachedTo(binding).map((attached) => write(attached, (current) => detach(current, binding, referrer))),
    );
    const { finalizers = [] } = binding.metadata;
    if (!finalizers.includes(FINALIZERS.dependenciesDistributor)) return done;
    const rest = finalizers.filter((each) => each !== FINALIZERS.dependenciesDistributor);
    await client.update(RESOURCE_BINDING, { ...binding, metadata: { ...binding.metadata, finalizers: rest } });
    return done;
  }

  function wokenByObject(object: KubeObject): readonly string[] {
    return bindings
      .byIndex(DEPENDS_IN, object.metadata.namespace ?? '')
      .filter((binding) => dependenciesOf(binding).some((dependency) => isDependency(object, dependency)))
      .map(keyOf);
  }

  return {
    name: 'dependencies-distributor',
    concurrency: CONCURRENCY,
    watches: [{ gvr: RESOURCE_BINDING, wakes: wokenByBinding }],
    async source(wake, signal) {
      await templates.synced;
      const end = templates.subscribe(({ type, object, old }) => {
        if (type === 'modified' && !specificationChanged(old, object)) return;
        for (const each of old ? [object, old] : [object]) for (const key of wokenByObject(each)) wake(key);
      });
      signal.addEventListener('abort', end, { once: true });
    },
    reconcile,
  };
}

function wokenByBinding(object: KubeObject, old: KubeObject | undefined, change: string): readonly string[] {
  const [now, before] = [object as ResourceBinding, old as ResourceBinding | undefined];
  if (change === 'deleted') return [];
  if (!before) return now.spec.propagateDeps ? [keyOf(now)] : [];
  if (!now.spec.propagateDeps && !before.spec.propagateDeps) return [];
  const same =
    now.metadata.generation === before.metadata.generation &&
    now.metadata.deletionTimestamp === before.metadata.deletionTimestamp;
  return same ? [] : [keyOf(now)];
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
