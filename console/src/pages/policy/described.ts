/** What a policy describes of all that is in the instance now, whoever holds it. */
import { useQuery } from '@connectrpc/connect-query';
import { SearchService } from '#gen/proto/kairship/api/search/v1alpha1/search_service_pb.ts';
import { type Kind, kindNamed } from '../../api/kinds.ts';
import type { ObjectRef, Thing } from '../../api/objects.ts';
import { ladderOf } from './precedence.ts';

const MOST = 200;

interface Selector {
  readonly apiVersion?: string;
  readonly kind?: string;
}

export function useDescribed({ instance, namespace }: ObjectRef, policy: Thing): readonly Thing[] {
  const kinds = kindsOf(policy);
  const { data } = useQuery(
    SearchService.method.search,
    {
      instance,
      query: [
        ...kinds.map((kind) => `kind:${kind.group ? `${kind.resource}.${kind.group}` : kind.kind.toLowerCase()}`),
        'cluster:-',
        ...(namespace ? [`namespace:${namespace}`] : []),
      ].join(' '),
      includeObjects: true,
      pageSize: MOST,
    },
    { enabled: kinds.length > 0 },
  );
  return (data?.items ?? [])
    .flatMap(({ object }) => (object ? [object as unknown as Thing] : []))
    .filter((object) => ladderOf(object, [policy]).length > 0);
}

function kindsOf({ spec }: Thing): readonly Kind[] {
  const selectors = (spec?.['resourceSelectors'] ?? []) as readonly Selector[];
  return [...new Set(selectors.flatMap(({ apiVersion = '', kind = '' }) => kindNamed(apiVersion, kind) ?? []))];
}
