import type { DescEnum } from '@bufbuild/protobuf';

/** The name of a value as the API spells it; empty for none. */
export function enumName(descriptor: DescEnum, value: number | undefined): string {
  const name = descriptor.value[value ?? 0]?.name ?? '';
  return name.endsWith('UNSPECIFIED') ? '' : name;
}
