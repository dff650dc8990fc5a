/**
 * Logs of pods, straight from their clusters.
 *
 * The only thing the console asks without a service: logs are the Kubernetes API's, and the platform's proxy carries it
 * to every member with the caller's own rights.
 */
export interface LogLine {
  readonly cluster: string;
  readonly pod: string;
  readonly at: number;
  readonly text: string;
}

export interface LogSource {
  readonly instance: string;
  readonly cluster: string;
  readonly namespace: string;
  readonly pod: string;
  readonly container?: string;
}

/** The last lines of a pod. Connections are few, so the merged view asks again instead of keeping one open for each pod. */
export async function lastLines(source: LogSource, count: number, signal: AbortSignal): Promise<readonly LogLine[]> {
  const { instance, cluster, namespace, pod } = source;
  const within = `/apis/cluster.karmada.io/v1alpha1/clusters/${encodeURIComponent(cluster)}/proxy`;
  const path = `/api/v1/namespaces/${encodeURIComponent(namespace)}/pods/${encodeURIComponent(pod)}/log`;
  const query = new URLSearchParams({ timestamps: 'true', tailLines: String(count) });
  if (source.container) query.set('container', source.container);
  const response = await fetch(`/instances/${encodeURIComponent(instance)}/kube${within}${path}?${query}`, { signal });
  const text = await response.text();
  if (!response.ok) throw new Error(messageOf(text) || response.statusText);
  return text.split('\n').flatMap((line) => {
    const [stamp = '', ...rest] = line.split(' ');
    const at = Date.parse(stamp);
    return line === '' ? [] : [{ cluster, pod, at: Number.isNaN(at) ? 0 : at, text: rest.join(' ') }];
  });
}

function messageOf(text: string): string {
  try {
    const { message } = JSON.parse(text) as { readonly message?: string };
    return message ?? '';
  } catch {
    return text;
  }
}
