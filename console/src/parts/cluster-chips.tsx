/** Where something runs: a chip a cluster, with its count and its state. */
import { Tooltip } from '@mantine/core';
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
  const rest = of.slice(most);
  return (
    <span style={{ display: 'inline-flex', gap: 5, flexWrap: wrap ? 'wrap' : 'nowrap' }}>
      {of.slice(0, most).map(({ cluster, state, text, note }) => (
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
