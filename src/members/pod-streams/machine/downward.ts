/** What a pod can read about itself: the fields and resources of the downward API. */
import type { Container, Pod, ResourceFieldSelector } from '#gen/kube/types.ts';
import { parseQuantity, quantityMilliValue } from '#kube/meta/quantity.ts';

export function fieldValue(pod: Pod, path: string): string {
  const { metadata, spec, status } = pod;
  const [, map, key] = /^metadata\.(labels|annotations)\['(.*)'\]$/.exec(path) ?? [];
  if (map === 'labels' || map === 'annotations') return metadata[map]?.[key ?? ''] ?? '';
  switch (path) {
    case 'metadata.name':
      return metadata.name;
    case 'metadata.namespace':
      return metadata.namespace ?? '';
    case 'metadata.uid':
      return metadata.uid ?? '';
    case 'metadata.labels':
    case 'metadata.annotations':
      return pairs(path === 'metadata.labels' ? metadata.labels : metadata.annotations);
    case 'spec.nodeName':
      return spec?.nodeName ?? '';
    case 'spec.serviceAccountName':
      return spec?.serviceAccountName ?? 'default';
    case 'status.hostIP':
      return status?.hostIP ?? '';
    case 'status.hostIPs':
      return (status?.hostIPs ?? []).map(({ ip }) => ip).join(',');
    case 'status.podIP':
      return status?.podIP ?? '';
    case 'status.podIPs':
      return (status?.podIPs ?? []).map(({ ip }) => ip).join(',');
    default:
      return '';
  }
}

function pairs(map: Readonly<Record<string, string>> = {}): string {
  const names = Object.keys(map).sort();
  return names.map((name) => `${name}=${JSON.stringify(map[name] ?? '')}`).join('\n');
}

/** A request or limit in units of the divisor, rounded up; 0 when the container names none. */
export function resourceValue(pod: Pod, own: Container, ref: ResourceFieldSelector): string {
  const { containers = [], initContainers = [] } = pod.spec ?? {};
  const named = [...containers, ...initContainers].find(({ name }) => name === ref.containerName) ?? own;
  const [kind, ...rest] = ref.resource.split('.');
  const resource = rest.join('.');
  const amounts = kind === 'limits' ? named.resources?.limits : named.resources?.requests;
  const divisor = ref.divisor && ref.divisor !== '0' ? ref.divisor : '1';
  const value = quantityMilliValue(parseQuantity(amounts?.[resource] ?? '0'));
  return String(Math.ceil(value / quantityMilliValue(parseQuantity(divisor))));
}
