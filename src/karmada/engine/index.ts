export { type DecisionStore, decisionStore } from './decision-store.ts';
export { explanationsApi, PLACEMENT_GROUP } from './explanations-api.ts';
export { installCrds } from './install-crds.ts';
export { type KarmadaApiServer, type KarmadaOptions, karmadaApiServer } from './karmada-api-server.ts';
export {
  CONTROLLERS,
  type ControllerName,
  type Engine,
  type EngineOptions,
  OFF_BY_DEFAULT,
  startEngine,
} from './start-engine.ts';
