/** The drawing itself, loaded when the first chart is looked at. */
import { useComputedColorScheme } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { useEffect, useRef } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { languageNow } from '../../i18n/language.ts';
import type { ChartProps } from './chart.tsx';
import { aligned } from './series.ts';

const COLOURS = ['--k-accent', '--k-healthy', '--k-degraded', '--k-blocked', '--k-progressing', '--k-unknown'] as const;

export function Canvas({ lines, slotMs, height = 150, bars = false, format = String, most }: ChartProps) {
  const { ref, width } = useElementSize();
  const box = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(undefined);
  const scheme = useComputedColorScheme('light');
  const { times, values } = aligned(lines, slotMs);
  const data = [times, ...values] as unknown as uPlot.AlignedData;
  const latest = useRef(data);
  latest.current = data;
  const names = lines.map(({ label }) => label).join();
  useEffect(() => {
    const at = box.current;
    if (!at || width === 0) return;
    const made = new uPlot(options({ width, height, names: names.split(','), bars, format, most }), latest.current, at);
    plot.current = made;
    return () => made.destroy();
    // Colours are read when it is drawn: another theme draws it anew.
  }, [width, height, names, bars, format, most, scheme]);
  useEffect(() => plot.current?.setData(data));
  return (
    <div ref={ref} style={{ height }} aria-hidden>
      <div ref={box} />
    </div>
  );
}

/** Within a minute there are several marks, and one time is enough for them. */
function minutesOnce(splits: readonly number[], time: Intl.DateTimeFormat): string[] {
  const words = splits.map((at) => time.format(at * 1000));
  return words.map((word, index) => (word === words[index - 1] ? '' : word));
}

interface Drawn {
  readonly width: number;
  readonly height: number;
  readonly names: readonly string[];
  readonly bars: boolean;
  readonly format: (value: number) => string;
  readonly most: number | undefined;
}

function options({ width, height, names, bars, format, most }: Drawn): uPlot.Options {
  const style = getComputedStyle(document.documentElement);
  const colour = (token: string) => style.getPropertyValue(token).trim();
  const axis = { stroke: colour('--k-soft'), font: '11px "Inter Variable", system-ui', ticks: { show: false } };
  const time = new Intl.DateTimeFormat(languageNow() === 'zh' ? 'zh-CN' : 'en', {
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  });
  return {
    width,
    height,
    legend: { show: false },
    cursor: { points: { size: 6 }, drag: { x: false, y: false } },
    padding: [8, 18, 0, 0],
    scales: { x: { time: true }, y: { range: (_, __, max) => [0, most ?? Math.max(1, max * 1.15)] } },
    axes: [
      { ...axis, grid: { show: false }, size: 24, values: (_, splits) => minutesOnce(splits, time) },
      {
        ...axis,
        size: 52,
        grid: { stroke: colour('--k-line'), width: 1 },
        values: (_, splits) => splits.map((value) => format(value)),
      },
    ],
    series: [
      {},
      ...names.map((label, index): uPlot.Series => {
        const stroke = colour(COLOURS[index % COLOURS.length] ?? '--k-accent');
        const { bars: drawBars } = uPlot.paths;
        return {
          label,
          stroke,
          width: 1.5,
          spanGaps: true,
          points: { show: false },
          ...(names.length === 1 ? { fill: `${stroke}26` } : {}),
          ...(bars && drawBars ? { paths: drawBars({ size: [0.7, 24], radius: 0.15 }), fill: `${stroke}b0` } : {}),
        };
      }),
    ],
  };
}
