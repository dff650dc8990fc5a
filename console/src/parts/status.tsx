/** A few states, everywhere: an icon, a word and a count, never a colour alone. */
import {
  ArrowRightLeft,
  CircleCheck,
  CircleHelp,
  CircleMinus,
  LoaderCircle,
  OctagonX,
  TriangleAlert,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';

export type State = 'healthy' | 'progressing' | 'degraded' | 'blocked' | 'unknown';
/** Where `unknown` has not been heard, `off` is known: it is not meant to be. */
export type Shown = State | 'off';

const ICONS = {
  healthy: CircleCheck,
  progressing: LoaderCircle,
  degraded: TriangleAlert,
  blocked: OctagonX,
  unknown: CircleHelp,
  off: CircleMinus,
} as const;

interface IconProps {
  readonly state: Shown;
  readonly size?: number;
  /** Told of something that would happen, not of something that is under way. */
  readonly imagined?: boolean;
}

export function StateIcon({ state, size = 14, imagined = false }: IconProps) {
  if (imagined && state === 'progressing') return <ArrowRightLeft size={size} aria-hidden />;
  const Icon = ICONS[state];
  return <Icon size={size} aria-hidden className={state === 'progressing' ? 'spin' : undefined} />;
}

interface StatusProps {
  readonly state: Shown;
  readonly count?: string;
  readonly word?: string;
  readonly imagined?: boolean;
}

/** `✓ Healthy 9/9` */
export function Status({ state, count, word, imagined = false }: StatusProps) {
  const { t } = useTranslation();
  return (
    <span className="status" data-state={state}>
      <StateIcon state={state} imagined={imagined} />
      {word ?? t(`state.${state}`)}
      {count !== undefined && <span className="soft">{count}</span>}
    </span>
  );
}

interface BannerProps {
  readonly state: Shown;
  readonly children: ReactNode;
  readonly action?: ReactNode;
  readonly imagined?: boolean;
}

/** A sentence about the whole, and what to do next. */
export function Banner({ state, children, action, imagined = false }: BannerProps) {
  return (
    <div className="banner" data-state={state} role="status">
      <span style={{ paddingTop: 2 }}>
        <StateIcon state={state} size={16} imagined={imagined} />
      </span>
      <div style={{ flex: 1 }}>{children}</div>
      {action}
    </div>
  );
}
