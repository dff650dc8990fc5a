/**
 * `kairship plan` and `kairship rehearse`: what would happen if, with nothing written anywhere.
 *
 * Ends with 6 when something that runs would suffer, so that a pipeline can stop there.
 */
import { type JsonObject, toJson } from '@bufbuild/protobuf';
import pc from 'picocolors';
import { hasReason } from '#base/status-error.ts';
import { PlacementService } from '#gen/proto/kairship/api/placement/v1alpha1/placement_service_pb.ts';
import {
  BindingEffect_Verdict,
  type SimulationStatus,
  SimulationStatusSchema,
} from '#gen/proto/kairship/api/placement/v1alpha1/simulation_pb.ts';
import { TraceService } from '#gen/proto/kairship/api/trace/v1alpha1/trace_service_pb.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { connected, type Connection, type ConnectionOptions } from '../cli/connection.ts';
import { CommandFailure, EXIT, usageFailure } from '../cli/failure.ts';
import { manifestsFrom } from '../cli/manifests.ts';
import { type Format, printValue, write } from '../cli/output.ts';
import { note, waiting } from '../cli/screen.ts';
import { span } from '../cli/trace-lines.ts';
import { type ArrivalTime, arrivalTime } from './arrival-time.ts';
import { taintFrom } from './clusters.ts';
import { disrupts, isOfPeople, simulationText } from './simulation.ts';
import { resourceNamed } from './trace.ts';
import { withWhatStays } from './what-stays.ts';

export interface PlanOptions extends ConnectionOptions {
  readonly namespace: string;
  readonly filename: readonly string[];
  readonly recursive?: boolean;
  readonly replicas?: number;
  readonly remove?: boolean;
  readonly lose: readonly string[];
  readonly unjoin: readonly string[];
  readonly cordon: readonly string[];
  readonly uncordon: readonly string[];
  readonly taint: readonly string[];
  readonly diff?: boolean;
  readonly output?: Format;
}

type Spec = Parameters<Awaited<ReturnType<typeof placement>>['simulate']>[0]['spec'];
const placement = async (on: Connection) => on.rpc(PlacementService);

export function plan(reference: string | undefined, options: PlanOptions): Promise<void> {
  return connected(options, async (on) => {
    const about = reference === undefined ? undefined : await resourceNamed(on, reference, options.namespace);
    const spec = await specOf(on, about, options);
    const status = only(
      await simulate(on, spec),
      options.replicas === undefined && options.remove !== true ? about : undefined,
    );
    report(status, options);
  });
}

type Resource = Awaited<ReturnType<typeof resourceNamed>>;

async function specOf(on: Connection, about: Resource | undefined, options: PlanOptions): Promise<NonNullable<Spec>> {
  const { filename, lose, unjoin, cordon, uncordon, replicas, remove } = options;
  const objects = filename.length === 0 ? [] : await manifestsFrom(filename, options);
  if (
    !about &&
    objects.length === 0 &&
    [lose, unjoin, cordon, uncordon, options.taint].every((each) => each.length === 0)
  )
    throw usageFailure(
      'nothing to imagine',
      'no change was named',
      'kairship plan -f FILE, or: kairship plan --lose CLUSTER',
    );
  if (!about && replicas !== undefined)
    throw usageFailure(
      'replicas of what?',
      'no application was named',
      `kairship plan deployment/NAME --replicas ${replicas}`,
    );
  const named = withNamespaces(objects, options.namespace);
  const left = named.length === 0 ? [] : await withWhatStays(on.kube(await on.theInstance()), named);
  return {
    apply: left as unknown as JsonObject[],
    ...(about && replicas !== undefined ? { replicas: [{ ...about, replicas }] } : {}),
    ...(about && remove ? { remove: [about] } : {}),
    taints: taintsOf(options.taint),
    lose: [...lose],
    unjoin: [...unjoin],
    cordon: [...cordon],
    uncordon: [...uncordon],
    includeUnchanged: about !== undefined && replicas === undefined && remove !== true,
  };
}

/** Manifests that name no namespace mean the one of the command. */
export function withNamespaces(objects: readonly KubeObject[], namespace: string): readonly KubeObject[] {
  return objects.map((object) =>
    object.metadata.namespace === undefined && !/^Cluster|^Namespace$|^CustomResourceDefinition$/.test(object.kind)
      ? { ...object, metadata: { ...object.metadata, namespace } }
      : object,
  );
}

/** `frankfurt:maintenance=true:NoSchedule` */
function taintsOf(words: readonly string[]) {
  return words.map((word) => {
    const [, cluster = '', taint = ''] = /^([^:]+):(.+)$/.exec(word) ?? [];
    if (cluster === '')
      throw usageFailure(
        `"${word}" is no taint of a cluster`,
        'say CLUSTER:KEY=VALUE:EFFECT',
        '--taint frankfurt:maintenance=true:NoSchedule',
      );
    const { key, value = '', effect = '', remove } = taintFrom(taint);
    const change = [{ key, value, effect }];
    return { cluster, ...(remove ? { remove: change } : { add: change }) };
  });
}

export async function simulate(on: Connection, spec: NonNullable<Spec>): Promise<SimulationStatus> {
  const instance = await on.theInstance();
  const answer = on.rpc(PlacementService).simulate({ instance, spec });
  return waiting('imagining it', answer).catch((error: unknown) => {
    throw unknownCluster(error, instance) ?? error;
  });
}

/** `spec.lose[0]: Not found: "nowhere"` */
function unknownCluster(error: unknown, instance: string): CommandFailure | undefined {
  if (!hasReason(error, 'Invalid')) return undefined;
  const [, name] = /spec\.(?:lose|unjoin|cordon|uncordon|taints)\S*: Not found: "([^"]*)"/.exec(error.message) ?? [];
  if (name === undefined) return undefined;
  return new CommandFailure(`there is no cluster "${name}" in ${instance}`, {
    why: 'nothing can be imagined of it',
    next: `kairship cluster list -i ${instance}`,
    code: EXIT.notFound,
    cause: error,
  });
}

/** The answer for one application, where nothing else was asked about. */
function only(status: SimulationStatus, about: Resource | undefined): SimulationStatus {
  if (!about) return status;
  const bindings = status.bindings.filter(
    ({ template }) =>
      template?.kind === about.kind && template.name === about.name && template.namespace === about.namespace,
  );
  return { ...status, bindings };
}

function report(status: SimulationStatus, { output, diff }: PlanOptions): void {
  const bad = disrupts(status);
  if (output && output.type !== 'table' && output.type !== 'name')
    printValue({ disrupts: bad, ...(toJson(SimulationStatusSchema, status) as JsonObject) }, output);
  else write(simulationText(status, diff ? { paths: true } : {}));
  if (!bad) return;
  note(pc.yellow('This would disrupt what runs.'));
  process.exitCode = EXIT.disrupts;
}

export interface RehearseOptions extends ConnectionOptions {
  readonly lose: readonly string[];
  readonly output?: Format;
}

/** A failover, without one: what would move where, and what would be left with nowhere to go. */
export function rehearse(options: RehearseOptions): Promise<void> {
  return connected(options, async (on) => {
    const [status, arrival] = await Promise.all([simulate(on, { lose: [...options.lose] }), arrivalHere(on)]);
    const { output } = options;
    if (output && output.type !== 'table' && output.type !== 'name')
      printValue({ ...(toJson(SimulationStatusSchema, status) as object), ...(arrival ? { arrival } : {}) }, output);
    else write(rehearsalText(options.lose, status, arrival));
    const { nowhere, stuck } = BindingEffect_Verdict;
    const lost = status.bindings.filter(
      (effect) => isOfPeople(effect) && (effect.verdict === nowhere || effect.verdict === stuck),
    );
    if (lost.length === 0) return;
    note(pc.yellow(`${lost.length} of ${status.bindings.filter(isOfPeople).length} would not come through.`));
    process.exitCode = EXIT.disrupts;
  });
}

/** What is remembered last is enough to judge by. */
const TRACES = 200;

async function arrivalHere(on: Connection): Promise<ArrivalTime | undefined> {
  const instance = await on.theInstance();
  const { items } = await on.rpc(TraceService).listTraces({ instance, pageSize: TRACES });
  return arrivalTime(items);
}

function rehearsalText(lost: readonly string[], status: SimulationStatus, arrival: ArrivalTime | undefined): string {
  const evictions = status.bindings.flatMap(({ evictions: each }) => each);
  const later = evictions.filter(({ when }) => when === 'later').map(({ afterSeconds }) => Number(afterSeconds));
  const wait = later.length === 0 ? '' : `\nEviction begins after ${Math.min(...later)} s at the earliest.`;
  const starts = status.bindings.some(({ disruption }) => (disruption?.started ?? 0) > 0);
  const takes =
    starts && arrival
      ? `\nReplicas are ready ${span(arrival.p95Ms)} after they were moved, by the 95th percentile of ${arrival.samples} arrivals here.`
      : '';
  return `If ${listed(lost)} were lost now:\n${simulationText(status)}${wait}${takes}`;
}

/** `a`, `a and b`, `a, b and c` */
function listed(names: readonly string[]): string {
  const before = names.slice(0, -1);
  return [...(before.length > 0 ? [before.join(', ')] : []), names.at(-1) ?? ''].join(' and ');
}
