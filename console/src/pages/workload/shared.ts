/** What several tabs of a workload need. */
import type { Timestamp } from '@bufbuild/protobuf/wkt';
import type { ObjectRef } from '../../api/objects.ts';

export function resourceOf({ kind, namespace, name }: ObjectRef) {
  return { apiVersion: kind.apiVersion, kind: kind.kind, namespace, name };
}

export function millis(at: Timestamp | undefined): number {
  return at ? Number(at.seconds) * 1000 + Math.floor(at.nanos / 1e6) : 0;
}

/** One colour for each cluster, the same wherever its lines are mixed with others'. */
const HUES = [222, 160, 30, 280, 340, 190, 95, 50];

export function clusterColour(names: readonly string[], name: string): string {
  const hue = HUES[Math.max(0, names.indexOf(name)) % HUES.length];
  return `light-dark(hsl(${hue} 75% 27%), hsl(${hue} 75% 74%))`;
}
