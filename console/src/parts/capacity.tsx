/** What a cluster can give and has given, as strips. */
import { useTranslation } from 'react-i18next';
import { quantity, readable } from '../api/quantity.ts';
import { percent } from '../i18n/words.ts';

interface Summary {
  readonly allocatable: Readonly<Record<string, string>>;
  readonly allocated: Readonly<Record<string, string>>;
}

/** Those everybody asks for first, then whatever else there is, GPUs included. */
export function Capacity({ of, all = false }: { readonly of: Summary | undefined; readonly all?: boolean }) {
  const { t } = useTranslation();
  const names = Object.entries(of?.allocatable ?? {})
    .filter(([name, amount]) => quantity(amount) > 0 && !name.startsWith('hugepages'))
    .map(([name]) => name)
    .sort((a, b) => rank(a) - rank(b) || a.localeCompare(b));
  const shown = all ? names : names.filter((name) => rank(name) < 3 || name.includes('gpu'));
  if (shown.length === 0) return <span className="soft">{t('capacity.none')}</span>;
  return (
    <div
      style={{
        display: 'grid',
        gridTemplateColumns: 'max-content 1fr max-content',
        gap: '5px 10px',
        alignItems: 'center',
        fontSize: 12.5,
      }}
    >
      {shown.map((name) => {
        const [free, given] = [quantity(of?.allocatable[name]), quantity(of?.allocated[name])];
        const share = free > 0 ? given / free : 0;
        const words = t(name === 'cpu' ? 'capacity.coresOf' : 'capacity.of', {
          given: readable(of?.allocated[name] ?? '0'),
          all: readable(of?.allocatable[name]),
        });
        const label = isNamed(name) ? t(`capacity.name.${name}`) : name;
        return (
          <div key={name} style={{ display: 'contents' }}>
            <span>{label}</span>
            <span className="strip" role="img" aria-label={`${label}: ${percent(share)}`}>
              <i
                style={{
                  width: percent(Math.min(1, share)),
                  background: share > 0.9 ? 'var(--k-degraded)' : 'var(--k-accent)',
                }}
              />
            </span>
            <span className="soft num">{words}</span>
          </div>
        );
      })}
    </div>
  );
}

/** Whatever else a cluster has is called as it calls it. */
const NAMED = ['cpu', 'memory', 'pods', 'ephemeral-storage'] as const;
const isNamed = (name: string): name is (typeof NAMED)[number] => (NAMED as readonly string[]).includes(name);

function rank(name: string): number {
  const at = ['cpu', 'memory', 'pods'].indexOf(name);
  return at < 0 ? 9 : at;
}
