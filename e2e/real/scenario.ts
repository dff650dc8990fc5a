/**
 * A scenario: objects that go in, what is then done to them, and, after each phase, what has become of everything.
 *
 * It lives in a namespace named after it; what has no namespace is named `<scenario>--something`, so that scenarios can
 * run side by side. The same data is run on a real Karmada and on ours, and {@link run} answers what each has made of it.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { hasReason } from '#base/status-error.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import { restMapper } from '#kube/client/rest-mapper.ts';
import { gvkOf, type Gvr } from '#kube/meta/gvk.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import type { Place, Side } from './side.ts';
import { type Snapshot, snapshot } from './snapshot.ts';

export type Step =
  /** Made, or changed to be like this where it is there. */
  | { readonly do: 'apply'; readonly object: KubeObject; readonly in?: string }
  | { readonly do: 'patch'; readonly object: Ref; readonly body: object; readonly in?: string }
  | { readonly do: 'delete'; readonly object: Ref; readonly in?: string };

export interface Ref {
  readonly apiVersion: string;
  readonly kind: string;
  readonly name: string;
}

export interface Scenario {
  readonly name: string;
  /** What it is about, as a sentence. */
  readonly about: string;
  readonly given: readonly KubeObject[];
  /** Done one after the other; all is left to settle in between. */
  readonly phases?: readonly (readonly Step[])[];
  /** In members before anything else, by the member's name. */
  readonly inMembers?: Readonly<Record<string, readonly KubeObject[]>>;
  /** It changes clusters or counts their free room: nothing else may run meanwhile. */
  readonly alone?: true;
}

const QUIET_MS = 1_500;
const SETTLES_WITHIN_MS = 30_000;

/** A snapshot after the given objects, and one after each phase. */
export async function run(side: Side, scenario: Scenario): Promise<readonly Snapshot[]> {
  const { name, given, phases = [], inMembers = {} } = scenario;
  const namespace: KubeObject = { apiVersion: 'v1', kind: 'Namespace', metadata: { name } };
  const objects = Object.entries(inMembers).flatMap(([member, some]) =>
    [namespace, ...some].map((object): Step => ({ do: 'apply', object, in: member })),
  );
  const first: Step[] = [...objects, ...[namespace, ...given].map((object): Step => ({ do: 'apply', object }))];
  const snapshots: Snapshot[] = [];
  for (const phase of [first, ...phases]) {
    for (const step of phase) await take(side, scenario, step);
    await settled(side, name);
    snapshots.push(snapshot(side, scenario));
  }
  return snapshots;
}

async function settled(side: Side, name: string): Promise<void> {
  const begun = Date.now();
  for (;;) {
    const quiet = Date.now() - Math.max(begun, side.lastChange(name));
    if (quiet >= QUIET_MS || Date.now() - begun > SETTLES_WITHIN_MS) return;
    await pause(QUIET_MS - quiet + 10);
  }
}

const mappers = new WeakMap<KubeClient, ReturnType<typeof restMapper>>();

async function resourceOf(client: KubeClient, object: { apiVersion: string; kind: string }) {
  const mapper = mappers.get(client) ?? restMapper(client);
  mappers.set(client, mapper);
  return mapper.byKind(gvkOf(object));
}

async function take(side: Side, scenario: Scenario, step: Step): Promise<void> {
  const { client }: Place = step.in === undefined ? side.control : side.member(step.in);
  const gvr = await resourceOf(client, step.object);
  const name = step.do === 'apply' ? step.object.metadata.name : step.object.name;
  const key = gvr.namespaced ? { namespace: scenario.name, name } : { name };
  if (step.do === 'delete') return client.delete(gvr, key);
  if (step.do === 'patch') return void (await client.patch(gvr, key, { type: 'merge', body: step.body }));
  await apply(client, gvr, { ...step.object, metadata: { ...step.object.metadata, ...key } });
}

async function apply(client: KubeClient, gvr: Gvr, object: KubeObject): Promise<void> {
  try {
    await client.create(gvr, object);
  } catch (error) {
    if (!hasReason(error, 'AlreadyExists')) throw error;
    await client.patch(gvr, object.metadata, { type: 'merge', body: object });
  }
}
