/** Images that run already, for whoever chooses one. Pure. */
import { type Path, textAt, valueAt } from '../policy/policy-text.ts';

const PODS: readonly Path[] = [
  ['spec'],
  ['spec', 'template', 'spec'],
  ['spec', 'jobTemplate', 'spec', 'template', 'spec'],
];

/** Images of a pod, of a workload's template, or of a CronJob's. */
export function imagesIn(object: unknown): readonly string[] {
  return PODS.flatMap((pod) =>
    ['containers', 'initContainers'].flatMap((list) => {
      const containers = valueAt(object, [...pod, list]);
      return Array.isArray(containers) ? containers.map((one) => textAt(one, ['image'])) : [];
    }),
  );
}

/** Each once, those that run most often first. */
export function offeredImages(objects: readonly unknown[]): readonly string[] {
  const times = new Map<string, number>();
  for (const image of objects.flatMap(imagesIn)) if (image !== '') times.set(image, (times.get(image) ?? 0) + 1);
  return [...times].toSorted(([a, more], [b, less]) => less - more || a.localeCompare(b)).map(([image]) => image);
}

/** What a container is told of an image of a registry; those without a project are in one called `_`. */
export function imageName(host: string, project: string, repository: string, tag: string): string {
  return `${[host, ...(project === '_' ? [] : [project]), repository].join('/')}:${tag}`;
}
