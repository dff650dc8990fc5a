/** The names of the engine's controllers, and which of them run. */
import { chosenControllers as chosen } from '#kube/runtime/chosen-controllers.ts';

/** As `--controllers` of Karmada's controller-manager names them, with the detector and the scheduler among them. */
export const CONTROLLERS = [
  'detector',
  'scheduler',
  'binding',
  'execution',
  'bindingStatus',
  'namespace',
  'dependencies',
  'cluster',
  'clusterStatus',
  'unifiedAuth',
  'clustertaintpolicy',
  'taintManager',
  'gracefulEviction',
  'applicationFailover',
  'workloadRebalancer',
  'federatedHorizontalPodAutoscaler',
  'cronFederatedHorizontalPodAutoscaler',
  'hpaScaleTargetMarker',
  'deploymentReplicasSyncer',
] as const;
export type ControllerName = (typeof CONTROLLERS)[number];

/** As in Karmada these run only when they are asked for. */
export const OFF_BY_DEFAULT: readonly ControllerName[] = ['hpaScaleTargetMarker', 'deploymentReplicasSyncer'];

export interface ControllerChoice {
  readonly disabled: readonly ControllerName[];
  readonly enabled: readonly ControllerName[];
}

/** What a list in Karmada's syntax means. Unknown names are returned as such. */
export function chosenControllers(list: string): ControllerChoice | { readonly unknown: readonly string[] } {
  const choice = chosen(list, CONTROLLERS, OFF_BY_DEFAULT);
  if ('unknown' in choice) return choice;
  return {
    disabled: CONTROLLERS.filter((name) => !choice.runs(name)),
    enabled: OFF_BY_DEFAULT.filter(choice.runs),
  };
}
