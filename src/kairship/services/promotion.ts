/**
 * Takes what runs in a member into the instance, without touching what runs.
 *
 * The member's object becomes a template, its manifest as it was but for what the cluster added to it; what it needs
 * (config maps, secrets, the services asked for) comes along; and one policy keeps all of it in the cluster it came from,
 * taking over what is already there. Nothing is written before everything that would be taken has been read and
 * the instance has agreed to all of it; what fails after that is taken back, but for the namespace.
 */
import { isObject } from '#base/json.ts';
import { LABELS, PROPAGATION_POLICY } from '#karmada/apis/index.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';
import type { KindNames } from '#kube/crds/kind-names.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { hasReason, StatusError } from '#base/status-error.ts';
import { clientIn, type Context, type ServiceDeps } from './deps.ts';
import { CONFIG_MAP, NAMESPACE, SECRET, SERVICE } from './kinds.ts';

export interface Promotion {
  readonly instance: string;
  readonly cluster: string;
  readonly namespace: string;
  readonly name: string;
  readonly services?: readonly string[];
  readonly kind: KindNames;
}

/** Whether an object of a member could be promoted: what an instance put there is in the instance already. */
export function isFree({ metadata }: KubeObject): boolean {
  return metadata.labels?.[LABELS.managed] !== 'true';
}

export async function promote(deps: ServiceDeps, context: Context, promotion: Promotion): Promise<void> {
  const { instance, cluster, namespace, name, kind, services = [] } = promotion;
  const member = clientIn(deps, context, { instance, cluster });
  const control = clientIn(deps, context, { instance });
  const main = await member.get(kind, { namespace, name });
  const needed = [
    ...references(main),
    ...[...new Set(services)].map((one): Reference => ({ kind: SERVICE, name: one, optional: false })),
  ];
  const others = await Promise.all(
    needed.map(async ({ kind: of, name: one, optional }) => {
      const object = await member.get(of, { namespace, name: one }).catch((error: unknown) => {
        if (optional && hasReason(error, 'NotFound')) return undefined;
        throw error;
      });
      return object ? [{ kind: of, object }] : [];
    }),
  );
  const all = [{ kind, object: main }, ...others.flat()];
  await refuseClashes(control, namespace, all);

  await ensureNamespace(control, namespace);
  const objects = all.map(({ object }) => object);
  await createAll(
    control,
    policyFor(promotion, objects),
    all.map((one) => ({ kind: one.kind, object: template(one.object) })),
  );
}

interface Planned {
  readonly kind: KindNames;
  readonly object: KubeObject;
}

/**
 * All of them or none: nothing is made before the instance has said of each that it would take it, and what was made
 * before one was refused after all is taken back. Meanwhile the policy says that members keep what they have, so
 * that nothing of this, nor an end in the middle of it, can take away what runs.
 */
async function createAll(control: KubeClient, policy: KubeObject, templates: readonly Planned[]): Promise<void> {
  const cautious = { kind: PROPAGATION_POLICY, object: keeping(policy) };
  const planned = [cautious, ...templates];
  for (const { kind, object } of planned) await control.create(kind, object, { dryRun: true });
  const made: Planned[] = [];
  try {
    for (const { kind, object } of planned) made.push({ kind, object: await control.create(kind, object) });
    const body = { spec: { [KEEP]: null } };
    await control.patch(PROPAGATION_POLICY, keyOfObject(policy), { type: 'merge', body });
  } catch (error) {
    await takeBack(control, made, error);
    throw error;
  }
}

const KEEP = 'preserveResourcesOnDeletion';

function keeping(policy: KubeObject): KubeObject {
  return { ...policy, spec: { ...(policy['spec'] as object), [KEEP]: true } };
}

/** The policy last, after all else is gone: while it is there, members keep what is deleted. Only what was made here goes. */
async function takeBack(control: KubeClient, made: readonly Planned[], cause: unknown): Promise<void> {
  const left: string[] = [];
  for (const { kind, object } of made.toReversed()) {
    const { uid } = object.metadata;
    try {
      if (kind === PROPAGATION_POLICY && left.length > 0) throw new Error('it is still needed');
      await control.delete(kind, keyOfObject(object), uid === undefined ? {} : { preconditions: { uid } });
    } catch (error) {
      if (!hasReason(error, 'NotFound')) left.push(`${kind.kind.toLowerCase()}/${object.metadata.name}`);
    }
  }
  if (left.length === 0) return;
  const why = cause instanceof Error ? cause.message : String(cause);
  const what = `${why}; what was made before could not be taken back: delete ${left.join(', ')} in the instance`;
  throw new StatusError('InternalError', `${what}. What runs in the member stays`, { cause });
}

const keyOfObject = ({ metadata }: KubeObject) => ({ namespace: metadata.namespace ?? '', name: metadata.name });

/** What the instance has under the same name is somebody else's: it is never overwritten. */
async function refuseClashes(
  control: KubeClient,
  namespace: string,
  all: readonly { readonly kind: KindNames; readonly object: KubeObject }[],
): Promise<void> {
  for (const { kind, object } of all) {
    const { name } = object.metadata;
    const found = await control.get(kind, { namespace, name }).catch((error: unknown) => {
      if (hasReason(error, 'NotFound')) return undefined;
      throw error;
    });
    if (found)
      throw new StatusError(
        'AlreadyExists',
        `${kind.resource} "${name}" is already in namespace "${namespace}" of the instance`,
      );
  }
}

async function ensureNamespace(control: KubeClient, name: string): Promise<void> {
  try {
    await control.create(NAMESPACE, { apiVersion: 'v1', kind: 'Namespace', metadata: { name } });
  } catch (error) {
    if (!hasReason(error, 'AlreadyExists')) throw error;
  }
}

function policyFor({ namespace, name, kind, cluster }: Promotion, objects: readonly KubeObject[]): KubeObject {
  return {
    apiVersion: PROPAGATION_POLICY.apiVersion,
    kind: PROPAGATION_POLICY.kind,
    metadata: { namespace, name: `${name}-${kind.kind.toLowerCase()}` },
    spec: {
      conflictResolution: 'Overwrite',
      resourceSelectors: objects.map(({ apiVersion, kind: of, metadata }) => ({
        apiVersion,
        kind: of,
        name: metadata.name,
      })),
      placement: { clusterAffinity: { clusterNames: [cluster] } },
    },
  };
}

const ADDED_BY_CLUSTER = [
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'managedFields',
  'ownerReferences',
  'selfLink',
] as const;
const LAST_APPLIED = 'kubectl.kubernetes.io/last-applied-configuration';

/** The manifest as its author wrote it, as far as that can be known. */
export function template(object: KubeObject): KubeObject {
  const { status: _, metadata, ...rest } = object;
  const kept = Object.fromEntries(
    Object.entries(metadata).filter(([key]) => !(ADDED_BY_CLUSTER as readonly string[]).includes(key)),
  );
  const annotations = Object.entries(metadata.annotations ?? {}).filter(
    ([key]) => key !== LAST_APPLIED && !key.startsWith('deployment.kubernetes.io/'),
  );
  const spec = rest['spec'];
  return {
    ...rest,
    ...(object.kind === 'Service' && isObject(spec) ? { spec: withoutAddresses(spec) } : {}),
    metadata: {
      ...kept,
      name: metadata.name,
      ...(annotations.length > 0 ? { annotations: Object.fromEntries(annotations) } : { annotations: {} }),
    },
  };
}

const ADDRESSES = ['clusterIP', 'clusterIPs', 'healthCheckNodePort'];

/** Addresses belong to the one cluster that gave them. */
function withoutAddresses(spec: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(spec).filter(([key]) => !ADDRESSES.includes(key)));
}

export interface Reference {
  readonly kind: KindNames;
  readonly name: string;
  /** Whether pods start without it; one that anything needs is not. */
  readonly optional: boolean;
}

/** Config maps and secrets that the pods of a workload, or an ingress, use. */
export function references(object: KubeObject): readonly Reference[] {
  const found = new Map<string, Reference>();
  const add = (kind: KindNames, name: unknown, source?: Readonly<Record<string, unknown>>) => {
    if (typeof name !== 'string' || name === '') return;
    const id = `${kind.kind}/${name}`;
    const optional = source?.['optional'] === true && found.get(id)?.optional !== false;
    found.set(id, { kind, name, optional });
  };
  const look = (value: unknown): void => {
    if (Array.isArray(value)) return value.forEach(look);
    if (!isObject(value)) return;
    for (const [key, member] of Object.entries(value)) {
      if (!isObject(member)) {
        if (key === 'imagePullSecrets' && Array.isArray(member))
          for (const one of member) add(SECRET, isObject(one) ? one['name'] : '');
        // Of a volume, or of the certificate of an ingress.
        if (key === 'secretName') add(SECRET, member, value);
      } else if (key === 'configMap' || key === 'configMapRef' || key === 'configMapKeyRef')
        add(CONFIG_MAP, member['name'], member);
      else if (key === 'secretRef' || key === 'secretKeyRef') add(SECRET, member['name'], member);
      look(member);
    }
  };
  look(object['spec']);
  return [...found.values()];
}
