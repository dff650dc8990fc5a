/** What the services say, for those who read. */
import type { DescEnum } from '@bufbuild/protobuf';

/** What the API calls a value; empty for one that is newer than this console. */
export function wordOf(of: DescEnum, value: number): string {
  return of.value[value]?.name ?? '';
}

/** Somebody whom the platform itself knows, not an identity provider. */
export function isLocal(source: string): boolean {
  return source === '' || source === 'local';
}
