/** The figures as a Markdown table: ours, theirs, how many times better ours is. */
import type { Figure } from './client.ts';

/** What design.md asks of ours. */
const GOALS: Readonly<Record<string, string>> = {
  'start-up': '≤ 1,000 ms',
  'create, 64 clients': '≥ 3,200 /s',
  'update, 64 clients': '≥ 3,000 /s',
  'get, 64 clients': '≥ 8,000 /s',
  'list 5000 × 1 KB': '≤ 30 ms',
  'watch, 1000 watchers': '≥ 250,000 deliveries/s',
  'memory after the run': '≤ 300 MB',
};

const number = (value: number) =>
  value >= 100 ? Math.round(value).toLocaleString('en') : value.toFixed(value >= 10 ? 1 : 2);

export function table(ours: readonly Figure[], theirs: readonly Figure[] | undefined): string {
  const rows = ours.map((figure) => {
    const peer = theirs?.find(({ what }) => what === figure.what);
    return [figure.what, shown(figure), peer ? shown(peer) : '–', ratio(figure, peer), GOALS[figure.what] ?? ''];
  });
  const head = ['', 'Kairship', 'Kubernetes + etcd', 'times better', 'goal'];
  return [head, head.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

function shown({ value, unit, p50, p99, cpu }: Figure): string {
  const details = [
    ...(p50 === undefined ? [] : [`p50 ${number(p50)} ms`]),
    ...(p99 === undefined ? [] : [`p99 ${number(p99)} ms`]),
    ...(cpu === undefined ? [] : [`${number(cpu)} µs CPU`]),
  ];
  return `${number(value)}${unit === '/s' ? '' : ' '}${unit}${details.length > 0 ? ` (${details.join(', ')})` : ''}`;
}

/** More a second is better; of milliseconds and megabytes, less. */
function ratio({ value, unit }: Figure, peer: Figure | undefined): string {
  if (!peer || value === 0 || peer.value === 0) return '–';
  return (unit.endsWith('/s') ? value / peer.value : peer.value / value).toFixed(1);
}
