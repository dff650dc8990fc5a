/** Filters that lists share: words that apply once somebody pauses, and the namespaces of an instance. */
import { useQuery } from '@connectrpc/connect-query';
import { Select, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { Search } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CoreService } from '#gen/proto/kairship/api/core/v1alpha1/core_service_pb.ts';

const PAUSE_MS = 250;

interface Props {
  readonly value: string;
  readonly set: (value: string) => void;
  readonly w?: number;
}

/** By its name, unless it says otherwise. */
export function WordsFilter({ value, set, w = 220, label }: Props & { readonly label?: string }) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState(value);
  const [page] = useState(location.pathname);
  const apply = useDebouncedCallback((next: string) => {
    // Who has gone on meanwhile is not fetched back.
    if (location.pathname === page) set(next);
  }, PAUSE_MS);
  return (
    <TextInput
      aria-label={label ?? t('field.name')}
      placeholder={label ?? t('field.filterByName')}
      value={typed}
      leftSection={<Search size={13} aria-hidden />}
      w={w}
      onChange={(event) => {
        setTyped(event.currentTarget.value);
        apply(event.currentTarget.value);
      }}
    />
  );
}

export function NamespaceFilter({ instance, value, set, w = 180 }: Props & { readonly instance: string }) {
  const { t } = useTranslation();
  const { data } = useQuery(CoreService.method.listNamespaceSummary, { instance });
  return (
    <Select
      aria-label={t('field.namespace')}
      placeholder={t('field.allNamespaces')}
      data={data?.data.map(({ name }) => name) ?? []}
      value={value || null}
      clearable
      searchable
      w={w}
      onChange={(next) => set(next ?? '')}
    />
  );
}
