/** HorizontalPodAutoscalers for members that know only the use of CPU. */
import { convertAutoscaler } from '#kube/apiserver/kinds/autoscaling/autoscaler-conversion.ts';
import type { KubeObject } from '#kube/meta/object.ts';
import { fieldsOf, noPlaceFor } from './version.ts';

const V1 = 'autoscaling/v1';
const V2 = 'autoscaling/v2';
/** Where a server keeps what v1 cannot say. Each release spells it differently, so none is sent. */
const KEPT = {
  'spec.metrics': 'autoscaling.alpha.kubernetes.io/metrics',
  'spec.behavior': 'autoscaling.alpha.kubernetes.io/behavior',
} as const;

export function autoscalerToV1(object: KubeObject): KubeObject {
  const converted = convertAutoscaler({ ...object, apiVersion: V2 }, V1);
  for (const [field, annotation] of Object.entries(KEPT)) {
    if (fieldsOf(converted.metadata.annotations)[annotation] === undefined) continue;
    throw noPlaceFor(field, `says more than the one CPU target that ${V1} has`);
  }
  return converted;
}

export function autoscalerFromV1(object: KubeObject): KubeObject {
  return convertAutoscaler({ ...object, apiVersion: V1 }, V2);
}
