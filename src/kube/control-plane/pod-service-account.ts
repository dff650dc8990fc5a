/**
 * The service account of new pods: `default` when they name none, its pull secrets when they have none, and a volume
 * with a token for those of their containers that want one.
 *
 * Refused are pods whose account does not exist. That of a new namespace is on its way and is waited for. Mirror pods
 * are somebody else's copy of what a node runs: they are left as they are and may have no account.
 */
import type { Clock } from '#base/clock.ts';
import type { Ids } from '#base/ids.ts';
import type { Draft } from '#base/json.ts';
import { StatusError } from '#base/status-error.ts';
import type { Container, Pod, ServiceAccount, Volume } from '#gen/kube/types.ts';
import type { AdmissionPlugin } from '#kube/apiserver/admission.ts';
import { forbidden } from '#kube/apiserver/failures.ts';
import type { KubeClient } from '#kube/client/kube-client.ts';

const ACCOUNTS = { group: '', version: 'v1', resource: 'serviceaccounts' } as const;
const DEFAULT = 'default';
const WAIT_MS = 10_000;
const MIRROR = 'kubernetes.io/config.mirror';
const VOLUME = 'kube-api-access-';
const MOUNT_PATH = '/var/run/secrets/kubernetes.io/serviceaccount';
/** An hour, and as long as a client may need that does not look for a new one. */
const EXPIRATION_SECONDS = 3607;

type Spec = NonNullable<Draft<Pod>['spec']>;
type Lookup = (namespace: string, name: string) => Promise<ServiceAccount | undefined>;

export interface AccountDeps {
  readonly client: () => KubeClient;
  readonly clock: Clock;
  readonly ids: Ids;
}

export function podServiceAccount({ client, clock, ids }: AccountDeps): AdmissionPlugin {
  const lookup: Lookup = async (namespace, name) =>
    (await existing(client(), namespace, name)) ?? (name === DEFAULT ? awaited(client(), clock, namespace) : undefined);
  return {
    name: 'pod-service-account',
    handles: ({ operation, gvr, subresource }) =>
      operation === 'CREATE' && gvr.group === '' && gvr.resource === 'pods' && subresource === undefined,
    async mutate({ object, name, namespace = DEFAULT }) {
      const pod = object as Draft<Pod> | undefined;
      if (!pod) return;
      const spec = (pod.spec ??= { containers: [] });
      if (pod.metadata.annotations?.[MIRROR] !== undefined) return refuseMirror(spec, name);
      spec.serviceAccountName ||= DEFAULT;
      spec.serviceAccount = spec.serviceAccountName;
      const account = await lookup(namespace, spec.serviceAccountName);
      if (!account) throw unknown(name, namespace, spec.serviceAccountName);
      equip(spec, account, ids);
    },
  };
}

function equip(spec: Spec, account: ServiceAccount, ids: Ids): void {
  if (spec.automountServiceAccountToken ?? account.automountServiceAccountToken ?? true) mountToken(spec, ids);
  const pullSecrets = (account.imagePullSecrets ?? []).map(({ name = '' }) => ({ name }));
  if (!spec.imagePullSecrets?.length && pullSecrets.length > 0) spec.imagePullSecrets = pullSecrets;
}

/** Containers that already have something at the place of the token keep it. */
function mountToken(spec: Spec, ids: Ids): void {
  const own = spec.volumes?.find(({ name }) => name.startsWith(VOLUME))?.name;
  const name = own ?? `${VOLUME}${ids.suffix(5)}`;
  const wanting = [...(spec.initContainers ?? []), ...(spec.containers ?? [])].filter(
    (container) => !hasToken(container),
  );
  for (const container of wanting)
    (container.volumeMounts ??= []).push({ name, readOnly: true, mountPath: MOUNT_PATH });
  if (own === undefined && wanting.length > 0) (spec.volumes ??= []).push(tokenVolume(name));
}

function hasToken({ volumeMounts = [] }: Draft<Container>): boolean {
  return volumeMounts.some(({ mountPath }) => mountPath === MOUNT_PATH);
}

function tokenVolume(name: string): Draft<Volume> {
  return {
    name,
    projected: {
      sources: [
        { serviceAccountToken: { expirationSeconds: EXPIRATION_SECONDS, path: 'token' } },
        { configMap: { name: 'kube-root-ca.crt', items: [{ key: 'ca.crt', path: 'ca.crt' }] } },
        {
          downwardAPI: {
            items: [{ path: 'namespace', fieldRef: { apiVersion: 'v1', fieldPath: 'metadata.namespace' } }],
          },
        },
      ],
      defaultMode: 0o644,
    },
  };
}

async function existing(client: KubeClient, namespace: string, name: string): Promise<ServiceAccount | undefined> {
  try {
    return await client.get<ServiceAccount>(ACCOUNTS, { namespace, name });
  } catch (error) {
    if (error instanceof StatusError && error.reason === 'NotFound') return undefined;
    throw error;
  }
}

/** The account that a controller is about to make. */
async function awaited(client: KubeClient, clock: Clock, namespace: string): Promise<ServiceAccount | undefined> {
  const waiting = new AbortController();
  const cancel = clock.after(WAIT_MS, () => waiting.abort());
  const events = client.watch<ServiceAccount>(ACCOUNTS, {
    namespace,
    fieldSelector: `metadata.name=${DEFAULT}`,
    signal: waiting.signal,
  });
  try {
    for await (const { type, object } of events) if (type === 'ADDED') return object;
    return undefined;
  } catch (error) {
    if (waiting.signal.aborted) return undefined;
    throw error;
  } finally {
    cancel();
    waiting.abort();
  }
}

function refuseMirror({ serviceAccountName }: Spec, name: string): void {
  if (serviceAccountName) throw refused(name, 'a mirror pod may not reference service accounts');
}

function unknown(pod: string, namespace: string, account: string): StatusError {
  return refused(
    pod,
    `error looking up service account ${namespace}/${account}: serviceaccount "${account}" not found`,
  );
}

const refused = (name: string, why: string) => forbidden({ group: '', resource: 'pods' }, name, why);
