import type { Pod } from '#gen/kube/types.ts';
import { badRequest } from '#base/status-error.ts';

/** The container that is meant, by its name or because there is no other, refused as the API server refuses it. */
export function containerOf(pod: Pod, asked: string | undefined): string {
  const { initContainers = [], containers = [], ephemeralContainers = [] } = pod.spec ?? {};
  const names = [...initContainers, ...containers, ...ephemeralContainers].map(({ name }) => name);
  if (asked) {
    if (!names.includes(asked)) throw badRequest(`container ${asked} is not valid for pod ${pod.metadata.name}`);
    return asked;
  }
  const [only] = containers;
  if (only && containers.length === 1) return only.name;
  const choice = containers.length === 0 ? '' : `, choose one of: [${names.join(' ')}]`;
  throw badRequest(`a container name must be specified for pod ${pod.metadata.name}${choice}`);
}
