/** Bindings: what was decided on each template, and why. */
import { Group, SegmentedControl } from '@mantine/core';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useFoundObjects } from '../../api/found.ts';
import { BINDING, CLUSTER_BINDING, kindNamed, WORKLOADS, wordFor } from '../../api/kinds.ts';
import type { Binding, Thing } from '../../api/objects.ts';
import { useLost } from '../../api/clusters.ts';
import { placedOf } from '../../api/placed.ts';
import { ClusterChips } from '../../parts/cluster-chips.tsx';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { Answer, Empty } from '../../parts/problems.tsx';
import { type State, Status } from '../../parts/status.tsx';
import { Yaml, yamlOf } from '../../parts/yaml.tsx';
import { When } from '../../parts/when.tsx';
import { NameFilter, OwnSwitch, useLeftOut } from './filter.tsx';

const ROUTE = '/i/$instance/engine';

export function BindingsTab({ instance }: { readonly instance: string }) {
  const { t } = useTranslation();
  const search = useSearch({ from: ROUTE });
  const navigate = useNavigate({ from: ROUTE });
  const wide = search.cluster === '-';
  const found = useFoundObjects({
    instance,
    kind: wide ? CLUSTER_BINDING : BINDING,
    text: search.q,
    without: useLeftOut(),
    page: search.page,
  });
  const columns = useColumns(instance, !wide);
  return (
    <>
      <Group gap={8} mb={10}>
        <SegmentedControl
          aria-label={t('engine.scope')}
          value={wide ? 'wide' : 'own'}
          onChange={(next) =>
            void navigate({ search: (now) => ({ ...now, cluster: next === 'wide' ? '-' : '', page: 1 }) })
          }
          data={[
            { value: 'own', label: t('engine.inNamespaces') },
            { value: 'wide', label: t('engine.wide') },
          ]}
        />
        <NameFilter />
        <OwnSwitch />
      </Group>
      <Answer of={found}>
        {({ rows, total, pages }) => (
          <DataTable
            label={t('engine.tab.bindings')}
            columns={columns}
            rows={rows}
            rowId={({ metadata }) => `${metadata.namespace ?? ''}/${metadata.name}`}
            peekTitle={({ metadata }) => metadata.name}
            peek={(object) => (
              <Yaml label={t('resource.yamlOf', { name: object.metadata.name })} value={yamlOf(object)} height="80vh" />
            )}
            page={{ number: search.page, pages, total }}
            onPage={(page) => void navigate({ search: (now) => ({ ...now, page }) })}
            empty={<Empty title={t('engine.noBindings')}>{t('engine.noBindingsHint')}</Empty>}
          />
        )}
      </Answer>
    </>
  );
}

interface Reference {
  readonly apiVersion: string;
  readonly kind: string;
  readonly namespace?: string;
  readonly name: string;
}

const resourceOf = ({ spec }: Thing) => (spec?.['resource'] ?? {}) as Reference;

function scheduledOf(object: Thing): { readonly state: State; readonly word: 'scheduled' | 'unscheduled' | 'waiting' } {
  const { status } = object as unknown as Binding;
  const scheduled = status?.conditions?.find(({ type }) => type === 'Scheduled');
  if (scheduled?.status === 'False') return { state: 'blocked', word: 'unscheduled' };
  return scheduled ? { state: 'healthy', word: 'scheduled' } : { state: 'progressing', word: 'waiting' };
}

function useColumns(instance: string, namespaced: boolean): readonly Column<Thing>[] {
  const { t, i18n } = useTranslation();
  const lost = useLost(instance);
  return useMemo(
    () => [
      {
        id: 'resource',
        header: t('engine.places'),
        grow: 2,
        cell: (object) => <ResourceLink instance={instance} reference={resourceOf(object)} />,
      },
      ...(namespaced
        ? [
            {
              id: 'namespace',
              header: t('field.namespace'),
              cell: ({ metadata }: Thing) => metadata.namespace ?? '',
            },
          ]
        : []),
      {
        id: 'scheduled',
        header: t('engine.scheduled'),
        cell: (object) => {
          const { state, word } = scheduledOf(object);
          return <Status state={state} word={t(`engine.${word}`)} />;
        },
      },
      {
        id: 'clusters',
        header: t('field.clusters'),
        grow: 3.2,
        cell: (object) => (
          <ClusterChips
            most={3}
            of={placedOf(object as unknown as Binding, lost).map(({ cluster, state, wanted, note }) => ({
              cluster,
              state,
              note: state === 'unknown' ? t('cluster.silent') : note,
              ...(wanted > 0 ? { text: String(wanted) } : {}),
            }))}
          />
        ),
      },
      {
        id: 'policy',
        header: t('workload.placedBy'),
        grow: 1.2,
        wide: true,
        cell: ({ metadata: { annotations = {} } }) =>
          annotations['propagationpolicy.karmada.io/name'] ??
          annotations['clusterpropagationpolicy.karmada.io/name'] ??
          t('engine.follows'),
      },
      {
        id: 'why',
        header: t('engine.why'),
        grow: 0.7,
        cell: (object) => <WhyLink instance={instance} reference={resourceOf(object)} />,
      },
      {
        id: 'created',
        header: t('field.created'),
        cell: ({ metadata }) => (
          <span className="soft">
            <When at={Date.parse(metadata.creationTimestamp ?? '')} />
          </span>
        ),
      },
    ],
    [instance, namespaced, lost, t, i18n.language],
  );
}

export function ResourceLink({ instance, reference }: { readonly instance: string; readonly reference: Reference }) {
  const { apiVersion, kind, namespace = '', name } = reference;
  const label = `${kind} ${name}`;
  const known = kindNamed(apiVersion, kind);
  if (!known) return <>{label}</>;
  if (WORKLOADS.includes(known))
    return (
      <Link
        to="/i/$instance/workloads/$kind/$namespace/$name/{-$tab}"
        params={{ instance, kind, namespace, name }}
        style={{ fontWeight: 550 }}
      >
        {label}
      </Link>
    );
  return (
    <Link
      to="/i/$instance/resources/$kind/$namespace/$name/{-$tab}"
      params={{ instance, kind: wordFor(known), namespace: namespace || '-', name }}
      style={{ fontWeight: 550 }}
    >
      {label}
    </Link>
  );
}

function WhyLink({ instance, reference }: { readonly instance: string; readonly reference: Reference }) {
  const { t } = useTranslation();
  const { apiVersion, kind, namespace = '', name } = reference;
  const known = kindNamed(apiVersion, kind);
  if (!known) return <>–</>;
  const params = { instance, kind: wordFor(known), namespace: namespace || '-', name, tab: 'placement' };
  return WORKLOADS.includes(known) ? (
    <Link to="/i/$instance/workloads/$kind/$namespace/$name/{-$tab}" params={params}>
      {t('engine.why')}
    </Link>
  ) : (
    <Link to="/i/$instance/resources/$kind/$namespace/$name/{-$tab}" params={params}>
      {t('engine.why')}
    </Link>
  );
}
