/** Every pod in every cluster of an instance: found by words, with its logs and a terminal. */
import { useQuery } from '@connectrpc/connect-query';
import { Button, Group, Select, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { keepPreviousData } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { Search, SquareTerminal } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Found, SearchService } from '#gen/proto/kairship/api/search/v1alpha1/search_service_pb.ts';
import { useClusters, useLost } from '../../api/clusters.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { Fresh } from '../../parts/fresh.tsx';
import { LogView } from '../../parts/log-view.tsx';
import { Facts, Page } from '../../parts/page.tsx';
import { Answer, Empty } from '../../parts/problems.tsx';
import { type State, Status } from '../../parts/status.tsx';
import { When } from '../../parts/when.tsx';
import { type PodLike, podQuery, readyOf } from './pod-facts.ts';

const PAGE_SIZE = 100;
const LOOK_AGAIN_MS = 5_000;
const STATES: Readonly<Record<string, State>> = {
  Running: 'healthy',
  Succeeded: 'healthy',
  Completed: 'healthy',
  Pending: 'progressing',
  Failed: 'blocked',
};

export function PodsPage() {
  const { t } = useTranslation();
  const { instance } = useParams({ from: '/i/$instance' });
  const search = useSearch({ from: '/i/$instance/pods' });
  const navigate = useNavigate({ from: '/i/$instance/pods' });
  const [words, setWords] = useState(search.q);
  const apply = useDebouncedCallback((q: string) => {
    void navigate({ search: (now) => ({ ...now, q, page: 1 }), replace: true });
  }, 250);
  const clusters = useClusters(instance);
  const asked = useQuery(
    SearchService.method.search,
    { instance, query: podQuery(search), includeObjects: true, page: search.page, pageSize: PAGE_SIZE },
    { placeholderData: keepPreviousData, refetchInterval: LOOK_AGAIN_MS },
  );
  const columns = useColumns(instance);
  return (
    <Page
      title={t('menu.pods')}
      sub={t('pod.listSub')}
      actions={<Fresh at={asked.dataUpdatedAt} everyMs={LOOK_AGAIN_MS} />}
    >
      <Group gap={8} mb={10}>
        <TextInput
          aria-label={t('field.filterByName')}
          placeholder={t('field.filterByName')}
          leftSection={<Search size={13} aria-hidden />}
          value={words}
          onChange={(event) => {
            setWords(event.currentTarget.value);
            apply(event.currentTarget.value);
          }}
          w={260}
        />
        <Select
          aria-label={t('field.cluster')}
          placeholder={t('log.allClusters')}
          clearable
          data={clusters.data?.items.map(({ metadata }) => metadata?.name ?? '') ?? []}
          value={search.cluster || null}
          onChange={(cluster) => void navigate({ search: (now) => ({ ...now, cluster: cluster ?? '', page: 1 }) })}
        />
        <TextInput
          aria-label={t('field.namespace')}
          placeholder={t('field.allNamespaces')}
          value={search.ns}
          onChange={(event) => {
            const ns = event.currentTarget.value;
            void navigate({ search: (now) => ({ ...now, ns, page: 1 }), replace: true });
          }}
        />
      </Group>
      <Answer of={asked}>
        {({ items, pagination }) => (
          <DataTable
            label={t('menu.pods')}
            columns={columns}
            rows={items}
            rowId={({ uid, cluster }) => `${cluster}/${uid}`}
            peekTitle={({ cluster, resource }) => `${cluster} / ${resource?.name}`}
            peek={(found) => <Peek instance={instance} of={found} />}
            page={{ number: search.page, pages: pagination?.pages ?? 1, total: pagination?.total ?? items.length }}
            onPage={(page) => void navigate({ search: (now) => ({ ...now, page }) })}
            empty={
              <Empty title={t('pod.none')}>
                {t(search.q || search.cluster || search.ns ? 'table.noneMatchHint' : 'pod.noneHint')}
              </Empty>
            }
          />
        )}
      </Answer>
    </Page>
  );
}

const podOf = ({ object }: Found) => object as PodLike | undefined;

function useColumns(instance: string): readonly Column<Found>[] {
  const { t, i18n } = useTranslation();
  const lost = useLost(instance);
  return useMemo(
    () => [
      {
        id: 'name',
        header: t('field.name'),
        grow: 2.2,
        cell: ({ resource }) => <span className="mono">{resource?.name}</span>,
      },
      {
        id: 'status',
        header: t('field.status'),
        grow: 1.1,
        cell: ({ status, cluster }) =>
          lost.has(cluster) ? (
            <Status state="unknown" word={t('cluster.last', { word: status })} />
          ) : (
            <Status state={STATES[status] ?? 'degraded'} word={status || '–'} />
          ),
      },
      { id: 'cluster', header: t('field.cluster'), cell: ({ cluster }) => cluster },
      { id: 'namespace', header: t('field.namespace'), cell: ({ resource }) => resource?.namespace },
      { id: 'ready', header: t('field.ready'), number: true, grow: 0.5, cell: (found) => readyOf(podOf(found)).ready },
      {
        id: 'restarts',
        header: t('pod.restarts'),
        number: true,
        grow: 0.6,
        wide: true,
        cell: (found) => readyOf(podOf(found)).restarts,
      },
      {
        id: 'node',
        header: t('pod.node'),
        grow: 1.2,
        wide: true,
        cell: (found) => podOf(found)?.spec?.nodeName ?? '–',
      },
      {
        id: 'created',
        header: t('field.created'),
        cell: ({ createdAt }) => (
          <span className="soft">
            <When at={Number(createdAt)} />
          </span>
        ),
      },
      {
        id: 'open',
        header: t('terminal.openOne'),
        grow: 0.9,
        cell: ({ cluster, resource }) => (
          <Link
            to="/i/$instance/terminal"
            params={{ instance }}
            search={{ cluster, ns: resource?.namespace, pod: resource?.name }}
            aria-label={t('terminal.of', { name: resource?.name ?? '' })}
          >
            {t('menu.terminal')}
          </Link>
        ),
      },
    ],
    [instance, lost, t, i18n.language],
  );
}

function Peek({ instance, of }: { readonly instance: string; readonly of: Found }) {
  const { t } = useTranslation();
  const { cluster, resource } = of;
  const pod = podOf(of);
  return (
    <div style={{ display: 'grid', gap: 14 }}>
      <Facts
        of={[
          [t('field.namespace'), resource?.namespace],
          [t('pod.node'), pod?.spec?.nodeName ?? '–'],
          [t('pod.ip'), pod?.status?.podIP ?? '–'],
          [t('field.images'), pod?.spec?.containers?.map(({ image }) => image).join(', ')],
        ]}
      />
      <Button
        variant="default"
        leftSection={<SquareTerminal size={14} aria-hidden />}
        component={Link}
        to={`/i/${instance}/terminal?${new URLSearchParams({ cluster, ns: resource?.namespace ?? '', pod: resource?.name ?? '' })}`}
        style={{ justifySelf: 'start' }}
      >
        {t('terminal.openOne')}
      </Button>
      <LogView
        instance={instance}
        namespace={resource?.namespace ?? ''}
        kind="pods"
        name={resource?.name ?? ''}
        clusters={[cluster]}
        reference={`${cluster}/pod/${resource?.name}`}
        height="50vh"
      />
    </div>
  );
}
