export { chosenControllers, type ControllerName, CONTROLLERS, OFF_BY_DEFAULT } from './controller-names.ts';
export { type DecisionStore, decisionStore } from './decision-store.ts';
export { type Explanations, explanationsApi } from './explanations-api.ts';
export { installCrds } from './install-crds.ts';
export { type KarmadaApiServer, type KarmadaOptions, karmadaApiServer } from './karmada-api-server.ts';
export { PLACEMENT_GROUP } from './placement-group.ts';
export { type Engine, type EngineOptions, startEngine } from './start-engine.ts';
export {
  type PlacementSources,
  placementServer,
  type RemoteEngineOptions,
  startRemoteEngine,
} from './remote-engine.ts';
