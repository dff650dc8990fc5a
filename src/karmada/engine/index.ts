export { type DecisionStore, decisionStore } from './decision-store.ts';
export { type Explanations, explanationsApi } from './explanations-api.ts';
export { installCrds } from './install-crds.ts';
export { type KarmadaApiServer, type KarmadaOptions, karmadaApiServer } from './karmada-api-server.ts';
export { PLACEMENT_GROUP } from './placement-group.ts';
export {
  CONTROLLERS,
  type ControllerName,
  type Engine,
  type EngineOptions,
  OFF_BY_DEFAULT,
  startEngine,
} from './start-engine.ts';
