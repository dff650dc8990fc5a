/**
 * What of a member's object is the member's own business: it is taken over into what is applied, or the two sides
 * would overwrite each other for ever.
 */
import { LABELS } from '#karmada/apis/index.ts';
import { StatusError } from '#base/status-error.ts';
import { keyOf, type KubeObject } from '#kube/meta/object.ts';
import { type Fields, fieldAt, fieldsAt, listAt, numberAt, stringAt, withField } from './fields.ts';

type Retain = (desired: KubeObject, observed: KubeObject) => KubeObject;

/** An autoscaler in the member owns the replicas, when the template says so. */
const retainReplicas: Retain = (desired, observed) => {
  if (desired.metadata.labels?.[LABELS.retainReplicas] !== 'true') return desired;
  const replicas = numberAt(observed, 'spec', 'replicas');
  if (replicas === undefined) {
    const name = `${observed.kind} ${keyOf(observed)}`;
    throw new StatusError('Invalid', `cannot retain the replicas of ${name}: it has no spec.replicas`);
  }
  return withField(desired, ['spec', 'replicas'], replicas);
};

/** What scheduling and admission in the member added to the pod. */
const retainPod: Retain = (desired, observed) => {
  const spec = { ...fieldsAt(desired, 'spec') };
  for (const field of ['nodeName', 'serviceAccountName', 'volumes']) {
    const value = fieldAt(observed, 'spec', field);
    if (value === undefined) delete spec[field];
    else spec[field] = value;
  }
  for (const field of ['containers', 'initContainers']) {
    if (spec[field] !== undefined) spec[field] = retainMounts(listAt(spec, field), listAt(observed, 'spec', field));
  }
  return withField(desired, ['spec'], spec);
};

function retainMounts(desired: readonly Fields[], observed: readonly Fields[]): readonly Fields[] {
  return desired.map((container) => {
    const twin = observed.find(({ name }) => name === container['name']);
    if (!twin) return container;
    const { volumeMounts: _, ...rest } = container;
    return twin['volumeMounts'] === undefined ? rest : { ...rest, volumeMounts: twin['volumeMounts'] };
  });
}

const retainService: Retain = (desired, observed) => {
  const port = numberAt(observed, 'spec', 'healthCheckNodePort') ?? 0;
  const withPort = port > 0 ? withField(desired, ['spec', 'healthCheckNodePort'], port) : desired;
  const clusterIP = stringAt(observed, 'spec', 'clusterIP') ?? '';
  return clusterIP === '' ? withPort : withField(withPort, ['spec', 'clusterIP'], clusterIP);
};

/** The union by name, the template's own first. */
const retainServiceAccount: Retain = (desired, observed) =>
  ['secrets', 'imagePullSecrets'].reduce((account, field) => {
    const own = listAt(desired, field);
    const names = new Set(own.map(({ name }) => name));
    const merged = [...own, ...listAt(observed, field).filter(({ name }) => !names.has(name))];
    return merged.length === 0 ? account : withField(account, [field], merged);
  }, desired);

/** What the claim is bound to, and the member's own class where the template leaves it to the member. */
const retainClaim: Retain = (desired, observed) => {
  const volumeName = stringAt(observed, 'spec', 'volumeName') ?? '';
  const bound = volumeName === '' ? desired : withField(desired, ['spec', 'volumeName'], volumeName);
  const leavesClass = fieldAt(desired, 'spec', 'storageClassName') === undefined;
  return leavesClass ? copied(bound, observed, ['spec', 'storageClassName']) : bound;
};

/** The selector that the member's job controller generated. */
const retainJob: Retain = (desired, observed) => {
  const paths = [
    ['spec', 'selector', 'matchLabels'],
    ['spec', 'template', 'metadata', 'labels'],
  ];
  return paths.reduce((job, path) => copied(job, observed, path), desired);
};

const retainTokenSecret: Retain = (desired, observed) =>
  desired['type'] === 'kubernetes.io/service-account-token' ? copied(desired, observed, ['data']) : desired;

function copied(desired: KubeObject, observed: KubeObject, path: readonly string[]): KubeObject {
  const value = fieldAt(observed, ...path);
  return value === undefined ? desired : withField(desired, path, value);
}

export const RETAIN: Readonly<Record<string, Retain>> = {
  'apps/v1/Deployment': retainReplicas,
  'v1/Pod': retainPod,
  'v1/Service': retainService,
  'v1/ServiceAccount': retainServiceAccount,
  'v1/PersistentVolumeClaim': retainClaim,
  'v1/PersistentVolume': (desired, observed) => copied(desired, observed, ['spec', 'claimRef']),
  'batch/v1/Job': retainJob,
  'v1/Secret': retainTokenSecret,
};
