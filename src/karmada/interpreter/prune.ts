/**
 * Takes off an object what only the API server it came from may say: what is left can be applied elsewhere.
 *
 * As karmada v1.18 pkg/resourceinterpreter/default/native/prune. It is applied to templates before they become Works,
 * and to member objects before the two are compared.
 */
import { type Draft, draftOf, isObject } from '#base/json.ts';
import type { KubeObject } from '#kube/meta/object.ts';

const SERVER_OWNED = [
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
  'generation',
  'managedFields',
  'resourceVersion',
  'selfLink',
  'uid',
  'ownerReferences',
  'finalizers',
] as const;

const SELECTED_NODE = 'volume.kubernetes.io/selected-node';
const SERVICE_ACCOUNT_UID = 'kubernetes.io/service-account.uid';
const REVISION = 'deployment.kubernetes.io/revision';
const REVISION_HISTORY = 'deployment.kubernetes.io/revision-history';
const JOB_SELECTOR_LABELS = ['controller-uid', 'batch.kubernetes.io/controller-uid'];
const JOB_POD_LABELS = [...JOB_SELECTOR_LABELS, 'job-name', 'batch.kubernetes.io/job-name'];

/** A copy of the object, without what is not propagated; the caller's own. */
export function prune(object: KubeObject): Draft<KubeObject> {
  const draft = draftOf(object);
  for (const field of SERVER_OWNED) delete draft.metadata[field];
  delete draft['status'];
  PRUNERS[draft.kind]?.(draft);
  return draft;
}

type Pruner = (draft: Draft<KubeObject>) => void;

const PRUNERS: Readonly<Record<string, Pruner>> = {
  Deployment(draft) {
    remove(draft.metadata.annotations, [REVISION, REVISION_HISTORY]);
  },
  Job(draft) {
    const spec = draft['spec'];
    if (!isObject(spec)) return;
    // Every member would delete its copy by itself, and it would be propagated again.
    delete spec['ttlSecondsAfterFinished'];
    if (spec['manualSelector'] === true) return;
    remove(childOf(spec, 'selector', 'matchLabels'), JOB_SELECTOR_LABELS);
    remove(childOf(spec, 'template', 'metadata', 'labels'), JOB_POD_LABELS);
  },
  Secret(draft) {
    if (draft['type'] !== 'kubernetes.io/service-account-token') return;
    remove(draft.metadata.annotations, [SERVICE_ACCOUNT_UID]);
    delete draft['data'];
  },
  ServiceAccount(draft) {
    const secrets = draft['secrets'];
    if (!Array.isArray(secrets)) return;
    const generated = `${draft.metadata.name}-token-`;
    draft['secrets'] = secrets.filter((secret) => !isObject(secret) || !String(secret['name']).startsWith(generated));
  },
  Service(draft) {
    const spec = draft['spec'];
    if (isObject(spec) && spec['clusterIP'] !== undefined && spec['clusterIP'] !== 'None') {
      remove(spec, ['clusterIP', 'clusterIPs']);
    }
  },
  PersistentVolumeClaim(draft) {
    remove(draft.metadata.annotations, [SELECTED_NODE]);
  },
};

function childOf(fields: Record<string, unknown>, ...path: readonly string[]): Record<string, unknown> | undefined {
  let at: unknown = fields;
  for (const key of path) at = isObject(at) ? at[key] : undefined;
  return isObject(at) ? at : undefined;
}

function remove(fields: Record<string, unknown> | undefined, keys: readonly string[]): void {
  if (fields) for (const key of keys) delete fields[key];
}
