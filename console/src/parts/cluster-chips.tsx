/** Where something runs: a chip a cluster, with its count and its state. */
import { Tooltip } from '@mantine/core';
import { useMediaQuery } from '@mantine/hooks';
import { StateIcon, type State } from './status.tsx';

export interface Chip {
  readonly cluster: string;
  readonly state: State;
  readonly text?: string;
  readonly note?: string;
}

export function ClusterChips({
  of,
  most = 4,
  wrap = false,
}: {
  readonly of: readonly Chip[];
  readonly most?: number;
  readonly wrap?: boolean;
}) {
  const roomy = useMediaQuery('(min-width: 1400px)', true, { getInitialValueInEffect: false });
  const fits = wrap || roomy ? most : Math.min(most, 2);
  const rest = of.slice(fits);
  return (
    <span style={{ display: 'inline-flex', gap: 5, flexWrap: wrap ? 'wrap' : 'nowrap' }}>
      {of.slice(0, fits).map(({ cluster, state, text, note }) => (
        <Tooltip key={cluster} label={note} disabled={!note}>
          <span className="chip" data-placed-on={cluster}>
            <span className="status" data-state={state}>
              <StateIcon state={state} size={12} />
            </span>
            {cluster}
            {text && <b>{text}</b>}
          </span>
        </Tooltip>
      ))}
      {rest.length > 0 && (
        <Tooltip label={rest.map(({ cluster }) => cluster).join(', ')}>
          <span className="chip">+{rest.length}</span>
        </Tooltip>
      )}
    </span>
  );
}
