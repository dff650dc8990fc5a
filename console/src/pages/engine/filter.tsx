/** The filters of a list of the engine, kept in the address. */
import { Switch } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { WordsFilter } from '../../parts/list-filters.tsx';

/** What the platform and the engine keep in every cluster for themselves, by what is in its name. */
const THEIR_OWN = ['kairship.', 'karmada-impersonator'];

/** What a list of the engine leaves out, unless somebody wants to see it. */
export function useLeftOut(): readonly string[] {
  const { own } = useSearch({ from: '/i/$instance/engine' });
  return own ? [] : THEIR_OWN;
}

export function OwnSwitch() {
  const { t } = useTranslation();
  const { own } = useSearch({ from: '/i/$instance/engine' });
  const navigate = useNavigate({ from: '/i/$instance/engine' });
  return (
    <Switch
      label={t('engine.own')}
      checked={own}
      onChange={(event) => {
        const { checked } = event.currentTarget;
        void navigate({ search: (now) => ({ ...now, own: checked, page: 1 }), replace: true });
      }}
    />
  );
}

export function NameFilter() {
  const { q } = useSearch({ from: '/i/$instance/engine' });
  const navigate = useNavigate({ from: '/i/$instance/engine' });
  return (
    <WordsFilter
      value={q}
      set={(next) => void navigate({ search: (now) => ({ ...now, q: next, page: 1 }), replace: true })}
      w={260}
    />
  );
}
