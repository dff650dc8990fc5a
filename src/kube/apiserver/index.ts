/** The Kubernetes-compatible API server. Start at {@link apiServer}. */
export type { AdmissionPlugin, AdmissionRequest, User } from './admission.ts';
export { type ApiServer, type ApiServerOptions, apiServer, SYSTEM_USER } from './api-server.ts';
export { AUTHENTICATED, type Authenticator, clientCertificates, MASTERS, staticTokens } from './auth/authenticate.ts';
export { type Attributes, type Authorizer, type Decision, mastersOnly } from './auth/authorize.ts';
export type { ApiExtension, ExtensionAnswer, ExtensionRequest, RawExchange } from './extension.ts';
export type { HealthCheck } from './http/health.ts';
export type { Listening, ListenOptions } from './http/http-server.ts';
export type { RequestNotes, RequestWitness, Stage } from './http/request-notes.ts';
export type { Documents } from './http/serve-path.ts';
export { LIMITS, type Limits } from './limits.ts';
export type { Column, FieldError, ResourceDefinition, Scale, Strategy } from './resource.ts';
export { type KubeControllersDeps, runKubeControllers } from './controllers/kube-controllers.ts';
