/** What happened in an instance, its control plane and its clusters in one list: found by what it is about. */
import { useQuery } from '@connectrpc/connect-query';
import { keepPreviousData } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useTranslation } from 'react-i18next';
import { CoreService, type MemberEvent } from '#gen/proto/kairship/api/core/v1alpha1/core_service_pb.ts';
import { EventType } from '#gen/proto/kairship/api/core/v1alpha1/event_pb.ts';
import { useLive } from '../../api/live.ts';
import { placeOf } from '../../app/address.ts';
import { engineSays } from '../../i18n/language.ts';
import { type Column, DataTable } from '../../parts/data-table.tsx';
import { LiveChip } from '../../parts/live-chip.tsx';
import { Facts, Page } from '../../parts/page.tsx';
import { Answer, Empty } from '../../parts/problems.tsx';
import { Status } from '../../parts/status.tsx';
import { When } from '../../parts/when.tsx';
import { EventFilters } from './event-filters.tsx';

const ROUTE = '/i/$instance/events';
const PAGE_SIZE = 100;
const TYPES = { warning: [EventType.Warning], normal: [EventType.Normal] } as const;

export function EventsPage() {
  const { t } = useTranslation();
  const { instance } = useParams({ from: '/i/$instance' });
  const search = useSearch({ from: ROUTE });
  const navigate = useNavigate({ from: ROUTE });
  const live = useLive(instance, [{ apiVersion: 'v1', kind: 'Event' }]);
  const { type, kind, name, ns, text, cluster, engine, page } = search;
  const asked = useQuery(
    CoreService.method.listMemberEvents,
    {
      instance,
      kind,
      name,
      text,
      cluster,
      namespace: ns,
      type: type === '' ? [] : [...TYPES[type]],
      controlPlane: true,
      withoutEngine: !engine,
      page,
      pageSize: PAGE_SIZE,
    },
    // Members are not followed one by one.
    { placeholderData: keepPreviousData, refetchInterval: 5_000 },
  );
  const columns = useColumns(instance);
  return (
    <Page title={t('menu.events')} sub={t('events.sub')} actions={<LiveChip state={live} />}>
      <EventFilters instance={instance} kinds={asked.data?.kinds ?? []} />
      <Answer of={asked}>
        {({ items, pagination }) => (
          <DataTable
            label={t('menu.events')}
            columns={columns}
            rows={items}
            rowId={idOf}
            peekTitle={({ event }) => event?.reason ?? ''}
            peek={(one) => <Peek instance={instance} of={one} />}
            page={{ number: page, pages: pagination?.pages ?? 1, total: pagination?.total ?? items.length }}
            onPage={(next) => void navigate({ search: (now) => ({ ...now, page: next }) })}
            empty={<Empty title={t('event.none')}>{t('events.noneHint')}</Empty>}
          />
        )}
      </Answer>
    </Page>
  );
}

/** The API tells no name of an event: what it says is what it is. */
function idOf({ cluster, event }: MemberEvent): string {
  const { kind = '', name = '' } = event?.involvedObject ?? {};
  return [cluster, kind, name, event?.reason, event?.lastTimestamp, event?.message].join('/');
}

interface RowProps {
  readonly instance: string;
  readonly of: MemberEvent;
}

function About({ instance, of: { cluster, namespace, event } }: RowProps) {
  const { kind = '', name = '' } = event?.involvedObject ?? {};
  const to = placeOf({ instance, cluster, kind, namespace, name });
  return (
    <>
      <span className="soft">{kind}</span> {to === undefined ? name : <Link to={to}>{name}</Link>}
    </>
  );
}

function Kind({ of: { event } }: Pick<RowProps, 'of'>) {
  return <Status state={event?.type === EventType.Warning ? 'degraded' : 'healthy'} word={event?.reason ?? ''} />;
}

function useColumns(instance: string): readonly Column<MemberEvent>[] {
  const { t, i18n } = useTranslation();
  return useMemo(
    () => [
      {
        id: 'when',
        header: t('event.when'),
        grow: 0.7,
        cell: ({ event }) => (
          <span className="soft">
            <When at={Number(event?.lastTimestamp ?? 0)} />
          </span>
        ),
      },
      { id: 'type', header: t('event.type'), grow: 1.4, cell: (one) => <Kind of={one} /> },
      {
        id: 'cluster',
        header: t('field.cluster'),
        grow: 0.9,
        cell: ({ cluster }) => cluster || <span className="soft">{t('events.controlPlane')}</span>,
      },
      { id: 'about', header: t('event.about'), grow: 1.8, cell: (one) => <About instance={instance} of={one} /> },
      {
        id: 'namespace',
        header: t('field.namespace'),
        grow: 0.7,
        wide: true,
        cell: ({ namespace }) => namespace || '–',
      },
      { id: 'message', header: t('event.message'), grow: 3, cell: ({ event }) => engineSays(event?.message ?? '') },
    ],
    [instance, t, i18n.language],
  );
}

function Peek({ instance, of }: RowProps) {
  const { t } = useTranslation();
  const { cluster, namespace, event } = of;
  return (
    <Facts
      of={[
        [t('event.when'), <When key="when" full at={Number(event?.lastTimestamp ?? 0)} />],
        [t('event.type'), <Kind key="type" of={of} />],
        [t('field.cluster'), cluster || t('events.controlPlane')],
        [t('event.about'), <About key="about" instance={instance} of={of} />],
        [t('field.namespace'), namespace || '–'],
        [t('event.message'), engineSays(event?.message ?? '')],
        [t('event.from'), [event?.source?.component, event?.source?.host].filter(Boolean).join(' · ') || '–'],
      ]}
    />
  );
}
