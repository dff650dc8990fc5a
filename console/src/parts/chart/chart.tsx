/** A chart over time: drawn when it is in sight, and told in words for whoever cannot see it. */
import { lazy, Suspense } from 'react';
import { Skeleton } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { type Line, summed } from './series.ts';

const Canvas = lazy(async () => ({ default: (await import('./canvas.tsx')).Canvas }));

export interface ChartProps {
  readonly label: string;
  readonly lines: readonly Line[];
  /** How far two samples may be apart and still be of one moment. */
  readonly slotMs: number;
  readonly height?: number;
  readonly bars?: boolean;
  readonly format?: (value: number) => string;
  /** Where the axis ends; above the highest value unless said. */
  readonly most?: number;
}

const TOKENS = ['accent', 'healthy', 'degraded', 'blocked', 'progressing', 'unknown'] as const;

export function Chart(props: ChartProps) {
  const { t } = useTranslation();
  const { label, lines, height = 150, format = String } = props;
  const words = lines
    .filter(({ samples }) => samples.length > 0)
    .map(({ label: name, samples }) => {
      const { last, least, most } = summed(samples);
      return t('chart.says', { name, last: format(last), least: format(least), most: format(most) });
    })
    .join(' ');
  // A single moment makes no line.
  if (lines.every(({ samples }) => samples.length < 2))
    return (
      <div className="soft" style={{ height, display: 'grid', placeItems: 'center', fontSize: 13 }}>
        {t('inventory.noUsage')}
      </div>
    );
  return (
    <figure role="img" aria-label={`${label}. ${words}`} style={{ margin: 0 }}>
      <Suspense fallback={<Skeleton height={height} aria-busy />}>
        <Canvas {...props} />
      </Suspense>
      {lines.length > 1 && (
        <figcaption className="soft" style={{ display: 'flex', flexWrap: 'wrap', gap: '2px 12px', fontSize: 12 }}>
          {lines.map(({ label: name }, index) => (
            <span key={name} style={{ display: 'inline-flex', gap: 5, alignItems: 'center' }}>
              <i
                style={{
                  width: 10,
                  height: 3,
                  borderRadius: 2,
                  background: `var(--k-${TOKENS[index % TOKENS.length]})`,
                }}
              />
              {name}
            </span>
          ))}
        </figcaption>
      )}
    </figure>
  );
}
