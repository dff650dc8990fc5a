/**
 * What would happen if: the engine's own decisions on a world that has been changed first. Writes nothing.
 *
 *     change → whose policy → binding → failover → scheduler → dependencies → manifests → what differs
 *
 * Each step is the function the controllers call, so the answer is what will happen, as long as the world holds still.
 * Between two bindings others have a turn. Start at {@link simulate}; `decode-simulation.ts` makes a change of what was
 * asked for.
 */
import { rfc3339 } from '#base/clock.ts';
import { jsonEqual } from '#base/json.ts';
import type { AnyBinding, AnyPropagationPolicy, ObjectReference, ResourceBinding } from '#karmada/apis/index.ts';
import { attach, attachedBinding, detach } from '#karmada/binding/dependencies.ts';
import { claimOf } from '#karmada/detector/claim.ts';
import { takeoverProblem } from '#karmada/execution/retain.ts';
import { bindingName } from '#karmada/names/index.ts';
import { movesOf } from '#karmada/scheduler/index.ts';
import { gvkOf } from '#kube/meta/gvk.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { clusterPairs, concernedTemplates } from './concerned.ts';
import { disruptionOf } from './disruption.ts';
import { type ClusterManifest, manifestEffects } from './manifests.ts';
import { rebind, type RematchDeps, rematch } from './rematch.ts';
import { type ReplaceInput, type Replaced, replace } from './replace.ts';
import type { BindingEffect, Conflict, SimulationStatus, Summary, Verdict } from './simulation.ts';
import { bindingsByKey, type Change, changedWorld, isPropagationPolicy, type World } from './world.ts';

export interface SimulateInput extends RematchDeps, Pick<ReplaceInput, 'failover' | 'scheduling' | 'now'> {
  readonly world: World;
  readonly change: Change;
  readonly includeUnchanged?: boolean;
  /** Lets others have a turn, when it is time. */
  readonly breathe?: () => Promise<void> | undefined;
  /** The object a cluster has where one would be created; undefined when there is none, or nobody can tell. */
  readonly observe?: (cluster: string, manifest: KubeObject) => Promise<KubeObject | undefined>;
}

/** One template on its way through the steps. */
interface Subject {
  readonly key: string;
  readonly reference: ObjectReference;
  readonly before: AnyBinding | undefined;
  readonly after: AnyBinding | undefined;
  readonly policy: { readonly before?: string; readonly after?: string };
  readonly preempted: boolean;
  readonly replaced?: Replaced;
}

/** Explanations and paths are the bulk of an answer: beyond so many words on clusters and paths they are left out. */
const IN_FULL = 2_000;

export async function simulate(input: SimulateInput): Promise<SimulationStatus> {
  const after = changedWorld(input.world, input.change);
  const subjects = await placeAll(input, after);
  await followDependencies(input, after, subjects);
  const effects: BindingEffect[] = [];
  const conflicts: Conflict[] = [];
  for (const subject of subjects.values()) {
    await input.breathe?.();
    const manifests = await manifestsOf(input, after, subject);
    conflicts.push(...conflictsOf(subject, manifests), ...(await takeovers(input, subject, manifests)));
    effects.push(effectOf(input, after, subject, manifests));
  }
  return statusOf(input, effects, conflicts);
}

async function placeAll(input: SimulateInput, after: World): Promise<Map<string, Subject>> {
  const bindings = bindingsByKey(input.world);
  const changed = input.change.applied.filter(isPropagationPolicy);
  const clusters = new Map(after.clusters.map((cluster) => [cluster.metadata.name, cluster]));
  const places: Places = {
    bindings,
    changed,
    clusters,
    changedClusters: clusterPairs(input.world, input.change),
    lost: new Set(input.change.lost),
    applied: new Set(input.change.applied.map(templateId)),
  };
  const subjects = new Map<string, Subject>();
  for (const reference of (await concernedTemplates(input.world, after, input.change, input.breathe)).values()) {
    await input.breathe?.();
    const subject = await place(input, after, reference, places);
    if (subject) subjects.set(subject.key, subject);
  }
  return subjects;
}

interface Places extends Pick<ReplaceInput, 'clusters' | 'changedClusters' | 'lost'> {
  readonly bindings: ReadonlyMap<string, AnyBinding>;
  readonly changed: readonly AnyPropagationPolicy[];
  readonly applied: ReadonlySet<string>;
}

async function place(
  input: SimulateInput,
  after: World,
  reference: ObjectReference,
  places: Places,
): Promise<Subject | undefined> {
  const key = keyFor(reference);
  const before = places.bindings.get(key);
  const template = after.template(reference);
  const was = input.world.template(reference);
  const held = was && claimText(was);
  const known = { key, reference, before, preempted: false };
  if (!template) return before && { ...known, after: undefined, policy: held ? { before: held } : {} };
  const matched = rematch(after, template, places.changed, input);
  const byUser = places.applied.has(templateId(template));
  const bound = await rebind(after, template, matched, before, byUser, input);
  const policy = {
    ...(held ? { before: held } : {}),
    ...(matched.policy ? { after: policyText(matched.policy) } : {}),
  };
  if (!bound) return undefined;
  const { failover, scheduling, now } = input;
  const replaced = replace({
    ...places,
    binding: bound,
    before,
    template,
    now,
    ...(failover ? { failover } : {}),
    ...(scheduling ? { scheduling } : {}),
  });
  return { ...known, after: replaced.binding, policy, preempted: matched.preempted, replaced };
}

/** What templates depend on goes where they go. */
async function followDependencies(input: SimulateInput, after: World, subjects: Map<string, Subject>): Promise<void> {
  const bindings = bindingsByKey(input.world);
  const current = (key: string) =>
    (subjects.has(key) ? subjects.get(key)?.after : bindings.get(key)) as ResourceBinding | undefined;
  const referrer = ({ namespace, name }: { readonly namespace?: string; readonly name: string }) =>
    current(namespace === undefined ? name : `${namespace}/${name}`);
  const children = childrenOf(input.world);
  const put = (reference: ObjectReference, next: AnyBinding) => {
    const key = keyFor(reference);
    const known = subjects.get(key);
    const before = bindings.get(key);
    if (jsonEqual((known?.after ?? before)?.spec.requiredBy, next.spec.requiredBy)) return;
    subjects.set(
      key,
      known ? { ...known, after: next } : { key, reference, before, after: next, policy: {}, preempted: false },
    );
  };
  for (const subject of subjects.values().toArray()) {
    await input.breathe?.();
    const parent = subject.after as ResourceBinding | undefined;
    const wanted = new Set<string>();
    for (const object of parent ? await dependenciesOf(input, after, subject.reference, parent) : []) {
      const own = attachedBinding(parent as ResourceBinding, object);
      const reference = { ...own.spec.resource };
      wanted.add(keyFor(reference));
      const existing = current(keyFor(reference));
      put(reference, existing ? attach(existing, own, referrer) : own);
    }
    for (const child of children.get(subject.key) ?? []) {
      const now = current(keyFor(child.spec.resource));
      if (wanted.has(keyFor(child.spec.resource)) || !now || !subject.before) continue;
      put(child.spec.resource, detach(now, subject.before as ResourceBinding, referrer));
    }
  }
}

async function dependenciesOf(
  { interpreter }: SimulateInput,
  after: World,
  reference: ObjectReference,
  parent: ResourceBinding,
): Promise<readonly KubeObject[]> {
  const template = after.template(reference);
  if (!parent.spec.propagateDeps || !template || !interpreter.handles(gvkOf(template), 'InterpretDependency'))
    return [];
  const dependencies = await interpreter.dependencies(template);
  return dependencies.flatMap(({ name, ...dependency }) => {
    if (name === undefined) return [...after.selected(dependency)];
    return after.template({ ...dependency, name }) ?? [];
  });
}

/** Bindings by the bindings that require them. */
function childrenOf(world: World): ReadonlyMap<string, readonly AnyBinding[]> {
  const children = new Map<string, AnyBinding[]>();
  for (const binding of world.bindings) {
    for (const { namespace, name } of binding.spec.requiredBy ?? []) {
      const parent = namespace === undefined ? name : `${namespace}/${name}`;
      children.set(parent, [...(children.get(parent) ?? []), binding]);
    }
  }
  return children;
}

function manifestsOf(
  { world, interpreter }: SimulateInput,
  after: World,
  { before, after: binding, reference }: Subject,
) {
  return manifestEffects(
    interpreter,
    { world, binding: before, template: world.template(reference) },
    { world: after, binding, template: after.template(reference) },
  );
}

function effectOf(
  { world, change }: SimulateInput,
  after: World,
  subject: Subject,
  manifests: readonly ClusterManifest[],
): BindingEffect {
  const { key, reference, before, after: binding, policy, replaced } = subject;
  const [was, is] = [before?.spec.clusters ?? [], binding?.spec.clusters ?? []];
  const moves = movesOf(was, is);
  const template = after.template(reference) ?? world.template(reference);
  const plain = manifests.map(({ manifest: _manifest, ...effect }) => effect);
  const disruption =
    template && disruptionOf({ template, before, after: binding, manifests: plain, lost: new Set(change.lost) });
  return {
    binding: key,
    template: reference,
    verdict: verdictOf(subject, moves.length > 0, manifests.length > 0),
    because: replaced?.because ?? (binding ? 'it follows what requires it' : 'its template is removed'),
    policy,
    before: was,
    after: is,
    moves,
    evictions: replaced?.evictions ?? [],
    manifests: plain,
    ...(disruption ? { disruption } : {}),
    ...(replaced?.decision ? { explanation: replaced.decision.explanation } : {}),
  };
}

function verdictOf({ before, after, replaced, policy }: Subject, moves: boolean, manifests: boolean): Verdict {
  if (!after) return 'removed';
  if (before?.spec.clusters?.length && !after.spec.clusters?.length) return 'nowhere';
  if (replaced?.decision && replaced.decision.outcome.type !== 'scheduled') return 'stuck';
  if (!before) return 'created';
  if (moves) return 'moved';
  const evicted = replaced?.evictions.some(({ when }) => when === 'now');
  return manifests || evicted || policy.before !== policy.after ? 'changed' : 'unchanged';
}

function conflictsOf({ key, policy, preempted, before }: Subject, manifests: readonly ClusterManifest[]): Conflict[] {
  const failed = manifests.flatMap(({ cluster, change, message = '' }): Conflict[] =>
    change === 'failed' ? [{ type: 'OverrideFails', binding: key, cluster, message }] : [],
  );
  const taken = before && policy.before !== undefined && policy.after !== undefined && policy.before !== policy.after;
  if (!taken) return failed;
  const how = preempted ? 'preempts' : 'takes over from';
  return [...failed, { type: 'ClaimTaken', binding: key, message: `${policy.after} ${how} ${policy.before}` }];
}

/** Objects of others that are where ours would be created. */
async function takeovers(
  { observe }: SimulateInput,
  { key }: Subject,
  manifests: readonly ClusterManifest[],
): Promise<readonly Conflict[]> {
  if (!observe) return [];
  const found = await Promise.all(
    manifests.map(async ({ cluster, manifest }): Promise<Conflict | undefined> => {
      const observed = manifest && (await observe(cluster, manifest));
      const message = observed && takeoverProblem(manifest, observed, cluster);
      return message === undefined ? undefined : { type: 'ObjectExists', binding: key, cluster, message };
    }),
  );
  return found.filter((conflict) => conflict !== undefined);
}

function statusOf(
  { now, includeUnchanged }: SimulateInput,
  effects: readonly BindingEffect[],
  conflicts: readonly Conflict[],
): SimulationStatus {
  const changed = effects.filter(({ verdict }) => verdict !== 'unchanged');
  const shown = (includeUnchanged ? effects : changed).toSorted((a, b) => (a.binding < b.binding ? -1 : 1));
  const unschedulable = effects.flatMap(({ binding, verdict, explanation, because }) => {
    if (verdict !== 'nowhere' && verdict !== 'stuck') return [];
    return [{ binding, message: explanation?.attempts[0]?.outcome.message ?? because }];
  });
  let bulk = 0;
  const told = shown.map((effect) => ((bulk += bulkOf(effect)) <= IN_FULL ? effect : shortened(effect)));
  const abridged = told.filter((effect, at) => effect !== shown[at]).length;
  return {
    simulatedAt: rfc3339(now),
    summary: summaryOf(effects, changed.length, unschedulable.length, conflicts.length),
    bindings: told,
    conflicts,
    unschedulable,
    ...(abridged > 0 ? { abridged } : {}),
  };
}

function bulkOf({ explanation, manifests }: BindingEffect): number {
  const clusters = (explanation?.attempts ?? []).reduce((sum, attempt) => sum + attempt.clusters.length, 0);
  return clusters + manifests.reduce((sum, { paths = [] }) => sum + paths.length, 0);
}

function shortened({ explanation: _explanation, manifests, ...effect }: BindingEffect): BindingEffect {
  return { ...effect, manifests: manifests.map(({ cluster, change }) => ({ cluster, change })) };
}

function summaryOf(
  effects: readonly BindingEffect[],
  changed: number,
  unschedulable: number,
  conflicts: number,
): Summary {
  const sums = { moved: 0, started: 0, stopped: 0, restarted: 0 };
  for (const { moves, disruption } of effects) {
    // What has no replicas has copies, which are told with its binding.
    if (!disruption) continue;
    sums.restarted += disruption.restarted;
    for (const { from, to, replicas } of moves) {
      if (from !== undefined && to !== undefined) sums.moved += replicas;
      else if (to !== undefined) sums.started += replicas;
      else sums.stopped += replicas;
    }
  }
  return { bindings: effects.length, changed, ...sums, unschedulable, conflicts };
}

function keyFor({ kind, namespace, name }: ObjectReference): string {
  return namespace === undefined ? bindingName(kind, name) : `${namespace}/${bindingName(kind, name)}`;
}

function templateId({ apiVersion, kind, metadata: { namespace = '', name } }: KubeObject): string {
  return `${apiVersion} ${kind} ${namespace}/${name}`;
}

function claimText(template: KubeObject): string | undefined {
  const held = claimOf(template);
  return held && `${held.kind} ${held.namespace === undefined ? '' : `${held.namespace}/`}${held.name}`;
}

function policyText({ kind, metadata: { namespace, name } }: AnyPropagationPolicy): string {
  return `${kind} ${namespace === undefined ? '' : `${namespace}/`}${name}`;
}
