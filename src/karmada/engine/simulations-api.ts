/**
 * `placement.kairship.io/v1alpha1` simulations: what would happen if. They are created and never stored: the answer to
 * the creation is the simulation with its status.
 */
import { type Clock, systemClock } from '#base/clock.ts';
import type { ApiExtension } from '#kube/apiserver/index.ts';
import { PLACEMENT } from './placement-group.ts';
import { SIMULATION_SCHEMA } from './placement-schemas.ts';
import type { Simulator } from './simulator.ts';
import { virtualResource } from './virtual-resource.ts';

export function simulationsApi(simulate: () => Simulator, clock: Clock = systemClock): ApiExtension {
  return virtualResource({
    ...PLACEMENT,
    resource: 'simulations',
    singular: 'simulation',
    kind: 'Simulation',
    namespaced: false,
    columns: [],
    schema: SIMULATION_SCHEMA,
    now: () => clock.now(),
    create: (body, { signal }) => simulate()(body, signal),
  });
}
