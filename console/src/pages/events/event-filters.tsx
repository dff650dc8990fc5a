/** Which events are shown; all of it is in the address. */
import { Group, SegmentedControl, Select, Switch } from '@mantine/core';
import { useNavigate, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { useClusters } from '../../api/clusters.ts';
import { NamespaceFilter, WordsFilter } from '../../parts/list-filters.tsx';

const ROUTE = '/i/$instance/events';
/** As the API calls the control plane among clusters. */
const CONTROL_PLANE = '-';

export function EventFilters({ instance, kinds }: { readonly instance: string; readonly kinds: readonly string[] }) {
  const { t } = useTranslation();
  const search = useSearch({ from: ROUTE });
  const navigate = useNavigate({ from: ROUTE });
  const clusters = useClusters(instance);
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
      <NamespaceFilter instance={instance} value={search.ns} set={(ns) => set({ ns })} w={144} />
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
      <WordsFilter value={search.name} set={(name) => set({ name })} w={150} />
      <WordsFilter label={t('events.text')} value={search.text} set={(text) => set({ text })} w={150} />
      <Switch
        label={t('events.engine')}
        checked={search.engine}
        onChange={(event) => set({ engine: event.currentTarget.checked })}
      />
    </Group>
  );
}
