import { kubeconfigFor, kubeconfigText } from '#kube/client/kubeconfig.ts';
import { loadKubeconfig } from '#kube/client/load-config.ts';
import { usageFailure } from './failure.ts';

/** The platform takes no kubeconfig that would have it read files or run programs: what they hold goes along instead. */
export async function selfContainedKubeconfig(
  name: string,
  { kubeconfig, kubeContext }: { readonly kubeconfig?: string; readonly kubeContext?: string },
): Promise<string> {
  const config = await loadKubeconfig(kubeconfig, kubeContext === undefined ? {} : { context: kubeContext });
  const { server, ca, token, clientCert, insecureSkipTlsVerify } = config;
  if (typeof token === 'function' || typeof clientCert === 'function')
    throw usageFailure(
      `the credential in ${kubeconfig} does not last`,
      'it comes from a program, or from a file that is renewed',
      `make one that lasts: kubectl create serviceaccount kairship -n kube-system; then a kubeconfig with its token`,
    );
  return kubeconfigText(
    kubeconfigFor({
      name,
      server,
      ...(ca === undefined ? {} : { ca }),
      ...(insecureSkipTlsVerify ? { insecureSkipTlsVerify } : {}),
      ...(token === undefined ? {} : { token }),
      ...(clientCert ? { cert: clientCert } : {}),
    }),
  );
}
