/** The figures as a Markdown table: ours, the real one's, how many times better ours is; less is better in all of them. */
import type { Figure } from './workload.ts';

/** What the design asks of ours. */
const GOALS: Readonly<Record<string, string>> = {
  'instance from nothing to ready': '≤ 1,500 ms',
  'memory when idle, two members joined': '≤ 150 MB',
  'template → object in 2 members, p50': '≤ 15 ms',
  'template → object in 2 members, p95': '≤ 40 ms',
  'member status → template status, p50': '≤ 10 ms',
  'member status → template status, p95': '≤ 30 ms',
  '500 ConfigMaps, one policy, 2 members': '≤ 1.5 s',
  '2,000 ConfigMaps, one policy, 2 members': '≤ 6 s',
  'member lost → object on another': '≤ 1 s',
  '200 Deployments, one OverridePolicy changed': '≤ 1 s',
};

export function table(ours: readonly Figure[], real: readonly Figure[] | undefined): string {
  const rows = ours.map((figure) => {
    const peer = real?.find(({ what }) => what === figure.what);
    const ratio = peer && figure.value > 0 ? (peer.value / figure.value).toFixed(1) : '–';
    return [figure.what, shown(figure), peer ? shown(peer) : '–', ratio, GOALS[figure.what] ?? ''];
  });
  const head = ['', 'Kairship', 'Karmada', 'times better', 'goal'];
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** The figures that have no peer. */
export function list(figures: readonly Figure[]): string {
  const rows = figures.map((figure) => [figure.what, shown(figure)]);
  const head = ['', 'Kairship'];
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function shown({ value, unit }: Figure): string {
  const number = value >= 100 ? Math.round(value).toLocaleString('en') : value.toFixed(value >= 10 ? 1 : 2);
  return `${number} ${unit}`;
}
