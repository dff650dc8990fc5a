const SHORT = {
  ReadWriteOnce: 'RWO',
  ReadOnlyMany: 'ROX',
  ReadWriteMany: 'RWX',
  ReadWriteOncePod: 'RWOP',
} as const;

export const ACCESS_MODES: readonly string[] = Object.keys(SHORT);

/** Access modes as tables show them, in a fixed order. */
export function accessModesText(modes: readonly string[] = []): string {
  return Object.entries(SHORT)
    .filter(([mode]) => modes.includes(mode))
    .map(([, short]) => short)
    .join(',');
}
