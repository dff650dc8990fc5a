/** Events, with the whole of what they say. */
import { useTranslation } from 'react-i18next';
import { type Event, EventType } from '#gen/proto/kairship/api/core/v1alpha1/event_pb.ts';
import { engineSays } from '../i18n/language.ts';
import { Empty } from './problems.tsx';
import { Status } from './status.tsx';
import { When } from './when.tsx';

export function EventTable({ events, about = false }: { readonly events: readonly Event[]; readonly about?: boolean }) {
  const { t } = useTranslation();
  if (events.length === 0) return <Empty title={t('event.none')} />;
  return (
    <table className="grid">
      <thead>
        <tr>
          <th scope="col">{t('event.when')}</th>
          <th scope="col">{t('event.type')}</th>
          {about && <th scope="col">{t('event.about')}</th>}
          <th scope="col">{t('event.message')}</th>
          {!about && <th scope="col">{t('event.from')}</th>}
        </tr>
      </thead>
      <tbody>
        {events.map((event, index) => (
          <tr key={`${event.lastTimestamp}${event.reason}${index}`}>
            <td className="soft" style={{ whiteSpace: 'nowrap' }}>
              <When at={Number(event.lastTimestamp)} />
            </td>
            <td>
              <Status state={event.type === EventType.Warning ? 'degraded' : 'healthy'} word={event.reason} />
            </td>
            {about && (
              <td>
                {event.involvedObject?.kind} {event.involvedObject?.name}
              </td>
            )}
            <td style={{ overflowWrap: 'anywhere', minWidth: 240 }}>{engineSays(event.message)}</td>
            {!about && <td className="soft">{event.source?.component}</td>}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
