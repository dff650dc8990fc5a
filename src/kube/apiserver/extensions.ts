/** The extensions of a server, found by what is asked for. */
import type { ApiExtension } from './extension.ts';

export interface Extensions {
  readonly all: readonly ApiExtension[];
  find(route: Asked, verb: string): ApiExtension | undefined;
  hasVersion(group: string, version: string): boolean;
}

interface Asked {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  readonly subresource?: string;
}

export function extensions(all: readonly ApiExtension[]): Extensions {
  const byId = new Map<string, ApiExtension[]>();
  for (const extension of all) byId.set(idOf(extension), [...(byId.get(idOf(extension)) ?? []), extension]);
  return {
    all,
    find: (route, verb) => byId.get(idOf(route))?.find((extension) => extension.verbs.includes(verb)),
    hasVersion: (group, version) => all.some((one) => one.group === group && one.version === version),
  };
}

function idOf({ group, version, resource, subresource = '' }: Asked): string {
  return `${group}/${version}/${resource}/${subresource}`;
}
