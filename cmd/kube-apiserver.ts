import { controlPlane } from '#kube/control-plane/index.ts';
import { type KubeProgramOptions, runKubeProgram } from './kube-program.ts';

/** `kairship kube-apiserver`: a Kubernetes control plane and nothing else. */
export function kubeApiserver(options: KubeProgramOptions): Promise<void> {
  return runKubeProgram('kube-apiserver', options, (parts) => controlPlane(parts));
}
