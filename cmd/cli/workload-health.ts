/** How a distributed object is, in one word and one sentence, from its binding. Pure. */
import type { AnyBinding } from '#karmada/apis/index.ts';

export type HealthWord = 'Healthy' | 'Progressing' | 'Degraded' | 'Blocked' | 'Unknown';

export interface WorkloadHealth {
  readonly word: HealthWord;
  readonly sentence: string;
}

export function workloadHealth({ spec, status }: AnyBinding): WorkloadHealth {
  const condition = (type: string) => status?.conditions?.find((each) => each.type === type);
  const scheduled = condition('Scheduled');
  if (scheduled?.status === 'False') return { word: 'Blocked', sentence: oneLine(scheduled.message ?? '') };
  const targets = spec.clusters ?? [];
  if (targets.length === 0) return { word: 'Progressing', sentence: 'it has not been placed yet' };
  const told = new Map((status?.aggregatedStatus ?? []).map((item) => [item.clusterName, item]));
  const failed = targets.flatMap(({ name }) => {
    const item = told.get(name);
    return item?.appliedMessage ? [`${name}: ${oneLine(item.appliedMessage)}`] : [];
  });
  if (failed.length > 0) return { word: 'Degraded', sentence: failed.join('; ') };
  const waiting = targets.filter(({ name }) => !told.get(name)?.applied).map(({ name }) => name);
  if (waiting.length > 0) return { word: 'Progressing', sentence: `on its way to ${waiting.join(', ')}` };
  const ill = targets.filter(({ name }) => told.get(name)?.health === 'Unhealthy').map(({ name }) => name);
  if (ill.length > 0) return { word: 'Degraded', sentence: `not ready in ${ill.join(', ')}` };
  return { word: 'Healthy', sentence: `in ${targets.map(({ name }) => name).join(', ')}` };
}

const oneLine = (text: string) => text.replaceAll(/\s+/g, ' ').trim();
