/** Everything an instance holds beside workloads and policies: one list, with the columns of its kind. */
import { Group, Select, Tabs } from '@mantine/core';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { kindDefinedBy, useDefinitions, useKind } from '../../api/kind.ts';
import { DEFINITION, type Kind, RESOURCES, wordFor } from '../../api/kinds.ts';
import { useLost } from '../../api/clusters.ts';
import { copyState } from '../../api/heard.ts';
import { useLive } from '../../api/live.ts';
import { useMay } from '../../api/permissions.ts';
import { ClusterChips } from '../../parts/cluster-chips.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { GuardedButton } from '../../parts/guarded.tsx';
import { NamespaceFilter, WordsFilter } from '../../parts/list-filters.tsx';
import { LiveChip } from '../../parts/live-chip.tsx';
import { Page } from '../../parts/page.tsx';
import { Answer, Empty, Waiting } from '../../parts/problems.tsx';
import { PromoteButton } from '../../parts/promote-button.tsx';
import { When } from '../../parts/when.tsx';
import { PROMOTABLE, promotable } from '../workload/promotable.ts';
import { rightTo } from './changes.ts';
import { ResourcePeek } from './resource-peek.tsx';
import { columnsOf, type ResourceRow, useResourceRows } from './sources.ts';

const ROUTE = '/i/$instance/resources';

export function ResourcesPage() {
  const { instance } = useParams({ from: '/i/$instance' });
  const { kind: word } = useSearch({ from: ROUTE });
  const kind = useKind(instance, word);
  return kind ? <Resources key={word} instance={instance} kind={kind} /> : <Waiting />;
}

function Resources({ instance, kind }: { readonly instance: string; readonly kind: Kind }) {
  const { t } = useTranslation();
  const search = useSearch({ from: ROUTE });
  const navigate = useNavigate({ from: ROUTE });
  const live = useLive(instance, [kind]);
  const rows = useResourceRows({ ...search, instance, kind, namespace: search.ns, name: search.q });
  const columns = useColumns(instance, kind);
  const may = useMay(rightTo('create', kind), {
    instance,
    ...(kind.namespaced ? { namespace: search.ns || 'default' } : {}),
  });
  return (
    <Page
      title={t('menu.resources')}
      sub={t('resource.listSub')}
      actions={
        <>
          <LiveChip state={live} />
          {PROMOTABLE.some((one) => one.kind === kind) && (
            <PromoteButton instance={instance} kind={kind.kind} right={promotable(kind.kind).right} />
          )}
          <GuardedButton
            may={may}
            leftSection={<Plus size={14} aria-hidden />}
            onClick={() =>
              void navigate({
                to: '/i/$instance/resources/new',
                params: { instance },
                search: { kind: wordFor(kind), ns: search.ns },
              })
            }
          >
            {t('resource.create', { kind: kind.kind })}
          </GuardedButton>
        </>
      }
    >
      <Kinds instance={instance} chosen={kind} />
      <Filters instance={instance} kind={kind} />
      <Answer of={rows}>
        {({ rows: found, total, pages }) => (
          <DataTable
            label={kind.kind}
            columns={columns}
            rows={found}
            rowId={({ namespace, name }) => `${namespace}/${name}`}
            onOpen={({ namespace, name }) =>
              void navigate({
                to: '/i/$instance/resources/$kind/$namespace/$name/{-$tab}',
                params: { instance, kind: wordFor(kind), namespace: namespace || '-', name },
              })
            }
            peekTitle={({ name }) => name}
            peek={({ namespace, name }) => <ResourcePeek of={{ instance, kind, namespace, name }} />}
            sorting={{ by: search.by, descending: search.descending }}
            onSort={({ by, descending }) => void navigate({ search: (now) => ({ ...now, by, descending, page: 1 }) })}
            page={{ number: search.page, pages, total }}
            onPage={(page) => void navigate({ search: (now) => ({ ...now, page }) })}
            empty={
              search.q !== '' || search.ns !== '' || search.group !== '' ? (
                <Empty title={t('table.noneMatch')}>{t('table.noneMatchHint')}</Empty>
              ) : (
                <Empty title={t('resource.none', { kind: kind.kind })}>{t('resource.noneHint')}</Empty>
              )
            }
          />
        )}
      </Answer>
    </Page>
  );
}

/** The kinds everybody has as tabs, and those that somebody defined beside them. */
function Kinds({ instance, chosen }: { readonly instance: string; readonly chosen: Kind }) {
  const { t } = useTranslation();
  const navigate = useNavigate({ from: ROUTE });
  const { data } = useDefinitions(instance);
  const defined = (data?.items ?? []).flatMap((one) => kindDefinedBy(one) ?? []);
  const isKnown = RESOURCES.some(({ kind }) => kind === chosen.kind);
  const go = (kind: string | null) => {
    if (kind) void navigate({ search: (now) => ({ ...now, kind, page: 1, q: '', group: '' }) });
  };
  return (
    <Group gap={12} mb={12} align="flex-end" wrap="nowrap">
      <Tabs value={isKnown ? chosen.kind : null} onChange={go} visibleFrom="md" style={{ flex: 1 }}>
        <Tabs.List>
          {RESOURCES.map(({ kind }) => (
            <Tabs.Tab key={kind} value={kind}>
              {t(`resource.kinds.${kind}` as 'resource.kinds.Service')}
            </Tabs.Tab>
          ))}
        </Tabs.List>
      </Tabs>
      <Select
        hiddenFrom="md"
        aria-label={t('field.kind')}
        data={RESOURCES.map(({ kind }) => kind)}
        value={isKnown ? chosen.kind : null}
        onChange={go}
      />
      <Select
        aria-label={t('resource.custom')}
        placeholder={t('resource.custom')}
        data={defined.map((kind) => ({ value: wordFor(kind), label: `${kind.kind} · ${kind.group}` }))}
        value={isKnown ? null : wordFor(chosen)}
        searchable
        w={230}
        onChange={go}
      />
    </Group>
  );
}

function Filters({ instance, kind }: { readonly instance: string; readonly kind: Kind }) {
  const search = useSearch({ from: ROUTE });
  const navigate = useNavigate({ from: ROUTE });
  const set = (more: Partial<typeof search>) =>
    void navigate({ search: (now) => ({ ...now, page: 1, ...more }), replace: true });
  return (
    <Group gap={8} mb={10}>
      {kind.namespaced && <NamespaceFilter instance={instance} value={search.ns} set={(ns) => set({ ns })} />}
      {kind.kind === DEFINITION.kind && <GroupFilter instance={instance} />}
      <WordsFilter value={search.q} set={(q) => set({ q })} />
    </Group>
  );
}

/** The API group of definitions. */
function GroupFilter({ instance }: { readonly instance: string }) {
  const { t } = useTranslation();
  const { group } = useSearch({ from: ROUTE });
  const navigate = useNavigate({ from: ROUTE });
  const { data } = useDefinitions(instance);
  const groups = (data?.items ?? []).map(({ spec }) => spec?.group ?? '');
  return (
    <Select
      aria-label={t('resource.column.group')}
      placeholder={t('resourceUse.everyGroup')}
      data={[...new Set([...groups, group])].filter(Boolean).sort()}
      value={group || null}
      clearable
      searchable
      w={230}
      onChange={(next) => void navigate({ search: (now) => ({ ...now, group: next ?? '', page: 1 }) })}
    />
  );
}

function useColumns(instance: string, kind: Kind): readonly Column<ResourceRow>[] {
  const { t, i18n } = useTranslation();
  const lost = useLost(instance);
  return useMemo(
    () => [
      {
        id: 'name',
        header: t('field.name'),
        sort: 'name',
        grow: 2,
        cell: ({ namespace, name }) => (
          <Link
            to="/i/$instance/resources/$kind/$namespace/$name/{-$tab}"
            params={{ instance, kind: wordFor(kind), namespace: namespace || '-', name }}
            style={{ fontWeight: 550 }}
          >
            {name}
          </Link>
        ),
      },
      ...(kind.namespaced
        ? [
            {
              id: 'namespace',
              header: t('field.namespace'),
              sort: 'namespace',
              cell: ({ namespace }: ResourceRow) => namespace,
            },
          ]
        : []),
      ...columnsOf(kind.kind).map((key) => ({
        id: key,
        header: t(`resource.column.${key}`),
        grow: key === 'selector' || key === 'hosts' || key === 'keys' ? 2 : 1,
        cell: ({ more }: ResourceRow) => <span title={more[key]}>{more[key] || '–'}</span>,
      })),
      ...(columnsOf(kind.kind).length === 0
        ? [
            {
              id: 'labels',
              header: t('field.labels'),
              grow: 2,
              cell: ({ labels }: ResourceRow) => <span className="mono soft">{shortLabels(labels)}</span>,
            },
          ]
        : []),
      ...(kind.kind !== DEFINITION.kind
        ? [
            {
              id: 'clusters',
              header: t('field.clusters'),
              grow: 2,
              cell: ({ clusters }: ResourceRow) => (
                <ClusterChips
                  most={3}
                  of={clusters.map((one) => ({
                    cluster: one.name,
                    state: copyState(one, lost),
                    ...(lost.has(one.name) ? { note: t('cluster.silent') } : {}),
                  }))}
                />
              ),
            },
          ]
        : []),
      {
        id: 'created',
        header: t('field.created'),
        sort: 'created',
        cell: ({ createdAt }) => (
          <span className="soft">
            <When at={createdAt} />
          </span>
        ),
      },
    ],
    [instance, kind, lost, t, i18n.language],
  );
}

function shortLabels(labels: Readonly<Record<string, string>>): string {
  return Object.entries(labels)
    .filter(([key]) => !key.includes('karmada.io/') && !key.includes('kubernetes.io/'))
    .map(([key, value]) => `${key}=${value}`)
    .join(', ');
}
