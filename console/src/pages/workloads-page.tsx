/** Workloads of one kind: paged and sorted by the server, everything chosen is in the address. */
import { useQuery } from '@connectrpc/connect-query';
import { Group, Select, TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { FileCode, Plus, Search } from 'lucide-react';
import { useMemo, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CoreService } from '#gen/proto/kairship/api/core/v1alpha1/core_service_pb.ts';
import { useLost } from '../api/clusters.ts';
import { copyState } from '../api/heard.ts';
import { useLive } from '../api/live.ts';
import { CLUSTER, CRON_JOB, DEPLOYMENT, JOB, type Kind, WORKLOADS } from '../api/kinds.ts';
import type { ObjectRef } from '../api/objects.ts';
import { useMay } from '../api/permissions.ts';
import { pairsOf } from '../api/pairs.ts';
import { type Row, statesOf, useRows } from '../api/rows.ts';
import { ClusterChips } from '../parts/cluster-chips.tsx';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { GuardedButton } from '../parts/guarded.tsx';
import { LiveChip } from '../parts/live-chip.tsx';
import { Page } from '../parts/page.tsx';
import { Answer, Empty } from '../parts/problems.tsx';
import { PromoteButton } from '../parts/promote-button.tsx';
import { Status } from '../parts/status.tsx';
import { When } from '../parts/when.tsx';
import { WorkloadItems } from './workload/workload-actions.tsx';
import { type Action, NamedWorkloadDialog } from './workload/workload-dialogs.tsx';
import { WorkloadPeek } from './workload/workload-peek.tsx';
import { promotable } from './workload/promotable.ts';

const PAGE_SIZE = 100;

export function WorkloadsPage() {
  const { t } = useTranslation();
  const { instance } = useParams({ from: '/i/$instance' });
  const search = useSearch({ from: '/i/$instance/workloads' });
  const navigate = useNavigate({ from: '/i/$instance/workloads' });
  const kind = WORKLOADS.find((one) => one.kind === search.kind) ?? DEPLOYMENT;
  const [doing, setDoing] = useState<{ readonly of: ObjectRef; readonly action: Action }>();
  const live = useLive(instance, [kind, CLUSTER]);
  const rows = useRows({
    ...search,
    instance,
    kind,
    namespace: search.ns,
    name: search.q,
    pageSize: PAGE_SIZE,
  });
  const columns = useColumns(instance, kind);
  const may = useMay('kairship/aggregation/create', { instance, namespace: search.ns || 'default' });
  const isFiltered = search.q !== '' || search.ns !== '' || search.state !== '';
  const open = ({ namespace, name }: Row) =>
    void navigate({
      to: '/i/$instance/workloads/$kind/$namespace/$name/{-$tab}',
      params: { instance, kind: kind.kind, namespace, name },
    });
  return (
    <Page
      title={t('menu.workloads')}
      sub={t('workload.listSub')}
      actions={
        <>
          <LiveChip state={live} />
          <PromoteButton instance={instance} kind={kind.kind} right={promotable(kind.kind).right} />
          <GuardedButton
            may={may}
            variant="default"
            leftSection={<FileCode size={14} aria-hidden />}
            onClick={() => void navigate({ to: '/i/$instance/workloads/yaml', params: { instance } })}
          >
            {t('workload.fromYaml')}
          </GuardedButton>
          <GuardedButton
            may={may}
            leftSection={<Plus size={14} aria-hidden />}
            onClick={() =>
              void navigate({ to: '/i/$instance/workloads/new', params: { instance }, search: { kind: kind.kind } })
            }
          >
            {t('workload.create')}
          </GuardedButton>
        </>
      }
    >
      <Filters instance={instance} kind={kind} />
      <Answer of={rows}>
        {({ rows: found, total, pages }) => (
          <DataTable
            label={t('workload.list', { kind: kind.kind })}
            list={`workloads.${kind.kind}`}
            columns={columns}
            rows={found}
            rowId={({ namespace, name }) => `${namespace}/${name}`}
            onOpen={open}
            peekTitle={({ name }) => name}
            peek={({ namespace, name }) => <WorkloadPeek of={{ instance, kind, namespace, name }} />}
            menu={({ namespace, name, paused }) => {
              const of = { instance, kind, namespace, name };
              return <WorkloadItems of={of} paused={paused} onChoose={(action) => setDoing({ of, action })} />;
            }}
            sorting={{ by: search.by, descending: search.descending }}
            onSort={({ by, descending }) => void navigate({ search: (now) => ({ ...now, by, descending, page: 1 }) })}
            page={{ number: search.page, pages, total }}
            onPage={(page) => void navigate({ search: (now) => ({ ...now, page }) })}
            empty={<NoWorkloads instance={instance} filtered={isFiltered} kind={kind.kind} />}
          />
        )}
      </Answer>
      {doing && (
        <NamedWorkloadDialog {...doing} onClose={() => setDoing(undefined)} onGone={() => setDoing(undefined)} />
      )}
    </Page>
  );
}

function Filters({ instance, kind }: { readonly instance: string; readonly kind: Kind }) {
  const { t } = useTranslation();
  const search = useSearch({ from: '/i/$instance/workloads' });
  const navigate = useNavigate({ from: '/i/$instance/workloads' });
  const [text, setText] = useState(search.q);
  const { data } = useQuery(CoreService.method.listNamespaceSummary, { instance });
  const apply = useDebouncedCallback((q: string) => {
    // Who has gone on meanwhile is not fetched back.
    if (!location.pathname.endsWith('/workloads')) return;
    void navigate({ search: (now) => ({ ...now, q, page: 1 }), replace: true });
  }, 250);
  const namespaces = data?.data.map(({ name }) => name) ?? [];
  return (
    <Group gap={8} mb={10}>
      <Select
        aria-label={t('field.kind')}
        data={WORKLOADS.map((one) => one.kind)}
        value={kind.kind}
        allowDeselect={false}
        w={140}
        onChange={(next) =>
          void navigate({ search: (now) => ({ ...now, kind: next ?? 'Deployment', state: '', page: 1 }) })
        }
      />
      <Select
        aria-label={t('field.namespace')}
        placeholder={t('field.allNamespaces')}
        data={namespaces}
        value={search.ns || null}
        clearable
        searchable
        w={180}
        onChange={(ns) => void navigate({ search: (now) => ({ ...now, ns: ns ?? '', page: 1 }) })}
      />
      <Select
        aria-label={t('field.status')}
        placeholder={t('workload.anyState')}
        data={statesOf(kind).map((value) => ({ value, label: t(`workload.state.${value}`) }))}
        value={search.state || null}
        clearable
        w={150}
        onChange={(state) => void navigate({ search: (now) => ({ ...now, state: state ?? '', page: 1 }) })}
      />
      <TextInput
        aria-label={t('field.name')}
        placeholder={t('field.filterByName')}
        value={text}
        leftSection={<Search size={13} aria-hidden />}
        w={220}
        onChange={(event) => {
          setText(event.currentTarget.value);
          apply(event.currentTarget.value);
        }}
      />
    </Group>
  );
}

function useColumns(instance: string, of: Kind): readonly Column<Row>[] {
  const { t, i18n } = useTranslation();
  const lost = useLost(instance);
  const { kind } = of;
  const runsToItsEnd = kind === JOB.kind || kind === CRON_JOB.kind;
  return useMemo(
    () => [
      {
        id: 'name',
        header: t('field.name'),
        sort: 'name',
        grow: 1.7,
        cell: ({ namespace, name }) => (
          <Link
            to="/i/$instance/workloads/$kind/$namespace/$name/{-$tab}"
            params={{ instance, kind, namespace, name }}
            style={{ fontWeight: 550 }}
          >
            {name}
          </Link>
        ),
      },
      { id: 'namespace', header: t('field.namespace'), sort: 'namespace', cell: ({ namespace }) => namespace },
      {
        id: 'status',
        header: t('field.status'),
        grow: 1.9,
        cell: ({ state, count, silent }) => (
          <Status
            state={state}
            {...(count ? { count: silent ? t('workload.lastReady', { ready: count }) : count } : {})}
          />
        ),
      },
      {
        id: 'clusters',
        header: t('field.clusters'),
        grow: 3,
        cell: ({ clusters, state }) => (
          <ClusterChips
            most={3}
            of={clusters.map((one) => ({
              cluster: one.name,
              // The only copy is as well as the whole.
              state: clusters.length === 1 ? state : copyState(one, lost),
              ...(lost.has(one.name) ? { note: t('cluster.silent') } : {}),
            }))}
          />
        ),
      },
      {
        id: 'detail',
        header: t('workload.runs'),
        grow: 1.8,
        wide: true,
        cell: ({ detail }) => <span className="mono soft">{detail}</span>,
      },
      ...(runsToItsEnd
        ? [
            {
              id: 'ran',
              header: t('workload.ran'),
              cell: ({ ranAt }: Row) => (
                <span className="soft">
                  <When at={ranAt} />
                </span>
              ),
            },
          ]
        : []),
      {
        id: 'labels',
        header: t('field.labels'),
        grow: 1.8,
        extra: true,
        cell: ({ labels }) => <span className="mono soft">{pairsOf(labels).join(', ')}</span>,
      },
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
    // The language is in every header.
    [instance, kind, runsToItsEnd, lost, t, i18n.language],
  );
}

function NoWorkloads({
  instance,
  filtered,
  kind,
}: {
  readonly instance: string;
  readonly filtered: boolean;
  readonly kind: string;
}) {
  const { t } = useTranslation();
  if (filtered) return <Empty title={t('table.noneMatch')}>{t('table.noneMatchHint')}</Empty>;
  return (
    <Empty title={t('workload.none', { kind })}>
      {t('workload.noneHint')}{' '}
      <Link to="/i/$instance/workloads/new" params={{ instance }} search={{ kind }}>
        {t('workload.create')}
      </Link>
      {' · '}
      <Link to="/i/$instance/workloads/promote" params={{ instance }} search={{ kind }}>
        {t('promote.title')}
      </Link>
    </Empty>
  );
}
