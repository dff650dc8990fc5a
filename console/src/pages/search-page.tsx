/** Finding any object in any instance and any cluster. */
import { useQuery } from '@connectrpc/connect-query';
import { Select, Group, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { keepPreviousData } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { Search } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { InstanceService } from '#gen/proto/kairship/api/instance/v1alpha1/instance_service_pb.ts';
import { type Found, SearchService } from '#gen/proto/kairship/api/search/v1alpha1/search_service_pb.ts';
import { addressOf } from '../app/address.ts';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { Page } from '../parts/page.tsx';
import { Answer, Empty } from '../parts/problems.tsx';
import { Yaml, yamlOf } from '../parts/yaml.tsx';
import { When } from '../parts/when.tsx';
import { Facets, SavedSearches } from './search-extras.tsx';

const PAGE_SIZE = 100;

export function SearchPage() {
  const { t } = useTranslation();
  const search = useSearch({ from: '/search' });
  const navigate = useNavigate({ from: '/search' });
  const [text, setText] = useState(search.q);
  const apply = useDebouncedCallback((q: string) => {
    void navigate({ search: (now) => ({ ...now, q, page: 1 }), replace: true });
  }, 250);
  const instances = useQuery(InstanceService.method.listInstances, { pageSize: 100 });
  const { q, instance, page } = search;
  const asked = useQuery(
    SearchService.method.search,
    { query: q, instance, page, pageSize: PAGE_SIZE },
    { enabled: q.trim() !== '', placeholderData: keepPreviousData },
  );
  const columns = useColumns();
  const go = (next: string) => {
    setText(next);
    void navigate({ search: (now) => ({ ...now, q: next, page: 1 }) });
  };
  return (
    <Page title={t('menu.search')} sub={t('search.sub')}>
      <Group gap={8} mb={10}>
        <TextInput
          aria-label={t('menu.search')}
          placeholder="kind:deployment cluster:frankfurt label:app=web nginx"
          leftSection={<Search size={14} aria-hidden />}
          value={text}
          size="sm"
          style={{ flex: 1, maxWidth: 640 }}
          autoFocus
          onChange={(event) => {
            setText(event.currentTarget.value);
            apply(event.currentTarget.value);
          }}
        />
        <Select
          aria-label={t('menu.instances')}
          placeholder={t('search.everyInstance')}
          size="sm"
          clearable
          data={instances.data?.items.map(({ metadata }) => metadata?.name ?? '') ?? []}
          value={instance || null}
          onChange={(next) => void navigate({ search: (now) => ({ ...now, instance: next ?? '', page: 1 }) })}
        />
      </Group>
      <SavedSearches query={q} onQuery={go} />
      {q.trim() !== '' && asked.data && <Facets found={asked.data.items} query={q} onQuery={go} />}
      {q.trim() === '' ? (
        <div className="panel">
          <Empty title={t('search.start')}>{t('search.help')}</Empty>
        </div>
      ) : (
        <Answer of={asked}>
          {({ items, pagination }) => (
            <DataTable
              label={t('search.found')}
              columns={columns}
              rows={items}
              rowId={({ uid, instance: of, cluster }) => `${of}/${cluster}/${uid}`}
              onOpen={(found) => void navigate({ href: addressOf(found) })}
              peekTitle={({ resource }) => `${resource?.kind} ${resource?.name}`}
              peek={(found) => <Whole of={found} />}
              page={{ number: page, pages: pagination?.pages ?? 1, total: pagination?.total ?? items.length }}
              onPage={(next) => void navigate({ search: (now) => ({ ...now, page: next }) })}
              empty={<Empty title={t('search.nothing')}>{t('search.help')}</Empty>}
            />
          )}
        </Answer>
      )}
    </Page>
  );
}

function useColumns(): readonly Column<Found>[] {
  const { t, i18n } = useTranslation();
  return useMemo(
    () => [
      {
        id: 'name',
        header: t('field.name'),
        grow: 2.4,
        cell: (found) =>
          addressOf(found).startsWith('/search') ? (
            found.resource?.name
          ) : (
            <Link to={addressOf(found)} style={{ fontWeight: 550 }}>
              {found.resource?.name}
            </Link>
          ),
      },
      { id: 'kind', header: t('field.kind'), cell: ({ resource }) => resource?.kind },
      { id: 'namespace', header: t('field.namespace'), cell: ({ resource }) => resource?.namespace || '–' },
      {
        id: 'where',
        header: t('search.where'),
        grow: 1.4,
        cell: ({ instance, cluster }) => [instance, cluster].filter(Boolean).join(' / '),
      },
      { id: 'status', header: t('field.status'), grow: 0.8, cell: ({ status }) => status || '–' },
      {
        id: 'created',
        header: t('field.created'),
        cell: ({ createdAt }) => (
          <span className="soft">
            <When at={Number(createdAt)} />
          </span>
        ),
      },
    ],
    [t, i18n.language],
  );
}

function Whole({ of: { instance, cluster, resource } }: { readonly of: Found }) {
  const { t } = useTranslation();
  const { kind = '', name = '', namespace = '' } = resource ?? {};
  const words = [
    `kind:${kind.toLowerCase()}`,
    `name:${name}`,
    namespace && `namespace:${namespace}`,
    cluster && `cluster:${cluster}`,
  ];
  const asked = useQuery(SearchService.method.search, {
    instance,
    query: words.filter(Boolean).join(' '),
    includeObjects: true,
    pageSize: 20,
  });
  return (
    <Answer of={asked}>
      {({ items }) => {
        const found = items.find((item) => item.cluster === cluster);
        return found?.object ? (
          <Yaml label={name} value={yamlOf(found.object)} height="80vh" />
        ) : (
          <Empty title={t('search.nothing')} />
        );
      }}
    </Answer>
  );
}
