/**
 * The parts of an instance, as it tells of them itself: the checks behind `/readyz?verbose`, of which our own engine has one
 * a controller, and the leases that the programs of a Karmada hold while they work.
 *
 * An instance that does not answer has one part of which anything is known: its API server, which is not ready.
 */
import type { MessageInitShape } from '@bufbuild/protobuf';
import { text } from 'node:stream/consumers';
import {
  InstanceComponent_Type as Type,
  type InstanceComponentSchema,
} from '#gen/proto/kairship/api/instance/v1alpha1/instance_service_pb.ts';
import type { Clock } from '#base/clock.ts';
import { NAMESPACES } from '#karmada/apis/index.ts';
import { findCondition } from '#kube/meta/condition.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import type { Instance } from '../../instances/index.ts';
import type { InstanceClient } from '../../proxy/instance-client.ts';

export type Component = Required<
  Pick<MessageInitShape<typeof InstanceComponentSchema>, 'name' | 'type' | 'ready' | 'message' | 'since'>
>;

const LEASES = { group: 'coordination.k8s.io', version: 'v1', resource: 'leases' };
/** An instance that takes longer does not answer. */
const PATIENCE_MS = 5_000;
const NOBODY_KNOWS = 0n;

interface Lease extends KubeObject {
  readonly spec?: {
    readonly holderIdentity?: string;
    readonly leaseDurationSeconds?: number;
    readonly acquireTime?: string;
    readonly renewTime?: string;
  };
}

export async function componentsOf(
  instance: Instance,
  client: InstanceClient,
  { clock, signal }: { readonly clock: Clock; readonly signal: AbortSignal },
): Promise<readonly Component[]> {
  const patience = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]);
  try {
    const [checks, { items: leases }] = await Promise.all([
      client.request({ method: 'GET', path: '/readyz?verbose', signal: patience }).then(text),
      client.list<Lease>(LEASES, { namespace: NAMESPACES.system, signal: patience }),
    ]);
    return worstFirst([...checked(checks), ...programs(leases, clock.now())]);
  } catch (error) {
    signal.throwIfAborted();
    return [silent(instance, error)];
  }
}

/** Of an answer to `/readyz?verbose`: `[+]ping ok`, `[-]etcd failed: reason withheld`. */
export function checked(answer: string): readonly Component[] {
  return [...answer.matchAll(/^\[([+-])\](\S+) (.*)$/gm)].map(([, mark, name = '', said = '']) => {
    const isController = name.startsWith('controller-');
    return {
      name: isController ? name.slice('controller-'.length) : name,
      type: isController ? Type.Controller : Type.Server,
      ready: mark === '+',
      message: mark === '+' ? '' : said,
      since: NOBODY_KNOWS,
    };
  });
}

/** Whoever holds a lease renews it for as long as it works. */
export function programs(leases: readonly Lease[], now: number): readonly Component[] {
  return leases.flatMap(({ metadata, spec = {} }) => {
    const renewed = Date.parse(spec.renewTime ?? '');
    if (Number.isNaN(renewed)) return [];
    const ready = Boolean(spec.holderIdentity) && now <= renewed + (spec.leaseDurationSeconds ?? 15) * 1_000;
    const since = ready ? Date.parse(spec.acquireTime ?? '') || 0 : renewed;
    const message = ready ? '' : 'its lease was renewed by nobody since';
    return [{ name: metadata.name, type: Type.Program, ready, message, since: BigInt(since) }];
  });
}

function silent({ status }: Instance, error: unknown): Component {
  const known = findCondition(status?.conditions, 'Ready');
  const since = known?.status === 'False' ? BigInt(Date.parse(known.lastTransitionTime ?? '') || 0) : NOBODY_KNOWS;
  const why = error instanceof Error ? error.message : String(error);
  const message = isTimeout(error) ? `it does not answer within ${PATIENCE_MS / 1000} s` : `it does not answer: ${why}`;
  return { name: 'api-server', type: Type.Server, ready: false, message, since };
}

const isTimeout = (error: unknown) => error instanceof DOMException && error.name === 'TimeoutError';

function worstFirst(components: readonly Component[]): readonly Component[] {
  return components.toSorted((a, b) => Number(a.ready) - Number(b.ready));
}
