/**
 * What FederatedHPAs and CronFederatedHPAs may say. A FederatedHPA's spec is that of Kubernetes' autoscaler, with its
 * defaults and its rules; external metrics, which Karmada refuses, are allowed.
 */
import type { Draft } from '#base/json.ts';
import type { AutoscalingV2HorizontalPodAutoscaler } from '#gen/kube/types.ts';
import { type CronFederatedHpa, type CronRule, FEDERATED_HPA, type FederatedHpa } from '#karmada/apis/index.ts';
import { isTimeZone } from '#karmada/autoscaling/next-run.ts';
import { autoscalerRules } from '#kube/apiserver/kinds/autoscaling/autoscaler-rules.ts';
import { defaultV2 } from '#kube/apiserver/kinds/autoscaling/horizontal-pod-autoscaler.ts';
import { parseCronSchedule } from '#kube/apiserver/kinds/batch/cron-schedule.ts';
import { duplicate, type FieldError, invalid, invalidAll, required } from '#kube/meta/field-error.ts';
import { pathSegmentProblems } from '#kube/meta/names.ts';

export function defaultFederatedHpa(hpa: Draft<FederatedHpa>): void {
  defaultV2(hpa as unknown as Draft<AutoscalingV2HorizontalPodAutoscaler>);
}

export function federatedHpaErrors(hpa: FederatedHpa): FieldError[] {
  const errors = autoscalerRules(hpa as unknown as AutoscalingV2HorizontalPodAutoscaler);
  // Kubernetes asks for the group of what is scaled; Karmada, whose rules are older, does not.
  return [...errors].filter(({ field }) => field !== 'spec.scaleTargetRef.apiVersion');
}

export function cronFederatedHpaErrors({ spec }: CronFederatedHpa): FieldError[] {
  const { apiVersion, kind, name } = spec.scaleTargetRef;
  const scalesAutoscaler = apiVersion === FEDERATED_HPA.apiVersion;
  if (scalesAutoscaler && kind !== FEDERATED_HPA.kind) {
    const problem = `invalid scaleTargetRef kind: ${kind}, only support ${FEDERATED_HPA.kind}`;
    return [invalid('spec.scaleTargetRef.kind', kind, problem)];
  }
  const names = new Set<string>();
  return [
    ...Object.entries({ kind, name }).flatMap(([field, value]) =>
      referenceErrors(`spec.scaleTargetRef.${field}`, value),
    ),
    ...spec.rules.flatMap((rule, index) => {
      const path = `spec.rules[${index}]`;
      const again = names.has(rule.name) ? [duplicate(`${path}.name`, rule.name)] : [];
      names.add(rule.name);
      return [
        ...again,
        ...timeErrors(rule, path),
        ...(scalesAutoscaler ? boundErrors(rule, path) : replicaErrors(rule, kind, path)),
      ];
    }),
  ];
}

function referenceErrors(path: string, value: string): FieldError[] {
  return value === '' ? [required(path)] : invalidAll(path, value, pathSegmentProblems(value));
}

function timeErrors({ schedule, timeZone }: CronRule, path: string): FieldError[] {
  const errors: FieldError[] = [];
  if ('problem' in parseCronSchedule(schedule))
    errors.push(invalid(`${path}.schedule`, schedule, 'invalid cron format'));
  if (timeZone !== undefined && !isTimeZone(timeZone)) {
    errors.push(invalid(`${path}.timeZone`, timeZone, `unknown time zone ${timeZone}`));
  }
  return errors;
}

function boundErrors({ targetMinReplicas: min, targetMaxReplicas: max }: CronRule, path: string): FieldError[] {
  const [atMin, atMax] = [`${path}.targetMinReplicas`, `${path}.targetMaxReplicas`];
  const errors: FieldError[] = [];
  if (min === undefined && max === undefined) {
    const problem =
      'targetMinReplicas and targetMaxReplicas cannot be nil at the same time if you want to scale FederatedHPA';
    errors.push(invalid(atMax, '', problem));
  }
  if ((min ?? 1) <= 0) errors.push(invalid(atMin, '', 'targetMinReplicas should be larger than 0'));
  if ((max ?? 1) <= 0) errors.push(invalid(atMax, '', 'targetMaxReplicas should be larger than 0'));
  if (max !== undefined && (min ?? 1) > max) {
    errors.push(invalid(atMin, '', 'targetMaxReplicas should be larger than or equal to targetMinReplicas'));
  }
  return errors;
}

/** Scaling to nothing is allowed: nobody needs replicas at the weekend. */
function replicaErrors({ targetReplicas }: CronRule, kind: string, path: string): FieldError[] {
  const at = `${path}.targetReplicas`;
  if (targetReplicas === undefined) {
    return [invalid(at, '', `targetReplicas cannot be nil if you want to scale ${kind}`)];
  }
  return targetReplicas < 0 ? [invalid(at, '', 'targetReplicas should be larger than or equal to 0')] : [];
}
