/** Kubernetes quantities, as far as a strip of capacity needs them. */
const UNITS: Readonly<Record<string, number>> = {
  n: 1e-9,
  u: 1e-6,
  m: 1e-3,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
};

export function quantity(text = '0'): number {
  const [, number = '0', unit = ''] = /^([\d.]+(?:e\d+)?)([A-Za-z]*)$/.exec(text) ?? [];
  return Number(number) * (UNITS[unit] ?? 1);
}

/** Thousandths are for machines: `1100m` is 1.1, `2304Mi` is 2.3 Gi. */
export function readable(text = '0'): string {
  const value = quantity(text);
  if (!/[KMGT]i?$/.test(text)) return String(Math.round(value * 100) / 100);
  for (const unit of ['Ti', 'Gi', 'Mi', 'Ki']) {
    const size = UNITS[unit] ?? 1;
    if (value >= size) return `${Math.round((value / size) * 10) / 10} ${unit}`;
  }
  return String(value);
}

/** A share of an amount, in the units in which it is read: 2 % of `96Gi` is `1966Mi`. */
export function scaled(text = '0', share = 1): string {
  const value = quantity(text) * share;
  return /[KMGT]i$/.test(text) ? `${Math.round(value / 2 ** 20)}Mi` : String(Math.round(value * 1000) / 1000);
}
