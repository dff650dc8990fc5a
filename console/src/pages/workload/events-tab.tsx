/** What was told of an object, the newest first, and the way to what was told of it in clusters. */
import { useQuery } from '@connectrpc/connect-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { CoreService } from '#gen/proto/kairship/api/core/v1alpha1/core_service_pb.ts';
import { NAMESPACE } from '../../api/kinds.ts';
import type { ObjectRef } from '../../api/objects.ts';
import { EventTable } from '../../parts/event-table.tsx';
import { Panel } from '../../parts/page.tsx';
import { Answer } from '../../parts/problems.tsx';

export function EventsTab({ of }: { readonly of: ObjectRef }) {
  const { t } = useTranslation();
  const { instance, kind, namespace, name } = of;
  const asked = useQuery(CoreService.method.listEvents, {
    instance,
    namespace,
    kind: kind.kind,
    kindName: name,
    pageSize: 200,
  });
  const isSpace = kind.kind === NAMESPACE.kind;
  return (
    <Panel
      flush
      title={t('menu.events')}
      aside={
        <Link
          to="/i/$instance/events"
          params={{ instance }}
          // Pods and replica sets carry the name of what they belong to.
          search={isSpace ? { ns: name } : { ns: namespace, name }}
        >
          {t(isSpace ? 'events.ofNamespace' : 'events.ofIt')}
        </Link>
      }
    >
      <Answer of={asked}>{({ items }) => <EventTable events={items} />}</Answer>
    </Panel>
  );
}
