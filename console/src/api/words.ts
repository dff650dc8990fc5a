/** The names of what the services say in numbers. */
import type { DescEnum } from '@bufbuild/protobuf';

/** What the API calls a value; empty for one that is newer than this console. */
export function wordOf(of: DescEnum, value: number): string {
  return of.value[value]?.name ?? '';
}
