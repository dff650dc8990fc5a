import { apiServer } from '#kube/apiserver/index.ts';
import { type KubeProgramOptions, runKubeProgram } from './kube-program.ts';

/** `kairship kube-apiserver`: a Kubernetes API server and nothing else. */
export function kubeApiserver(options: KubeProgramOptions): Promise<void> {
  return runKubeProgram('kube-apiserver', options, (parts) => apiServer(parts));
}
