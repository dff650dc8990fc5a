/** The CustomResourceDefinitions of Karmada, as data to create in an API server. Start at {@link karmadaCrds}. */
import { cronFederatedHpaCrd, federatedHpaCrd } from './autoscaling.ts';
import { resourceInterpreterCustomizationCrd, resourceInterpreterWebhookConfigurationCrd } from './config.ts';
import type { CustomResourceDefinition } from '#kube/crds/definition.ts';
import { multiClusterIngressCrd, multiClusterServiceCrd, serviceExportCrd, serviceImportCrd } from './networking.ts';
import { remedyCrd, workloadRebalancerCrd } from './operations.ts';
import {
  clusterOverridePolicyCrd,
  clusterPropagationPolicyCrd,
  clusterTaintPolicyCrd,
  federatedResourceQuotaCrd,
  overridePolicyCrd,
  propagationPolicyCrd,
} from './policies.ts';
import { clusterCrd, clusterResourceBindingCrd, resourceBindingCrd, workCrd } from './work.ts';

/**
 * Every kind an instance serves.
 *
 * Cluster is among them, although Karmada serves it from an API server of its own: a definition gives it the same
 * paths, the status subresource and a generation that follows its spec.
 */
export function karmadaCrds(): readonly CustomResourceDefinition[] {
  return [
    propagationPolicyCrd,
    clusterPropagationPolicyCrd,
    overridePolicyCrd,
    clusterOverridePolicyCrd,
    federatedResourceQuotaCrd,
    clusterTaintPolicyCrd,
    resourceBindingCrd,
    clusterResourceBindingCrd,
    workCrd,
    clusterCrd,
    resourceInterpreterCustomizationCrd,
    resourceInterpreterWebhookConfigurationCrd,
    federatedHpaCrd,
    cronFederatedHpaCrd,
    multiClusterServiceCrd,
    multiClusterIngressCrd,
    serviceExportCrd,
    serviceImportCrd,
    workloadRebalancerCrd,
    remedyCrd,
  ];
}
