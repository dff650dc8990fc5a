/**
 * From what was sent to a change of the world: everything is checked before anything is computed, and everything that is
 * wrong is told at once, by field. Objects pass the same admission as if they were written; nothing is.
 */
import { type Clock, rfc3339 } from '#base/clock.ts';
import { draftOf, isObject } from '#base/json.ts';
import { StatusError } from '#base/status-error.ts';
import { defaultCluster } from '#karmada/admission/cluster-defaults.ts';
import { clusterErrors } from '#karmada/admission/cluster-rules.ts';
import { type Cluster, CLUSTER, type ObjectReference, READY, type Taint, TAINTS } from '#karmada/apis/index.ts';
import { taintsByCondition } from '#karmada/cluster/taints.ts';
import type { ResourceInterpreter } from '#karmada/interpreter/index.ts';
import { invalid as invalidObject } from '#kube/apiserver/failures.ts';
import { setCondition } from '#kube/meta/condition.ts';
import { type FieldError, invalid, required, tooMany, unknownReference } from '#kube/meta/field-error.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import type { JoiningCluster, SimulationSpec } from './simulation.ts';
import { type Change, idOf, isPolicyKind, policiesOf, referenceOf, type World } from './world.ts';

export interface DecodeDeps {
  readonly world: World;
  readonly clock: Clock;
  readonly interpreter: Pick<ResourceInterpreter, 'reviseReplica'>;
  /** The object as the server would store it; throws what the server would answer. */
  readonly admit: (object: KubeObject, existing: KubeObject | undefined) => Promise<KubeObject>;
}

export interface Decoded {
  readonly name: string;
  readonly spec: SimulationSpec;
  readonly change: Change;
}

const KIND = { group: 'placement.kairship.io', kind: 'Simulation' };
const MAX_ENTRIES = 200;
const MAX_BYTES = 1024 * 1024;
const LISTS = ['apply', 'remove', 'replicas', 'taints', 'cordon', 'uncordon', 'lose', 'unjoin', 'join'] as const;

/** Throws `Invalid` with all that is wrong, or `RequestEntityTooLarge`. */
export async function decodeSimulation(body: unknown, deps: DecodeDeps): Promise<Decoded> {
  const metadata = isObject(body) && isObject(body['metadata']) ? body['metadata'] : {};
  const given = metadata['name'] ?? metadata['generateName'];
  const name = typeof given === 'string' ? given : '';
  const spec = specOf(body, name);
  const errors: FieldError[] = [];
  const existing = existingIn(deps.world);
  const applied = await admitted(spec, deps, existing, errors);
  const removed = referencesOf(spec, existing, errors);
  const scaled = await scaledTemplates(spec, deps, applied, errors);
  const clusters = clustersOf(spec, deps, errors);
  if (errors.length > 0) throw invalidObject(KIND, name, errors);
  const kept = applied.filter(
    (object) => !scaled.some((each) => idOf(referenceOf(each)) === idOf(referenceOf(object))),
  );
  return { name, spec, change: { applied: [...kept, ...scaled], removed, clusters, lost: spec.lose ?? [] } };
}

/** The shape alone: lists are lists, of things that can be looked at. */
function specOf(body: unknown, name: string): SimulationSpec {
  const spec = isObject(body) ? (body['spec'] ?? {}) : undefined;
  if (!isObject(spec)) throw invalidObject(KIND, name, [required('spec', 'must be an object')]);
  if (JSON.stringify(spec).length > MAX_BYTES) {
    throw new StatusError('RequestEntityTooLarge', `a simulation may be at most ${MAX_BYTES} bytes long`);
  }
  const errors: FieldError[] = [];
  for (const field of Object.keys(spec)) {
    const known = (LISTS as readonly string[]).includes(field) || field === 'includeUnchanged';
    if (!known)
      errors.push(invalid(`spec.${field}`, field, `unknown field, known are ${LISTS.join(', ')}, includeUnchanged`));
  }
  for (const field of LISTS) {
    const list = spec[field];
    if (list === undefined) continue;
    if (!Array.isArray(list)) errors.push(invalid(`spec.${field}`, list, 'must be a list'));
    else if (list.length > MAX_ENTRIES) errors.push(tooMany(`spec.${field}`, list.length, MAX_ENTRIES));
    else errors.push(...list.flatMap((entry, at) => entryErrors(field, entry, `spec.${field}[${at}]`)));
  }
  if (errors.length > 0) throw invalidObject(KIND, name, errors);
  return spec;
}

const NAMED: Readonly<Record<string, readonly string[]>> = {
  remove: ['apiVersion', 'kind', 'name'],
  replicas: ['apiVersion', 'kind', 'name'],
  taints: ['cluster'],
  join: ['name'],
};

function entryErrors(field: string, entry: unknown, path: string): readonly FieldError[] {
  if (['cordon', 'uncordon', 'lose', 'unjoin'].includes(field)) {
    return typeof entry === 'string' ? [] : [invalid(path, entry, 'must be the name of a cluster')];
  }
  if (!isObject(entry)) return [invalid(path, entry, 'must be an object')];
  if (field === 'apply') return objectErrors(entry, path);
  const missing = (NAMED[field] ?? []).filter((key) => typeof entry[key] !== 'string' || entry[key] === '');
  const replicas = entry['replicas'];
  const isCount = typeof replicas === 'number' && Number.isInteger(replicas) && replicas >= 0;
  return [
    ...missing.map((key) => required(`${path}.${key}`)),
    ...(field === 'replicas' && !isCount
      ? [invalid(`${path}.replicas`, replicas, 'must be a whole number, 0 or more')]
      : []),
  ];
}

function objectErrors(object: Readonly<Record<string, unknown>>, path: string): readonly FieldError[] {
  const metadata = isObject(object['metadata']) ? object['metadata'] : {};
  const missing = (['apiVersion', 'kind'] as const).filter((key) => typeof object[key] !== 'string');
  return [
    ...missing.map((key) => required(`${path}.${key}`)),
    ...(typeof metadata['name'] === 'string' ? [] : [required(`${path}.metadata.name`)]),
    ...(object['kind'] === CLUSTER.kind ? [invalid(`${path}.kind`, CLUSTER.kind, 'use taints, cordon, join')] : []),
  ];
}

function existingIn(world: World): (reference: ObjectReference) => KubeObject | undefined {
  return (reference) => {
    if (!isPolicyKind(reference.kind)) return world.template(reference);
    const { namespace, name } = reference;
    return policiesOf(world, reference.kind).find(
      ({ metadata }) => metadata.name === name && metadata.namespace === namespace,
    );
  };
}

async function admitted(
  { apply = [] }: SimulationSpec,
  { admit }: DecodeDeps,
  existing: (reference: ObjectReference) => KubeObject | undefined,
  errors: FieldError[],
): Promise<readonly KubeObject[]> {
  const objects: KubeObject[] = [];
  for (const [at, object] of apply.entries()) {
    try {
      objects.push(await admit(object, existing(referenceOf(object))));
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error);
      errors.push(invalid(`spec.apply[${at}]`, `${object.kind} ${object.metadata.name}`, why));
    }
  }
  return objects;
}

function referencesOf(
  { remove = [] }: SimulationSpec,
  existing: (reference: ObjectReference) => KubeObject | undefined,
  errors: FieldError[],
): readonly ObjectReference[] {
  for (const [at, reference] of remove.entries()) {
    if (!existing(reference)) errors.push(unknownReference(`spec.remove[${at}]`, idOf(reference)));
  }
  return remove.map(({ apiVersion, kind, namespace, name }) => ({
    apiVersion,
    kind,
    name,
    ...(namespace === undefined ? {} : { namespace }),
  }));
}

async function scaledTemplates(
  { replicas = [] }: SimulationSpec,
  { world, interpreter }: DecodeDeps,
  applied: readonly KubeObject[],
  errors: FieldError[],
): Promise<readonly KubeObject[]> {
  const scaled: KubeObject[] = [];
  for (const [at, { replicas: count, ...reference }] of replicas.entries()) {
    const changed = applied.find((object) => idOf(referenceOf(object)) === idOf(reference));
    const template = changed ?? world.template(reference);
    if (template) scaled.push(await interpreter.reviseReplica(template, count));
    else errors.push(unknownReference(`spec.replicas[${at}]`, idOf(reference)));
  }
  return scaled;
}

/** Only those that differ from what they were. */
function clustersOf(spec: SimulationSpec, { world, clock }: DecodeDeps, errors: FieldError[]): readonly Cluster[] {
  const known = new Map(world.clusters.map((cluster) => [cluster.metadata.name, cluster]));
  const changed = new Map<string, Cluster>();
  const now = rfc3339(clock.now());
  function change(name: string, field: string, make: (cluster: Cluster) => Cluster): void {
    const cluster = changed.get(name) ?? known.get(name);
    if (!cluster) {
      errors.push(unknownReference(field, name));
      return;
    }
    const next = draftOf(make(cluster));
    defaultCluster(next, 'UPDATE', clock);
    errors.push(
      ...clusterErrors(next).map((error) => ({ ...error, field: `${field}: cluster ${name}: ${error.field}` })),
    );
    changed.set(name, next);
  }
  for (const [at, joining] of (spec.join ?? []).entries()) {
    const taken = known.has(joining.name);
    if (taken) errors.push(invalid(`spec.join[${at}].name`, joining.name, 'there is a cluster of this name already'));
    else changed.set(joining.name, joined(joining, world, now));
  }
  for (const [at, { cluster, add = [], remove = [] }] of (spec.taints ?? []).entries()) {
    change(cluster, `spec.taints[${at}]`, (each) =>
      tainted(each, add, (taint) => remove.some((one) => isSame(one, taint))),
    );
  }
  const cordoned: Taint = { key: TAINTS.unschedulable, effect: 'NoSchedule' };
  for (const [at, name] of (spec.cordon ?? []).entries()) {
    change(name, `spec.cordon[${at}]`, (each) => tainted(each, [cordoned], () => false));
  }
  for (const [at, name] of (spec.uncordon ?? []).entries()) {
    change(name, `spec.uncordon[${at}]`, (each) => tainted(each, [], (taint) => isSame(cordoned, taint)));
  }
  for (const [at, name] of (spec.lose ?? []).entries()) change(name, `spec.lose[${at}]`, (each) => lost(each, now));
  for (const [at, name] of (spec.unjoin ?? []).entries()) {
    change(name, `spec.unjoin[${at}]`, (each) => ({
      ...each,
      metadata: { ...each.metadata, deletionTimestamp: now },
    }));
  }
  return [...changed.values()];
}

function isSame(a: { readonly key: string; readonly effect?: string }, b: Taint): boolean {
  return a.key === b.key && (a.effect === undefined || a.effect === b.effect);
}

/** A taint of the same key and effect is replaced. */
function tainted(cluster: Cluster, add: readonly Taint[], goes: (taint: Taint) => boolean): Cluster {
  const kept = (cluster.spec.taints ?? []).filter((taint) => !goes(taint) && !add.some((one) => isSame(one, taint)));
  return { ...cluster, spec: { ...cluster.spec, taints: [...kept, ...add] } };
}

/** As its status would say, and the taint that follows from it. */
function lost(cluster: Cluster, now: string): Cluster {
  const condition = {
    type: READY.type,
    status: 'False',
    reason: READY.notReachable,
    message: READY.notReachableMessage,
  } as const;
  const conditions = setCondition(cluster.status?.conditions, condition, now);
  const unready = { ...cluster, status: { ...cluster.status, conditions } };
  return { ...unready, spec: { ...cluster.spec, taints: taintsByCondition(unready, now) } };
}

/** A cluster that is ready and serves what its peers serve. */
function joined(joining: JoiningCluster, world: World, now: string): Cluster {
  const { name, labels, capacity, provider, region, zones, taints } = joining;
  const condition = { type: READY.type, status: 'True', reason: READY.ready, message: READY.readyMessage } as const;
  const [peer] = world.clusters.filter(({ status }) => (status?.apiEnablements?.length ?? 0) > 0);
  const { apiEnablements, kubernetesVersion } = peer?.status ?? {};
  return {
    apiVersion: CLUSTER.apiVersion,
    kind: 'Cluster',
    metadata: { name, creationTimestamp: now, ...(labels ? { labels } : {}) },
    spec: {
      syncMode: 'Push',
      ...(provider === undefined ? {} : { provider }),
      ...(region === undefined ? {} : { region }),
      ...(zones ? { zones } : {}),
      ...(taints ? { taints } : {}),
    },
    status: {
      conditions: setCondition(peerConditions(peer), condition, now),
      ...(apiEnablements ? { apiEnablements } : {}),
      ...(kubernetesVersion === undefined ? {} : { kubernetesVersion }),
      ...(capacity ? { resourceSummary: { allocatable: capacity, allocated: {}, allocating: {} } } : {}),
    },
  };
}

/** What is true of a peer besides being ready: that the list of its APIs is complete. */
function peerConditions(peer: Cluster | undefined) {
  return peer?.status?.conditions?.filter(({ type }) => type !== READY.type);
}
