/** A number, or its percentage of `total`: `3`, `'25%'`. */
export function intOrPercent(value: number | string, total: number, round: 'up' | 'down'): number {
  if (typeof value === 'number') return value;
  const share = (Number.parseInt(value, 10) * total) / 100;
  return round === 'up' ? Math.ceil(share) : Math.floor(share);
}
