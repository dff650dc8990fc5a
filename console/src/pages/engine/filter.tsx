/** The filters of a list of the engine, kept in the address. */
import { Switch, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';

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
  const { t } = useTranslation();
  const { q } = useSearch({ from: '/i/$instance/engine' });
  const navigate = useNavigate({ from: '/i/$instance/engine' });
  const [text, setText] = useState(q);
  const apply = useDebouncedCallback((next: string) => {
    // Who has gone on meanwhile is not fetched back.
    if (!location.pathname.endsWith('/engine')) return;
    void navigate({ search: (now) => ({ ...now, q: next, page: 1 }), replace: true });
  }, 250);
  return (
    <TextInput
      aria-label={t('field.name')}
      placeholder={t('field.filterByName')}
      value={text}
      leftSection={<Search size={13} aria-hidden />}
      w={260}
      onChange={(event) => {
        setText(event.currentTarget.value);
        apply(event.currentTarget.value);
      }}
    />
  );
}
