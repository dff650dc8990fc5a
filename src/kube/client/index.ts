export type { ClusterConfig, Impersonation, KeyPairProvider, TokenProvider } from './cluster-config.ts';
export { type HttpClient, httpClient } from './http-client.ts';
export type * from './kube-client.ts';
export {
  type Kubeconfig,
  type KubeconfigEntry,
  kubeconfigFor,
  kubeconfigText,
  mergeKubeconfigs,
  parseKubeconfig,
  readKubeconfig,
  saveKubeconfig,
} from './kubeconfig.ts';
export { clusterConfig, fileToken, inClusterConfig, type LoadedConfig, loadKubeconfig } from './load-config.ts';
export { covers, overlay } from './overlay.ts';
export { type RestMapper, restMapper } from './rest-mapper.ts';
export { impersonationHeaders, type RawRequest, type RawResponse, type Upgraded } from './transport.ts';
export { type Desired, type Key, type TypedClient, type TypedResource, typed } from './typed-client.ts';
