/**
 * `kairship apply`: objects into the instance by server-side apply, and then their way to the clusters, watched until they
 * have arrived.
 *
 * What is waited for is what a simulation foresees: the templates and clusters of which something changes. Running out of
 * time is code 5, with a list of what is still missing.
 */
import type { JsonObject } from '@bufbuild/protobuf';
import { timestampMs } from '@bufbuild/protobuf/wkt';
import pc from 'picocolors';
import { jsonEqual } from '#base/json.ts';
import { hasReason, type StatusError } from '#base/status-error.ts';
import type { SimulationStatus } from '#gen/proto/kairship/api/placement/v1alpha1/simulation_pb.ts';
import type { Run } from '#gen/proto/kairship/api/trace/v1alpha1/trace_pb.ts';
import { TraceService } from '#gen/proto/kairship/api/trace/v1alpha1/trace_service_pb.ts';
import type { HttpClient } from '#kube/client/http-client.ts';
import { type RestMapper, restMapper } from '#kube/client/rest-mapper.ts';
import { gvkOf } from '#kube/meta/gvk.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { connected, type Connection, type ConnectionOptions } from '../cli/connection.ts';
import { CommandFailure, EXIT, usageFailure } from '../cli/failure.ts';
import { manifestsFrom } from '../cli/manifests.ts';
import { type Format, printValue, write } from '../cli/output.ts';
import { confirm } from '../cli/prompt.ts';
import { note, progress, warn } from '../cli/screen.ts';
import { clusterLine, haveArrived, partIn, pendingOf, span, trunkLine } from '../cli/trace-lines.ts';
import { simulate, withNamespaces } from './plan.ts';
import { disrupts, simulationText } from './simulation.ts';
import { FIELD_MANAGER, withWhatStays } from './what-stays.ts';

export interface ApplyOptions extends ConnectionOptions {
  readonly namespace: string;
  readonly filename: readonly string[];
  readonly recursive?: boolean;
  readonly plan?: boolean;
  readonly force?: boolean;
  readonly wait: boolean;
  readonly timeout: number;
  readonly yes?: boolean;
  readonly output?: Format;
}

const POLICIES = /^(Cluster)?(Propagation|Override)Policy$/;

export function apply(options: ApplyOptions): Promise<void> {
  return connected(options, async (on) => {
    const objects = ordered(withNamespaces(await manifestsFrom(options.filename, options), options.namespace));
    const client = on.kube(await on.theInstance());
    const effects = await foreseen(on, objects, options);
    if (options.plan) await agree(effects, options);
    const awaited = options.wait ? await Promise.all(expected(effects).map((one) => withRunBefore(on, one))) : [];
    const applied = await applyAll(client, objects, options);
    report(applied, options.output);
    if (!options.wait) return;
    if (effects) sayUnselected(applied, effects);
    // What is as it was sets nothing off, whatever was foreseen.
    if (applied.some(({ changed }) => changed)) await followAll(on, awaited, options.timeout);
  });
}

function report(applied: readonly Applied[], output: Format | undefined): void {
  if (output && output.type === 'name') return write(applied.map(({ line }) => line.split(' ')[0] ?? '').join('\n'));
  if (!output || output.type === 'table') return write(applied.map(({ line }) => line).join('\n'));
  printValue({ apiVersion: 'v1', kind: 'List', metadata: {}, items: applied.map(({ object }) => object) }, output);
}

/** What others need comes first, whatever the order of files. */
function ordered(objects: readonly KubeObject[]): readonly KubeObject[] {
  const rank = ({ kind }: KubeObject) => (kind === 'Namespace' || kind === 'CustomResourceDefinition' ? 0 : 1);
  return objects.toSorted((a, b) => rank(a) - rank(b));
}

/** What the objects will set off; nothing where that cannot be said, as for those who may not ask. */
async function foreseen(
  on: Connection,
  objects: readonly KubeObject[],
  { plan }: ApplyOptions,
): Promise<SimulationStatus | undefined> {
  const wanted = objects.filter(({ kind }) => POLICIES.test(kind) || !NOT_DISTRIBUTED.test(kind));
  if (wanted.length === 0) return undefined;
  try {
    const left = await withWhatStays(on.kube(await on.theInstance()), wanted);
    return await simulate(on, { apply: left as unknown as JsonObject[] });
  } catch (error) {
    if (plan || hasReason(error, 'ServiceUnavailable', 'Unauthorized')) throw error;
    return undefined;
  }
}

async function agree(effects: SimulationStatus | undefined, { yes }: ApplyOptions): Promise<void> {
  if (!effects) return;
  note(`${simulationText(effects)}\n`);
  const question = disrupts(effects) ? 'This would disrupt what runs. Apply it?' : 'Apply it?';
  if (!(await confirm(question, yes)))
    throw usageFailure('nothing was applied', 'the answer was no', 'kairship plan -f FILE');
}

interface Applied {
  readonly object: KubeObject;
  readonly changed: boolean;
  /** `deployment.apps/nginx created` */
  readonly line: string;
}

async function applyAll(
  client: HttpClient,
  objects: readonly KubeObject[],
  options: ApplyOptions,
): Promise<readonly Applied[]> {
  const mapper = restMapper(client);
  const done: Applied[] = [];
  for (const object of objects) done.push(await applyOne(client, mapper, object, options));
  return done;
}

async function applyOne(
  client: HttpClient,
  mapper: RestMapper,
  object: KubeObject,
  { force }: ApplyOptions,
): Promise<Applied> {
  const { group, version, resource, singular, namespaced } = await mapper.byKind(gvkOf(object));
  const gvr = { group, version, resource };
  const { namespace, name } = object.metadata;
  const key = namespaced && namespace !== undefined ? { namespace, name } : { name };
  const before = await client.get(gvr, key).catch((error: unknown) => {
    if (hasReason(error, 'NotFound')) return undefined;
    throw error;
  });
  const { namespace: _, ...bare } = object.metadata;
  const sent = namespaced ? object : { ...object, metadata: bare };
  const put = (forced: boolean) => client.apply(gvr, sent, { fieldManager: FIELD_MANAGER, force: forced });
  const after = await put(force === true).catch((error: unknown) => {
    if (!hasReason(error, 'Conflict')) throw error;
    if (isOnlyWithKubectl(error)) return put(true);
    throw conflicting(error, singular, name);
  });
  const changed = before === undefined || !jsonEqual(content(before), content(after));
  const what = before === undefined ? 'created' : changed ? 'changed' : 'unchanged';
  return { object: after, changed, line: `${singular}${group === '' ? '' : `.${group}`}/${name} ${what}` };
}

/** Without who set what, which may change alone. */
function content({ metadata, ...object }: KubeObject): object {
  return { ...object, metadata: { ...metadata, managedFields: undefined, resourceVersion: undefined } };
}

/**
 * Whether the fields in question were all set by `kubectl apply`: the same file, by another tool. They are taken over, as
 * `kubectl apply --server-side` takes them over.
 */
export function isOnlyWithKubectl({ message }: StatusError): boolean {
  const owners = [...message.matchAll(/conflicts? with "([^"]*)"/g)].map(([, owner]) => owner);
  return owners.length > 0 && owners.every((owner) => owner === 'kubectl-client-side-apply');
}

function conflicting(error: Error, kind: string, name: string): CommandFailure {
  return new CommandFailure(`${kind}/${name} is not applied`, {
    why: error.message.replaceAll('\n', ' '),
    next: 'take the fields over with --force, or leave them out of the file',
    cause: error,
  });
}

/** Kinds of the instance itself, which go nowhere. */
const NOT_DISTRIBUTED =
  /^(Namespace|CustomResourceDefinition|ResourceInterpreter.*|.*Policy|FederatedResourceQuota|WorkloadRebalancer|Cluster)$/;

interface Awaiting {
  readonly resource: { apiVersion: string; kind: string; namespace: string; name: string };
  /** Clusters in which something is made or changed. */
  readonly clusters: readonly string[];
}

interface Followed extends Awaiting {
  /** When its newest run began before anything was applied; what is waited for is a newer one. */
  readonly before: number | undefined;
}

function expected(effects: SimulationStatus | undefined): readonly Awaiting[] {
  return (effects?.bindings ?? []).flatMap(({ template, manifests }) => {
    const clusters = manifests
      .filter(({ change }) => change !== 'deleted' && change !== 'released')
      .map((one) => one.cluster);
    if (!template || clusters.length === 0) return [];
    const { apiVersion, kind, namespace, name } = template;
    return [{ resource: { apiVersion, kind, namespace, name }, clusters }];
  });
}

async function withRunBefore(on: Connection, one: Awaiting): Promise<Followed> {
  const { runs } = await on
    .rpc(TraceService)
    .getTrace({ instance: await on.theInstance(), resource: one.resource })
    .catch((error: unknown) => {
      if (hasReason(error, 'NotFound')) return { runs: [] };
      throw error;
    });
  return { ...one, before: beginOf(runs[0]) };
}

const beginOf = (run: Run | undefined) => run?.startedAt && timestampMs(run.startedAt);

function sayUnselected(applied: readonly Applied[], { bindings }: SimulationStatus): void {
  for (const { object, changed } of applied) {
    const { kind, metadata } = object;
    if (!changed || NOT_DISTRIBUTED.test(kind)) continue;
    if (bindings.some(({ template }) => template?.kind === kind && template.name === metadata.name)) continue;
    warn(`${kind.toLowerCase()}/${metadata.name} stays in the instance: no policy selects it`);
  }
}

const nameOf = ({ resource: { kind, name } }: Awaiting) => `${kind.toLowerCase()}/${name}`;

/** The runs that have begun since. */
function since(one: Followed, runs: readonly Run[]): readonly Run[] {
  const at = runs.findIndex((run) => beginOf(run) === one.before);
  return at < 0 ? runs : runs.slice(0, at);
}

async function followAll(on: Connection, followed: readonly Followed[], withinMs: number): Promise<void> {
  if (followed.length === 0) return;
  const limit = AbortSignal.timeout(withinMs);
  const lines = progress();
  const begun = Date.now();
  const known = new Map<Followed, readonly Run[]>();
  const tell = (one: Followed, runs: readonly Run[]) => {
    known.set(one, runs);
    const [newest] = runs;
    if (newest && newest.steps.length > 0) lines.set(nameOf(one), trunkLine(nameOf(one), newest));
    const width = Math.max(...one.clusters.map((name) => name.length));
    for (const name of one.clusters) {
      const part = partIn(runs, name);
      if (part) lines.set(`${nameOf(one)} ${name}`, `  ${clusterLine(part.run, part.cluster, width)}`);
    }
  };
  await Promise.all(followed.map((one) => followOne(on, one, limit, (runs) => tell(one, runs))));
  lines.end();
  const missing = followed.filter((one) => !haveArrived(known.get(one) ?? [], one.clusters));
  if (missing.length > 0) throw late(missing, known, withinMs);
  note(pc.green(`Arrived everywhere in ${span(Date.now() - begun)}.`));
}

/** Until it is there, or the time is up. */
async function followOne(
  on: Connection,
  one: Followed,
  limit: AbortSignal,
  tell: (runs: readonly Run[]) => void,
): Promise<void> {
  const request = { instance: await on.theInstance(), resource: one.resource };
  try {
    for await (const { trace } of on.rpc(TraceService).watchTrace(request, { signal: limit })) {
      const runs = since(one, trace?.runs ?? []);
      tell(runs);
      if (haveArrived(runs, one.clusters)) return;
    }
  } catch (error) {
    if (!limit.aborted) throw error;
  }
}

function late(
  missing: readonly Followed[],
  known: ReadonlyMap<Followed, readonly Run[]>,
  withinMs: number,
): CommandFailure {
  const pending = missing.flatMap((one) => pendingOf(nameOf(one), known.get(one) ?? [], one.clusters));
  const [first] = missing;
  return new CommandFailure(`not everything has arrived within ${span(withinMs)}`, {
    why: `pending:\n${pending.map((line) => `    ${line}`).join('\n')}`,
    next: `kairship trace ${first ? nameOf(first) : ''} -w`,
    code: EXIT.timedOut,
  });
}
