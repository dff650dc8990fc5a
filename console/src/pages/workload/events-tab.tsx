/** What was told of a workload, the newest first. */
import { useQuery } from '@connectrpc/connect-query';
import { CoreService } from '#gen/proto/kairship/api/core/v1alpha1/core_service_pb.ts';
import type { ObjectRef } from '../../api/objects.ts';
import { EventTable } from '../../parts/event-table.tsx';
import { Answer } from '../../parts/problems.tsx';

export function EventsTab({ of }: { readonly of: ObjectRef }) {
  const { instance, kind, namespace, name } = of;
  const asked = useQuery(CoreService.method.listEvents, {
    instance,
    namespace,
    kind: kind.kind,
    kindName: name,
    pageSize: 200,
  });
  return (
    <div className="panel">
      <Answer of={asked}>{({ items }) => <EventTable events={items} />}</Answer>
    </div>
  );
}
