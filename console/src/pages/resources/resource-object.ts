/** One resource as a whole. Secrets come without their values, until somebody asks for those and may have them. */
import { useQuery } from '@connectrpc/connect-query';
import { CoreService } from '#gen/proto/kairship/api/core/v1alpha1/core_service_pb.ts';
import { SearchService } from '#gen/proto/kairship/api/search/v1alpha1/search_service_pb.ts';
import { SECRET } from '../../api/kinds.ts';
import { type ObjectRef, type Thing, useObject } from '../../api/objects.ts';

export function useResource(of: ObjectRef, withValues = false) {
  const { instance, kind, namespace, name } = of;
  const isSecret = kind.kind === SECRET.kind;
  const plain = useObject(of, !isSecret);
  const hidden = useQuery(
    SearchService.method.search,
    { instance, query: `kind:secret cluster:- namespace:${namespace} name:${name}`, includeObjects: true, pageSize: 1 },
    { enabled: isSecret && !withValues, select: ({ items }) => items[0]?.object as unknown as Thing | undefined },
  );
  const whole = useQuery(
    CoreService.method.getSecretJSON,
    { instance, namespace, name },
    { enabled: isSecret && withValues, select: ({ data }) => JSON.parse(data) as Thing },
  );
  if (!isSecret) return plain;
  return withValues ? whole : hidden;
}
