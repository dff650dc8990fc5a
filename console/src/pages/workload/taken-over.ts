/** What a workload needs and would bring along: the config maps and secrets that its manifest names. */
export interface Needed {
  readonly kind: 'ConfigMap' | 'Secret';
  readonly name: string;
}

const PLACES: Readonly<Record<string, Needed['kind']>> = {
  configMap: 'ConfigMap',
  configMapRef: 'ConfigMap',
  configMapKeyRef: 'ConfigMap',
  secretRef: 'Secret',
  secretKeyRef: 'Secret',
};

export function neededBy(manifest: unknown): readonly Needed[] {
  const found = new Map<string, Needed>();
  const add = (kind: Needed['kind'], name: unknown) => {
    if (typeof name === 'string' && name !== '') found.set(`${kind}/${name}`, { kind, name });
  };
  const look = (value: unknown): void => {
    if (Array.isArray(value)) return value.forEach(look);
    if (typeof value !== 'object' || value === null) return;
    for (const [key, part] of Object.entries(value as Readonly<Record<string, unknown>>)) {
      const kind = PLACES[key];
      if (kind) add(kind, (part as { readonly name?: unknown } | null)?.name);
      if (key === 'secretName') add('Secret', part);
      if (key === 'imagePullSecrets' && Array.isArray(part))
        for (const one of part) add('Secret', (one as { readonly name?: unknown }).name);
      look(part);
    }
  };
  look(manifest);
  return [...found.values()];
}
