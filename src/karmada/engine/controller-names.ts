/** The names of the engine's controllers, and which of them run. */

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

/**
 * What a list in Karmada's syntax means: `*` is all that run by default, a name is one more, a name after a minus sign
 * is one less, wherever they stand. Unknown names are returned as such.
 */
export function chosenControllers(list: string): ControllerChoice | { readonly unknown: readonly string[] } {
  const entries = list
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '');
  const names = entries.filter((entry) => entry !== '*').map((entry) => entry.replace(/^-/, ''));
  const unknown = names.filter((name) => !(CONTROLLERS as readonly string[]).includes(name));
  if (unknown.length > 0) return { unknown };
  const all = entries.includes('*');
  const runs = (name: ControllerName) =>
    !entries.includes(`-${name}`) && (entries.includes(name) || (all && !OFF_BY_DEFAULT.includes(name)));
  return {
    disabled: CONTROLLERS.filter((name) => !runs(name)),
    enabled: OFF_BY_DEFAULT.filter(runs),
  };
}
