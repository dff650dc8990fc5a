export { type Decoded, type DecodeDeps, decodeSimulation } from './decode-simulation.ts';
export { type SimulateInput, simulate } from './simulate.ts';
export type * from './simulation.ts';
export { type Change, changedWorld, type World } from './world.ts';
