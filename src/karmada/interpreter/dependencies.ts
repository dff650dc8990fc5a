/** What a template needs beside itself: what its pods mount, read, pull images with and run as. */
import { derivedServiceName } from '#karmada/names/index.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { type Fields, listAt, stringAt } from './fields.ts';
import { podSpecOf } from './pod-template.ts';
import type { DependentObject } from './resource-interpreter.ts';

type Dependencies = (template: KubeObject) => readonly DependentObject[];

const ofPods: Dependencies = (template) => {
  const pod = podSpecOf(template);
  const account = stringAt(pod, 'serviceAccountName') ?? '';
  return [
    ...named(template, 'ConfigMap', configMapsOf(pod)),
    ...named(template, 'Secret', secretsOf(pod)),
    ...named(template, 'ServiceAccount', account === 'default' ? [] : [account]),
    ...named(template, 'PersistentVolumeClaim', claimsOf(pod)),
  ];
};

/** In the order of names, each once. */
function named({ metadata }: KubeObject, kind: string, names: readonly (string | undefined)[]): DependentObject[] {
  const distinct = new Set(names.flatMap((name) => (name === undefined || name === '' ? [] : [name])));
  const namespace = metadata.namespace === undefined ? {} : { namespace: metadata.namespace };
  return [...distinct].sort().map((name) => ({ apiVersion: 'v1', kind, ...namespace, name }));
}

function containersOf(pod: Fields | undefined): readonly Fields[] {
  return ['initContainers', 'containers', 'ephemeralContainers'].flatMap((field) => listAt(pod, field));
}

function configMapsOf(pod: Fields | undefined): readonly (string | undefined)[] {
  return [
    ...containersOf(pod).flatMap((container) => environmentOf(container, 'configMap')),
    ...listAt(pod, 'volumes').flatMap((volume) => [
      stringAt(volume, 'configMap', 'name'),
      ...listAt(volume, 'projected', 'sources').map((source) => stringAt(source, 'configMap', 'name')),
    ]),
  ];
}

/** Where volumes of each type name their secret. */
const VOLUME_SECRETS: readonly (readonly string[])[] = [
  ['secret', 'secretName'],
  ['azureFile', 'secretName'],
  ['cephfs', 'secretRef', 'name'],
  ['cinder', 'secretRef', 'name'],
  ['flexVolume', 'secretRef', 'name'],
  ['rbd', 'secretRef', 'name'],
  ['scaleIO', 'secretRef', 'name'],
  ['iscsi', 'secretRef', 'name'],
  ['storageos', 'secretRef', 'name'],
  ['csi', 'nodePublishSecretRef', 'name'],
];

function secretsOf(pod: Fields | undefined): readonly (string | undefined)[] {
  return [
    ...listAt(pod, 'imagePullSecrets').map((reference) => stringAt(reference, 'name')),
    ...containersOf(pod).flatMap((container) => environmentOf(container, 'secret')),
    ...listAt(pod, 'volumes').flatMap((volume) => [
      ...VOLUME_SECRETS.map((path) => stringAt(volume, ...path)),
      ...listAt(volume, 'projected', 'sources').map((source) => stringAt(source, 'secret', 'name')),
    ]),
  ];
}

function environmentOf(container: Fields, source: 'configMap' | 'secret'): readonly (string | undefined)[] {
  return [
    ...listAt(container, 'envFrom').map((from) => stringAt(from, `${source}Ref`, 'name')),
    ...listAt(container, 'env').map((variable) => stringAt(variable, 'valueFrom', `${source}KeyRef`, 'name')),
  ];
}

function claimsOf(pod: Fields | undefined): readonly (string | undefined)[] {
  return listAt(pod, 'volumes').map((volume) => stringAt(volume, 'persistentVolumeClaim', 'claimName'));
}

/** Claims that the set makes from its own templates are nobody else's. */
const ofStatefulSet: Dependencies = (template) => {
  const own = listAt(template, 'spec', 'volumeClaimTemplates').map((claim) => stringAt(claim, 'metadata', 'name'));
  return ofPods(template).filter(({ kind, name }) => kind !== 'PersistentVolumeClaim' || !own.includes(name));
};

const ofIngress: Dependencies = (template) =>
  named(
    template,
    'Secret',
    listAt(template, 'spec', 'tls').map((tls) => stringAt(tls, 'secretName')),
  );

/** The service made for the import, and the endpoints collected for it. */
const ofServiceImport: Dependencies = ({ metadata }) => {
  const service = derivedServiceName(metadata.name);
  const namespace = metadata.namespace === undefined ? {} : { namespace: metadata.namespace };
  const matchLabels = { 'kubernetes.io/service-name': service };
  return [
    { apiVersion: 'v1', kind: 'Service', ...namespace, name: service },
    { apiVersion: 'discovery.k8s.io/v1', kind: 'EndpointSlice', ...namespace, labelSelector: { matchLabels } },
  ];
};

export const DEPENDENCIES: Readonly<Record<string, Dependencies>> = {
  'apps/v1/Deployment': ofPods,
  'apps/v1/ReplicaSet': ofPods,
  'apps/v1/DaemonSet': ofPods,
  'apps/v1/StatefulSet': ofStatefulSet,
  'batch/v1/Job': ofPods,
  'batch/v1/CronJob': ofPods,
  'v1/Pod': ofPods,
  'networking.k8s.io/v1/Ingress': ofIngress,
  'multicluster.x-k8s.io/v1alpha1/ServiceImport': ofServiceImport,
};
