/** How old what is shown may be, where no stream says when it changes. */
import { useTranslation } from 'react-i18next';
import { clock } from '../i18n/words.ts';

interface Props {
  /** When it was last answered, in milliseconds; 0 before it was. */
  readonly at: number;
  readonly everyMs: number;
}

export function Fresh({ at, everyMs }: Props) {
  const { t } = useTranslation();
  if (at === 0) return null;
  return (
    <span className="soft" style={{ fontSize: 12 }} data-fresh>
      {t('fresh.asOf', { time: clock(at), seconds: everyMs / 1000 })}
    </span>
  );
}
