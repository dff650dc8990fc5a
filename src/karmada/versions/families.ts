/**
 * The kinds that Kubernetes has served in several versions, and how each version becomes another.
 *
 * The first version of a kind is the one all others are converted through, and the order is the order of preference
 * when a member serves several. Most versions differ in their name alone.
 */
import type { KubeObject } from '#kube/meta/object.ts';
import { autoscalerFromV1, autoscalerToV1 } from './autoscaler.ts';
import { slicesFromBeta, slicesToBeta } from './endpoint-slice.ts';
import { ingressFromBeta, ingressToBeta } from './ingress.ts';
import { fieldsOf, noPlaceFor, type Step, type Version } from './version.ts';

const ingressBeta = { toFirst: ingressFromBeta, fromFirst: ingressToBeta };

/** An empty selector chooses every pod in v1, and none in v1beta1. */
const sameBudget =
  (meaning: string): Step =>
  (object) => {
    const { selector } = fieldsOf(object['spec']);
    if (selector !== undefined && Object.keys(fieldsOf(selector)).length === 0) {
      throw noPlaceFor('spec.selector', `is empty, which ${meaning} in the other version`);
    }
    return object;
  };

/** The share of a priority level has had two names. */
const sharesNamed =
  (from: string, to: string): Step =>
  (object: KubeObject) => {
    const spec = fieldsOf(object['spec']);
    const { [from]: shares, ...limited } = fieldsOf(spec['limited']);
    return shares === undefined ? object : { ...object, spec: { ...spec, limited: { ...limited, [to]: shares } } };
  };
const [NOMINAL, ASSURED] = ['nominalConcurrencyShares', 'assuredConcurrencyShares'];
const oldShares = { toFirst: sharesNamed(ASSURED, NOMINAL), fromFirst: sharesNamed(NOMINAL, ASSURED) };

const same = (...apiVersions: readonly string[]): readonly Version[] =>
  apiVersions.map((apiVersion) => ({ apiVersion }));
const inGroup = (group: string, ...versions: readonly string[]) =>
  same(...versions.map((version) => `${group}/${version}`));

const rbac = inGroup('rbac.authorization.k8s.io', 'v1', 'v1beta1');
const storage = inGroup('storage.k8s.io', 'v1', 'v1beta1');
const networking = inGroup('networking.k8s.io', 'v1', 'v1beta1');
const admission = inGroup('admissionregistration.k8s.io', 'v1', 'v1beta1');
const apps = inGroup('apps', 'v1', 'v1beta2');

export const FAMILIES: Readonly<Record<string, readonly Version[]>> = {
  Deployment: apps,
  StatefulSet: apps,
  DaemonSet: apps,
  ReplicaSet: apps,
  CronJob: inGroup('batch', 'v1', 'v1beta1'),
  HorizontalPodAutoscaler: [
    ...inGroup('autoscaling', 'v2', 'v2beta2'),
    { apiVersion: 'autoscaling/v1', toFirst: autoscalerFromV1, fromFirst: autoscalerToV1 },
  ],
  PodDisruptionBudget: [
    { apiVersion: 'policy/v1' },
    {
      apiVersion: 'policy/v1beta1',
      toFirst: sameBudget('chooses every pod'),
      fromFirst: sameBudget('chooses no pod'),
    },
  ],
  Ingress: [
    { apiVersion: 'networking.k8s.io/v1' },
    { apiVersion: 'networking.k8s.io/v1beta1', ...ingressBeta },
    { apiVersion: 'extensions/v1beta1', ...ingressBeta },
  ],
  IngressClass: networking,
  NetworkPolicy: same('networking.k8s.io/v1', 'extensions/v1beta1'),
  ServiceCIDR: networking,
  IPAddress: networking,
  EndpointSlice: [
    { apiVersion: 'discovery.k8s.io/v1' },
    { apiVersion: 'discovery.k8s.io/v1beta1', toFirst: slicesFromBeta, fromFirst: slicesToBeta },
  ],
  StorageClass: storage,
  VolumeAttachment: storage,
  CSIDriver: storage,
  CSINode: storage,
  CSIStorageCapacity: storage,
  VolumeAttributesClass: storage,
  Role: rbac,
  RoleBinding: rbac,
  ClusterRole: rbac,
  ClusterRoleBinding: rbac,
  PriorityClass: inGroup('scheduling.k8s.io', 'v1', 'v1beta1'),
  RuntimeClass: inGroup('node.k8s.io', 'v1', 'v1beta1'),
  Lease: inGroup('coordination.k8s.io', 'v1', 'v1beta1'),
  CertificateSigningRequest: inGroup('certificates.k8s.io', 'v1', 'v1beta1'),
  APIService: inGroup('apiregistration.k8s.io', 'v1', 'v1beta1'),
  MutatingWebhookConfiguration: admission,
  ValidatingWebhookConfiguration: admission,
  ValidatingAdmissionPolicy: admission,
  ValidatingAdmissionPolicyBinding: admission,
  FlowSchema: inGroup('flowcontrol.apiserver.k8s.io', 'v1', 'v1beta3', 'v1beta2', 'v1beta1'),
  PriorityLevelConfiguration: [
    ...inGroup('flowcontrol.apiserver.k8s.io', 'v1', 'v1beta3'),
    { apiVersion: 'flowcontrol.apiserver.k8s.io/v1beta2', ...oldShares },
    { apiVersion: 'flowcontrol.apiserver.k8s.io/v1beta1', ...oldShares },
  ],
};
