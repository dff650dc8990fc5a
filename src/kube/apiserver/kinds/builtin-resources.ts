/**
 * Every built-in kind of the stable API groups, as the API server serves it.
 *
 * The reviews of the authentication and authorization groups are not here: they are answered, never stored.
 */
import type { ResourceDefinition } from '#kube/apiserver/resource.ts';
import {
  validatingAdmissionPolicies,
  validatingAdmissionPolicyBindings,
} from './admissionregistration/validating-admission-policy.ts';
import {
  mutatingWebhookConfigurations,
  validatingWebhookConfigurations,
} from './admissionregistration/webhook-configuration.ts';
import { customResourceDefinitions } from './apiextensions/custom-resource-definition.ts';
import { apiServices } from './apiregistration/api-service.ts';
import { controllerRevisions } from './apps/controller-revision.ts';
import { daemonSets } from './apps/daemon-set.ts';
import { deployments } from './apps/deployment.ts';
import { replicaSets } from './apps/replica-set.ts';
import { statefulSets } from './apps/stateful-set.ts';
import { autoscalers, autoscalersV1 } from './autoscaling/horizontal-pod-autoscaler.ts';
import { cronJobs } from './batch/cron-job.ts';
import { jobs } from './batch/job.ts';
import { certificateSigningRequests } from './certificates/certificate-signing-request.ts';
import { leases } from './coordination/lease.ts';
import { bindings, componentStatuses } from './core/component-status.ts';
import { configMaps } from './core/config-map.ts';
import { endpoints } from './core/endpoints.ts';
import { coreEvents, events } from './core/event.ts';
import { namespaces } from './core/namespace.ts';
import { nodes } from './core/node.ts';
import { persistentVolumeClaims } from './core/persistent-volume-claim.ts';
import { persistentVolumes } from './core/persistent-volume.ts';
import { limitRanges, resourceQuotas } from './core/quota.ts';
import { podTemplates, replicationControllers } from './core/replication-controller.ts';
import { secrets } from './core/secret.ts';
import { serviceAccounts } from './core/service-account.ts';
import { type ServiceAddresses, serviceAddresses } from './core/service-addresses.ts';
import { services } from './core/service.ts';
import { endpointSlices } from './discovery/endpoint-slice.ts';
import { flowSchemas, priorityLevelConfigurations } from './flowcontrol/flow-schema.ts';
import { ingressClasses, ingresses } from './networking/ingress.ts';
import { ipAddresses, serviceCidrs } from './networking/ip-address.ts';
import { networkPolicies } from './networking/network-policy.ts';
import { runtimeClasses } from './node/runtime-class.ts';
import { pods } from './pod/pod.ts';
import { podDisruptionBudgets } from './policy/pod-disruption-budget.ts';
import { clusterRoleBindings, roleBindings } from './rbac/role-binding.ts';
import { clusterRoles, roles } from './rbac/role.ts';
import { deviceClasses, resourceClaims, resourceClaimTemplates, resourceSlices } from './resource/device.ts';
import { priorityClasses } from './scheduling/priority-class.ts';
import { csiDrivers, csiNodes, csiStorageCapacities, volumeAttachments } from './storage/csi.ts';
import { storageClasses, volumeAttributesClasses } from './storage/storage-class.ts';

export interface BuiltinOptions {
  /** Where Services get their addresses; one that knows no Services when absent. */
  readonly addresses?: ServiceAddresses;
}

export function builtinResources(options: BuiltinOptions = {}): readonly ResourceDefinition[] {
  const addresses = options.addresses ?? serviceAddresses({ services: () => [] });
  return [services(addresses), ...FIXED];
}

/** Kinds that need nothing from the server they are served by. */
const FIXED: readonly ResourceDefinition[] = [
  bindings,
  componentStatuses,
  configMaps,
  endpoints,
  coreEvents,
  limitRanges,
  namespaces,
  nodes,
  persistentVolumeClaims,
  persistentVolumes,
  pods,
  podTemplates,
  replicationControllers,
  resourceQuotas,
  secrets,
  serviceAccounts,
  controllerRevisions,
  daemonSets,
  deployments,
  replicaSets,
  statefulSets,
  jobs,
  cronJobs,
  autoscalers,
  autoscalersV1,
  ingresses,
  ingressClasses,
  ipAddresses,
  networkPolicies,
  serviceCidrs,
  podDisruptionBudgets,
  clusterRoleBindings,
  clusterRoles,
  roleBindings,
  roles,
  csiDrivers,
  csiNodes,
  csiStorageCapacities,
  storageClasses,
  volumeAttachments,
  volumeAttributesClasses,
  priorityClasses,
  leases,
  endpointSlices,
  events,
  runtimeClasses,
  certificateSigningRequests,
  customResourceDefinitions,
  mutatingWebhookConfigurations,
  validatingAdmissionPolicies,
  validatingAdmissionPolicyBindings,
  validatingWebhookConfigurations,
  apiServices,
  flowSchemas,
  priorityLevelConfigurations,
  deviceClasses,
  resourceClaims,
  resourceClaimTemplates,
  resourceSlices,
];
