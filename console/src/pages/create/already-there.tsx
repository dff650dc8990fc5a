/** What is in the clusters already by the same name, before it is taken over: each of it by its name. */
import { createQueryOptions } from '@connectrpc/connect-query';
import { useQueries } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { SearchService } from '#gen/proto/kairship/api/search/v1alpha1/search_service_pb.ts';
import { transport } from '../../api/transport.ts';
import { Banner } from '../../parts/status.tsx';
import { textAt } from '../policy/policy-text.ts';
import { isForeign, takesOver, wordsFor } from './foreign.ts';

interface Props {
  readonly instance: string;
  readonly objects: readonly unknown[];
  readonly policy: unknown;
  /** Where they would go. */
  readonly clusters: readonly string[];
}

const MOST_OBJECTS = 20;

export function AlreadyThere({ instance, objects, policy, clusters }: Props) {
  const { t } = useTranslation();
  const named = objects.filter((object) => textAt(object, ['metadata', 'name']) !== '').slice(0, MOST_OBJECTS);
  const answers = useQueries({
    queries: named.map((object) =>
      createQueryOptions(
        SearchService.method.search,
        { instance, query: wordsFor(object), includeObjects: true, pageSize: 100 },
        { transport },
      ),
    ),
  });
  const found = answers.flatMap(({ data }, index) =>
    (data?.items ?? []).filter((one) => clusters.includes(one.cluster) && isForeign(one, named[index])),
  );
  if (found.length === 0) return null;
  const takes = takesOver(policy);
  return (
    <Banner state={takes ? 'degraded' : 'blocked'}>
      <b>{t(takes ? 'create.takesOver' : 'create.isInTheWay', { count: found.length })}</b>{' '}
      {t(takes ? 'create.takesOverText' : 'create.isInTheWayText')}
      <ul style={{ margin: '6px 0 0', paddingLeft: 18 }}>
        {found.map(({ cluster, uid, resource }) => (
          <li key={`${cluster}/${uid}`} data-already-there={cluster}>
            {cluster}: {resource?.kind} {[resource?.namespace, resource?.name].filter(Boolean).join('/')}
          </li>
        ))}
      </ul>
    </Banner>
  );
}
