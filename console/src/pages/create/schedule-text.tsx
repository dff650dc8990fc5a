/** What a cron rule means: in words, and as the next times it fires. */
import { Text } from '@mantine/core';
import type { TFunction } from 'i18next';
import { useTranslation } from 'react-i18next';
import { dayNames, moment, monthName } from '../../i18n/words.ts';
import { nextRuns } from './schedule.ts';
import { scheduleSentence } from './schedule-words.ts';

const RUNS = 3;
/** Each sentence takes some of it. */
const NOTHING = { every: 0, minute: '', hour: '', time: '', date: '', month: '', weekday: '' };

export function ScheduleWords({ rule }: { readonly rule: string }) {
  const { t } = useTranslation();
  const runs = nextRuns(rule, Date.now(), RUNS);
  if (!runs) return null;
  return (
    <Text size="xs" c="dimmed" component="div">
      <div data-schedule>{said(t, rule)}</div>
      <div>
        {runs.length === 0 ? t('create.runsNever') : t('create.runsNext', { times: runs.map(moment).join(' · ') })}
      </div>
    </Text>
  );
}

function said(t: TFunction, rule: string): string {
  const sentence = scheduleSentence(rule);
  if (!sentence) return '';
  switch (sentence.key) {
    case 'weekly':
      return t('schedule.weekly', { time: sentence.time, days: dayNames(sentence.days) });
    case 'yearly':
      return t('schedule.yearly', { ...sentence, month: monthName(sentence.month) });
    default:
      return t(`schedule.${sentence.key}`, { ...NOTHING, ...sentence });
  }
}
