/** A terminal with its state: opening, open, over, lost; and a way to begin again. */
import { Button, Group, Skeleton } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Status, type State } from '../../parts/status.tsx';
import type { TerminalState } from './xterm.tsx';

const Xterm = lazy(async () => ({ default: (await import('./xterm.tsx')).Xterm }));

const STATES: Readonly<Record<TerminalState, State>> = {
  opening: 'progressing',
  open: 'healthy',
  over: 'unknown',
  lost: 'blocked',
};

interface TerminalBoxProps {
  readonly path: string;
  readonly label: string;
  /** Makes whatever is behind the path anew; without it the same path is opened again. */
  readonly onAgain?: () => void;
}

export function TerminalBox({ path, label, onAgain }: TerminalBoxProps) {
  const { t } = useTranslation();
  const [{ state, message }, setState] = useState<{ state: TerminalState; message: string }>({
    state: 'opening',
    message: '',
  });
  const [round, setRound] = useState(0);
  const isOver = state === 'over' || state === 'lost';
  return (
    <section className="panel" aria-label={label} style={{ display: 'flex', flexDirection: 'column', height: '100%' }}>
      <Group justify="space-between" px="sm" py={6} style={{ borderBottom: '1px solid var(--k-line)', minHeight: 40 }}>
        <span role="status" data-terminal={state}>
          <Status state={STATES[state]} word={t(`terminal.${state}`)} /> <span className="soft">{message}</span>
        </span>
        {isOver && (
          <Button variant="default" size="compact-sm" onClick={() => (onAgain ?? (() => setRound(round + 1)))()}>
            {t('terminal.again')}
          </Button>
        )}
      </Group>
      <div style={{ flex: 1, minHeight: 0, padding: 8 }}>
        <Suspense fallback={<Skeleton height="100%" />}>
          <Xterm
            key={round}
            path={path}
            label={label}
            onState={(next, said) => setState({ state: next, message: said })}
          />
        </Suspense>
      </div>
    </section>
  );
}
