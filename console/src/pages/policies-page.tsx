/** Policies: where things go, and how they differ there. */
import { useQuery } from '@connectrpc/connect-query';
import { Group, Select, Tabs } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import type { TFunction } from 'i18next';
import { Plus } from 'lucide-react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import type { RuleWithCluster } from '#gen/proto/kairship/api/policy/v1alpha1/override_policy_pb.ts';
import {
  type ClusterAffinity,
  type Placement,
  ReplicaDivisionPreference,
  ReplicaSchedulingType,
} from '#gen/proto/kairship/api/policy/v1alpha1/placement_pb.ts';
import { PolicyService } from '#gen/proto/kairship/api/policy/v1alpha1/policy_service_pb.ts';
import type { ResourceSelector } from '#gen/proto/kairship/api/policy/v1alpha1/propagation_policy_pb.ts';
import { kindOf, POLICIES, PROPAGATION } from '../api/kinds.ts';
import { useLive } from '../api/live.ts';
import { useMay } from '../api/permissions.ts';
import { type Column, DataTable } from '../parts/data-table.tsx';
import { GuardedButton } from '../parts/guarded.tsx';
import { NamespaceFilter, WordsFilter } from '../parts/list-filters.tsx';
import { LiveChip } from '../parts/live-chip.tsx';
import { Page } from '../parts/page.tsx';
import { Answer, Empty } from '../parts/problems.tsx';
import { When } from '../parts/when.tsx';

interface Row {
  readonly name: string;
  readonly namespace: string;
  readonly selectors: readonly ResourceSelector[];
  readonly placement?: Placement | undefined;
  readonly rules?: readonly RuleWithCluster[] | undefined;
  readonly priority: number;
  readonly createdAt: number;
}

const PAGE_SIZE = 100;

export function PoliciesPage() {
  const { t } = useTranslation();
  const { instance } = useParams({ from: '/i/$instance' });
  const search = useSearch({ from: '/i/$instance/policies' });
  const navigate = useNavigate({ from: '/i/$instance/policies' });
  const kind = kindOf(search.kind) ?? PROPAGATION;
  const live = useLive(instance, [kind]);
  const asked = usePolicies({ ...search, instance, kind: kind.kind });
  const set = (more: Partial<typeof search>) =>
    void navigate({ search: (now) => ({ ...now, page: 1, ...more }), replace: true });
  const columns = useColumns(instance, kind.kind);
  const may = useMay(`kairship/${kind.namespaced ? 'policy' : 'cluster-policy'}/create`, {
    instance,
    ...(kind.namespaced ? { namespace: 'default' } : {}),
  });
  return (
    <Page
      title={t('menu.policies')}
      sub={t('policy.listSub')}
      actions={
        <>
          <LiveChip state={live} />
          <GuardedButton
            may={may}
            leftSection={<Plus size={14} aria-hidden />}
            onClick={() =>
              void navigate({
                to: '/i/$instance/policies/new',
                params: { instance },
                search: { kind: kind.kind, ns: search.ns, for: '' },
              })
            }
          >
            {t('policy.create')}
          </GuardedButton>
        </>
      }
    >
      <Tabs value={kind.kind} mb={12} visibleFrom="sm" onChange={(next) => set({ kind: next ?? kind.kind })}>
        <Tabs.List>
          {POLICIES.map((one) => (
            <Tabs.Tab key={one.kind} value={one.kind}>
              {t(`policy.kind.${one.kind}` as 'policy.kind.PropagationPolicy')}
            </Tabs.Tab>
          ))}
        </Tabs.List>
      </Tabs>
      <Select
        hiddenFrom="sm"
        mb={12}
        aria-label={t('field.kind')}
        data={POLICIES.map((one) => one.kind)}
        value={kind.kind}
        onChange={(next) => set({ kind: next ?? kind.kind })}
      />
      <Group gap={8} mb={10}>
        {kind.namespaced && <NamespaceFilter instance={instance} value={search.ns} set={(ns) => set({ ns })} />}
        <WordsFilter value={search.q} set={(q) => set({ q })} />
      </Group>
      <Answer of={asked}>
        {({ rows, total, pages }) => (
          <DataTable
            label={kind.kind}
            columns={columns}
            rows={rows}
            rowId={({ namespace, name }) => `${namespace}/${name}`}
            onOpen={({ namespace, name }) =>
              void navigate({
                to: '/i/$instance/policies/$kind/$namespace/$name',
                params: { instance, kind: kind.kind, namespace: namespace || '-', name },
              })
            }
            page={{ number: search.page, pages, total }}
            onPage={(page) => void navigate({ search: (now) => ({ ...now, page }) })}
            empty={
              search.q !== '' || search.ns !== '' ? (
                <Empty title={t('table.noneMatch')}>{t('table.noneMatchHint')}</Empty>
              ) : (
                <Empty title={t('policy.none', { kind: kind.kind })}>{t('policy.noneHint')}</Empty>
              )
            }
          />
        )}
      </Answer>
    </Page>
  );
}

interface Asked {
  readonly instance: string;
  readonly kind: string;
  readonly ns: string;
  readonly q: string;
  readonly page: number;
}

function usePolicies({ instance, kind, ns: namespace, q: name, page }: Asked) {
  const request = { instance, name, page, pageSize: PAGE_SIZE };
  const options = (word: string, within = false) => ({
    enabled: kind === word && (!within || namespace !== ''),
    placeholderData: keepPreviousData,
  });
  const { method } = PolicyService;
  const isIn = namespace !== '';
  const everywhere = useQuery(method.listInstancePropagationPolicies, request, options('PropagationPolicy'));
  const own = useQuery(method.listPropagationPolicies, { ...request, namespace }, options('PropagationPolicy', true));
  const wide = useQuery(method.listClusterPropagationPolicies, request, options('ClusterPropagationPolicy'));
  const overrides = useQuery(method.listInstanceOverridePolicies, request, options('OverridePolicy'));
  const ownOverrides = useQuery(
    method.listOverridePolicies,
    { ...request, namespace },
    options('OverridePolicy', true),
  );
  const wideOverrides = useQuery(method.listClusterOverridePolicies, request, options('ClusterOverridePolicy'));
  const chosen =
    {
      PropagationPolicy: isIn ? own : everywhere,
      ClusterPropagationPolicy: wide,
      OverridePolicy: isIn ? ownOverrides : overrides,
    }[kind] ?? wideOverrides;
  const { data, error, refetch } = chosen;
  return {
    error,
    refetch,
    data: data && {
      rows: data.items.map(rowOf),
      total: data.pagination?.total ?? data.items.length,
      pages: data.pagination?.pages ?? 1,
    },
  };
}

interface AnyPolicy {
  readonly metadata?:
    | { readonly name: string; readonly namespace: string; readonly creationTimestamp: bigint }
    | undefined;
  readonly spec?:
    | {
        readonly resourceSelectors: readonly ResourceSelector[];
        readonly placement?: Placement | undefined;
        readonly overrideRules?: readonly RuleWithCluster[];
        readonly priority?: number;
      }
    | undefined;
}

function rowOf({ metadata, spec }: AnyPolicy): Row {
  return {
    name: metadata?.name ?? '',
    namespace: metadata?.namespace ?? '',
    selectors: spec?.resourceSelectors ?? [],
    placement: spec?.placement,
    rules: spec?.overrideRules,
    priority: spec?.priority ?? 0,
    createdAt: Number(metadata?.creationTimestamp ?? 0),
  };
}

function useColumns(instance: string, kind: string): readonly Column<Row>[] {
  const { t, i18n } = useTranslation();
  return useMemo(
    () => [
      {
        id: 'name',
        header: t('field.name'),
        grow: 1.2,
        cell: ({ namespace, name }) => (
          <Link
            to="/i/$instance/policies/$kind/$namespace/$name"
            params={{ instance, kind, namespace: namespace || '-', name }}
            style={{ fontWeight: 550 }}
          >
            {name}
          </Link>
        ),
      },
      ...(kind.startsWith('Cluster')
        ? []
        : [{ id: 'namespace', header: t('field.namespace'), cell: ({ namespace }: Row) => namespace }]),
      {
        id: 'for',
        header: t('policy.for'),
        grow: 2.4,
        cell: ({ selectors }) =>
          selectors.length === 0
            ? t('policy.everything')
            : selectors.map(({ kind: of, name }) => (name ? `${of} ${name}` : `${of} *`)).join(', '),
      },
      kind.endsWith('OverridePolicy')
        ? {
            id: 'rules',
            header: t('override.rules'),
            grow: 2,
            cell: ({ rules = [] }: Row) =>
              rules.map((rule) => rule.targetCluster?.clusterNames.join(', ') || t('policy.everyCluster')).join(' · '),
          }
        : {
            id: 'where',
            header: t('policy.where'),
            grow: 2.6,
            cell: ({ placement }: Row) => `${whereOf(t, placement)} · ${t(`policy.divide.${divisionOf(placement)}`)}`,
          },
      {
        id: 'priority',
        header: t('policy.priority'),
        number: true,
        grow: 0.6,
        wide: true,
        cell: ({ priority }) => priority,
      },
      {
        id: 'created',
        header: t('field.created'),
        cell: ({ createdAt }) => (
          <span className="soft">
            <When at={createdAt} />
          </span>
        ),
      },
    ],
    [instance, kind, t, i18n.language],
  );
}

/** Groups are tried in their order. */
type Aimed = Pick<ClusterAffinity, 'clusterNames' | 'exclude' | 'labelSelector' | 'fieldSelector'>;

function whereOf(t: TFunction, placement: Placement | undefined): string {
  const names = (affinity: Aimed | undefined) => {
    const { clusterNames = [], exclude = [], labelSelector, fieldSelector } = affinity ?? {};
    const chosen = labelSelector !== undefined || fieldSelector !== undefined;
    const where = clusterNames.join(', ') || t(chosen ? 'policy.chosenClusters' : 'policy.everyCluster');
    return exclude.length === 0 ? where : t('policy.but', { where, clusters: exclude.join(', ') });
  };
  const groups = placement?.clusterAffinities ?? [];
  if (groups.length === 0) return names(placement?.clusterAffinity);
  return groups.map((group) => `${group.affinityName}: ${names(group)}`).join(' → ');
}

function divisionOf(placement: Placement | undefined): 'duplicated' | 'aggregated' | 'dynamic' | 'static' {
  const scheduling = placement?.replicaScheduling;
  if (scheduling?.replicaSchedulingType !== ReplicaSchedulingType.Divided) return 'duplicated';
  if (scheduling.replicaDivisionPreference === ReplicaDivisionPreference.Aggregated) return 'aggregated';
  return (scheduling.weightPreference?.staticWeightList.length ?? 0) > 0 ? 'static' : 'dynamic';
}
