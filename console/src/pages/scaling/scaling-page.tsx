/** Autoscalers of an instance: over all clusters, by the clock, and those that each cluster runs itself. */
import { Tabs } from '@mantine/core';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { useFoundObjects } from '../../api/found.ts';
import { CRON_FEDERATED_HPA, FEDERATED_HPA, type Kind, SCALERS } from '../../api/kinds.ts';
import { useLive } from '../../api/live.ts';
import type { Thing } from '../../api/objects.ts';
import { useMay } from '../../api/permissions.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { GuardedButton } from '../../parts/guarded.tsx';
import { LiveChip } from '../../parts/live-chip.tsx';
import { Page } from '../../parts/page.tsx';
import { Answer, Empty } from '../../parts/problems.tsx';
import { Status } from '../../parts/status.tsx';
import { Yaml, yamlOf } from '../../parts/yaml.tsx';
import { When } from '../../parts/when.tsx';
import { rightTo } from '../resources/changes.ts';
import { MetricsBanner } from './metrics-banner.tsx';
import { metricsOf, rangeOf, replicasOf, rulesOf, scalerState, targetOf } from './scaler-text.ts';

const ROUTE = '/i/$instance/scaling';

export function ScalingPage() {
  const { t } = useTranslation();
  const { instance } = useParams({ from: '/i/$instance' });
  const search = useSearch({ from: ROUTE });
  const navigate = useNavigate({ from: ROUTE });
  const kind = SCALERS.find((one) => one.kind === search.kind) ?? FEDERATED_HPA;
  const live = useLive(instance, [kind]);
  const found = useFoundObjects({ instance, kind, page: search.page });
  const columns = useColumns(instance, kind);
  const may = useMay(rightTo('create', kind), { instance, namespace: 'default' });
  return (
    <Page
      title={t('menu.scaling')}
      sub={t('scaling.sub')}
      actions={
        <>
          <LiveChip state={live} />
          <GuardedButton
            may={may}
            leftSection={<Plus size={14} aria-hidden />}
            onClick={() =>
              void navigate({
                to: '/i/$instance/scaling/new',
                params: { instance },
                search: { kind: kind.kind, ns: '', for: '' },
              })
            }
          >
            {t('scaling.create')}
          </GuardedButton>
        </>
      }
    >
      {kind === FEDERATED_HPA && <MetricsBanner instance={instance} />}
      <Tabs
        value={kind.kind}
        mb={12}
        onChange={(next) => void navigate({ search: { kind: next ?? kind.kind, page: 1 } })}
      >
        <Tabs.List>
          {SCALERS.map((one) => (
            <Tabs.Tab key={one.kind} value={one.kind}>
              {t(`scaling.kind.${one.kind}` as 'scaling.kind.FederatedHPA')}
            </Tabs.Tab>
          ))}
        </Tabs.List>
      </Tabs>
      <Answer of={found}>
        {({ rows, total, pages }) => (
          <DataTable
            label={kind.kind}
            columns={columns}
            rows={rows}
            rowId={({ metadata }) => `${metadata.namespace ?? ''}/${metadata.name}`}
            onOpen={({ metadata }) =>
              void navigate({
                to: '/i/$instance/scaling/$kind/$namespace/$name',
                params: { instance, kind: kind.kind, namespace: metadata.namespace ?? '', name: metadata.name },
              })
            }
            peekTitle={({ metadata }) => metadata.name}
            peek={(object) => (
              <Yaml label={t('resource.yamlOf', { name: object.metadata.name })} value={yamlOf(object)} height="80vh" />
            )}
            page={{ number: search.page, pages, total }}
            onPage={(page) => void navigate({ search: (now) => ({ ...now, page }) })}
            empty={<Empty title={t('resource.none', { kind: kind.kind })}>{t('scaling.noneHint')}</Empty>}
          />
        )}
      </Answer>
    </Page>
  );
}

function useColumns(instance: string, kind: Kind): readonly Column<Thing>[] {
  const { t, i18n } = useTranslation();
  return useMemo((): readonly Column<Thing>[] => {
    const byClock = kind === CRON_FEDERATED_HPA;
    return [
      {
        id: 'name',
        header: t('field.name'),
        grow: 1.4,
        cell: ({ metadata }) => (
          <Link
            to="/i/$instance/scaling/$kind/$namespace/$name"
            params={{ instance, kind: kind.kind, namespace: metadata.namespace ?? '', name: metadata.name }}
            style={{ fontWeight: 550 }}
          >
            {metadata.name}
          </Link>
        ),
      },
      { id: 'namespace', header: t('field.namespace'), cell: ({ metadata }) => metadata.namespace ?? '' },
      {
        id: 'state',
        header: t('field.status'),
        cell: (scaler) => <Status state={scalerState(scaler).state} />,
      },
      {
        id: 'target',
        header: t('scaling.scales'),
        grow: 1.6,
        cell: (scaler) => `${targetOf(scaler).kind} ${targetOf(scaler).name}`,
      },
      ...(byClock
        ? [
            {
              id: 'rules',
              header: t('scaling.rules'),
              grow: 3,
              cell: (scaler: Thing) =>
                rulesOf(scaler)
                  .map(({ name, schedule, replicas }) => `${name}: ${schedule} → ${replicas}`)
                  .join(' · '),
            },
          ]
        : [
            {
              id: 'metrics',
              header: t('scaler.nowOfTarget'),
              grow: 1.8,
              cell: (scaler: Thing) =>
                metricsOf(scaler)
                  .map(({ name, current, target }) => `${name} ${current || '–'} / ${target}`)
                  .join(', '),
            },
            { id: 'range', header: t('scaling.range'), number: true, cell: rangeOf },
            {
              id: 'replicas',
              header: t('scaling.currentDesired'),
              number: true,
              cell: (scaler: Thing) => `${replicasOf(scaler).current} / ${replicasOf(scaler).desired}`,
            },
            {
              id: 'last',
              header: t('scaling.lastScale'),
              cell: (scaler: Thing) => (
                <span className="soft">
                  <When at={replicasOf(scaler).at} />
                </span>
              ),
            },
          ]),
      {
        id: 'created',
        header: t('field.created'),
        wide: true,
        cell: ({ metadata }: Thing) => (
          <span className="soft">
            <When at={Date.parse(metadata.creationTimestamp ?? '')} />
          </span>
        ),
      },
    ];
  }, [instance, kind, t, i18n.language]);
}
