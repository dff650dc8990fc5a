/**
 * What belongs to a workload: its services, by their selectors, and its pods, by who made them.
 *
 * Pods are found by ownership and not by labels: two workloads may share labels, and a CronJob may share its name with a
 * Deployment.
 */
import { badRequest } from '#base/status-error.ts';
import { isObject } from '#base/json.ts';
import type { KindNames } from '#kube/crds/kind-names.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { EVERYWHERE, type Place, type Reads } from '../read/reads.ts';
import { CRON_JOB, DAEMON_SET, DEPLOYMENT, JOB, REPLICA_SET, SERVICE, STATEFUL_SET } from './kinds.ts';

export type IsPart = (object: KubeObject) => boolean;

/** One object of a place, as a request names it. */
export interface Whole {
  readonly place: Place;
  readonly namespace: string;
  /** The name of its kind; empty when the request is for everything. */
  readonly kind: string;
  readonly name: string;
}

const KINDS: Readonly<Record<string, KindNames>> = Object.fromEntries(
  [DEPLOYMENT, STATEFUL_SET, DAEMON_SET, JOB, CRON_JOB, SERVICE].map((kind) => [kind.kind, kind]),
);
/** Between a workload and its pods. */
const MAKES: Readonly<Record<string, KindNames>> = { Deployment: REPLICA_SET, CronJob: JOB };

/** Which services lead to the pods of a workload; undefined when all are meant. */
export async function servicesOf(reads: Reads, whole: Whole): Promise<IsPart | undefined> {
  const kind = kindOf(whole);
  if (!kind) return undefined;
  const workload = await find(reads, whole, kind);
  return (service) => leadsTo(service, templateLabels(workload));
}

/** Which pods are those of a workload or service; undefined when all are meant. */
export async function podsOf(reads: Reads, whole: Whole): Promise<IsPart | undefined> {
  const kind = kindOf(whole);
  if (!kind) return undefined;
  const found = await find(reads, whole, kind);
  if (!found) return () => false;
  if (kind === SERVICE) return (pod) => leadsTo(found, pod.metadata.labels);
  const makers = new Set(await makersOf(reads, whole, found));
  return ({ metadata }) => metadata.ownerReferences?.some(({ uid }) => makers.has(uid)) === true;
}

async function makersOf(reads: Reads, { place, namespace }: Whole, { kind, metadata }: KubeObject): Promise<string[]> {
  const ownerUid = metadata.uid ?? '';
  const between = MAKES[kind];
  if (!between) return [ownerUid];
  const found = await reads.all({ place, resource: between, reach: EVERYWHERE, namespace, ownerUid });
  return found.map((object) => object.metadata.uid ?? '');
}

/** A service without a selector leads to nothing it knows of. */
export function leadsTo(service: KubeObject, labels: Readonly<Record<string, string>> | undefined): boolean {
  const selector = Object.entries(record(record(service['spec'])['selector']));
  return labels !== undefined && selector.length > 0 && selector.every(([key, value]) => labels[key] === value);
}

export function templateLabels(workload: KubeObject | undefined): Readonly<Record<string, string>> | undefined {
  const spec = record(workload?.['spec']);
  const template = record(
    workload?.kind === 'CronJob' ? record(record(spec['jobTemplate'])['spec'])['template'] : spec['template'],
  );
  const labels = record(template['metadata'])['labels'];
  return isObject(labels) ? (labels as Record<string, string>) : undefined;
}

function kindOf({ kind, name }: Whole): KindNames | undefined {
  if (kind === '' && name === '') return undefined;
  if (kind === '' || name === '')
    throw badRequest('kind and kindName name one object together: one of them is missing');
  const found = KINDS[kind];
  if (!found) throw badRequest(`kind "${kind}" is none of ${Object.keys(KINDS).join(', ')}`);
  return found;
}

function find(reads: Reads, { place, namespace, name }: Whole, kind: KindNames): Promise<KubeObject | undefined> {
  return reads.get(place, kind, { namespace, name });
}

function record(value: unknown): Record<string, unknown> {
  return isObject(value) ? value : {};
}
