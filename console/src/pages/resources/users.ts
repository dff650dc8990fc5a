/** Who uses a config map, a secret or a claim: told by the pods that workloads make, and by certificates. Pure. */
import type { Thing } from '../../api/objects.ts';

type Node = Readonly<Record<string, unknown>>;

/** Where pods name what they use, and by which field. */
const NAMES: Readonly<Record<string, readonly (readonly [holder: string, name: string])[]>> = {
  ConfigMap: [
    ['configMap', 'name'],
    ['configMapRef', 'name'],
    ['configMapKeyRef', 'name'],
  ],
  Secret: [
    ['secret', 'secretName'],
    // Of a projected volume.
    ['secret', 'name'],
    ['secretRef', 'name'],
    ['secretKeyRef', 'name'],
    ['imagePullSecrets', 'name'],
    ['tls', 'secretName'],
  ],
  PersistentVolumeClaim: [['persistentVolumeClaim', 'claimName']],
};

export function usersOf(kind: string, name: string, among: readonly Thing[]): readonly Thing[] {
  const places = NAMES[kind];
  return places ? among.filter(({ spec }) => names(spec, places, name)) : [];
}

function names(node: unknown, places: (typeof NAMES)[string] & object, name: string): boolean {
  if (typeof node !== 'object' || node === null) return false;
  return Object.entries(node).some(
    ([key, value]) =>
      places.some(([holder, field]) => holder === key && listed(value).some((one) => (one as Node)[field] === name)) ||
      names(value, places, name),
  );
}

const listed = (value: unknown): readonly unknown[] =>
  (Array.isArray(value) ? value : [value]).filter((one) => typeof one === 'object' && one !== null);
