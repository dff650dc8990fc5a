/** Whether what is shown is current. */
import { useTranslation } from 'react-i18next';
import type { LiveState } from '../api/live.ts';

const COLOURS: Readonly<Record<LiveState, string>> = {
  live: 'var(--k-healthy)',
  connecting: 'var(--k-degraded)',
  paused: 'var(--k-unknown)',
  off: 'var(--k-unknown)',
};

export function LiveChip({ state }: { readonly state: LiveState }) {
  const { t } = useTranslation();
  return (
    <span role="status" className="soft" style={{ display: 'inline-flex', gap: 6, alignItems: 'center', fontSize: 12 }}>
      <i
        aria-hidden
        style={{ width: 7, height: 7, borderRadius: 4, background: COLOURS[state], display: 'inline-block' }}
      />
      {t(`live.${state}`)}
    </span>
  );
}
