/** Which events are shown; all of it is in the address. */
import { useQuery } from '@connectrpc/connect-query';
import { Group, SegmentedControl, Select, Switch, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CoreService } from '#gen/proto/kairship/api/core/v1alpha1/core_service_pb.ts';
import { useClusters } from '../../api/clusters.ts';

const ROUTE = '/i/$instance/events';
/** As the API calls the control plane among clusters. */
const CONTROL_PLANE = '-';

export function EventFilters({ instance, kinds }: { readonly instance: string; readonly kinds: readonly string[] }) {
  const { t } = useTranslation();
  const search = useSearch({ from: ROUTE });
  const navigate = useNavigate({ from: ROUTE });
  const clusters = useClusters(instance);
  const spaces = useQuery(CoreService.method.listNamespaceSummary, { instance });
  const set = (more: Partial<typeof search>) =>
    void navigate({ search: (now) => ({ ...now, page: 1, ...more }), replace: true });
  return (
    <Group gap={8} mb={10}>
      <SegmentedControl
        aria-label={t('event.type')}
        value={search.type}
        onChange={(type) => set({ type })}
        data={[
          { value: '', label: t('action.all') },
          { value: 'warning', label: t('events.warning') },
          { value: 'normal', label: t('events.normal') },
        ]}
      />
      <Select
        aria-label={t('field.cluster')}
        placeholder={t('events.everywhere')}
        data={[
          { value: CONTROL_PLANE, label: t('events.controlPlane') },
          ...(clusters.data?.items.map(({ metadata }) => metadata?.name ?? '') ?? []),
        ]}
        value={search.cluster || null}
        clearable
        searchable
        w={144}
        onChange={(cluster) => set({ cluster: cluster ?? '' })}
      />
      <Select
        aria-label={t('field.namespace')}
        placeholder={t('field.allNamespaces')}
        data={spaces.data?.data.map(({ name }) => name) ?? []}
        value={search.ns || null}
        clearable
        searchable
        w={144}
        onChange={(ns) => set({ ns: ns ?? '' })}
      />
      <Select
        aria-label={t('field.kind')}
        placeholder={t('events.everyKind')}
        // What was chosen stays a choice, also when nothing of it happened lately.
        data={[...new Set([...kinds, ...(search.kind ? [search.kind] : [])])].sort()}
        value={search.kind || null}
        clearable
        searchable
        w={144}
        onChange={(kind) => set({ kind: kind ?? '' })}
      />
      <Words label={t('field.name')} hint={t('field.filterByName')} value={search.name} set={(name) => set({ name })} />
      <Words label={t('events.text')} hint={t('events.text')} value={search.text} set={(text) => set({ text })} />
      <Switch
        label={t('events.engine')}
        checked={search.engine}
        onChange={(event) => set({ engine: event.currentTarget.checked })}
      />
    </Group>
  );
}

interface WordsProps {
  readonly label: string;
  readonly hint: string;
  readonly value: string;
  readonly set: (value: string) => void;
}

function Words({ label, hint, value, set }: WordsProps) {
  const [typed, setTyped] = useState(value);
  const apply = useDebouncedCallback((next: string) => {
    // Who has gone on meanwhile is not fetched back.
    if (location.pathname.endsWith('/events')) set(next);
  }, 250);
  return (
    <TextInput
      aria-label={label}
      placeholder={hint}
      value={typed}
      leftSection={<Search size={13} aria-hidden />}
      w={150}
      onChange={(event) => {
        setTyped(event.currentTarget.value);
        apply(event.currentTarget.value);
      }}
    />
  );
}
