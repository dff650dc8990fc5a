/** What a propagation policy places now, with the way to the trace of each. */
import { useQuery } from '@connectrpc/connect-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { SearchService } from '#gen/proto/kairship/api/search/v1alpha1/search_service_pb.ts';
import { useLost } from '../../api/clusters.ts';
import type { Binding, Thing } from '../../api/objects.ts';
import { placedOf } from '../../api/placed.ts';
import { placeOf } from '../../app/address.ts';
import { ClusterChips } from '../../parts/cluster-chips.tsx';
import { Panel } from '../../parts/page.tsx';
import { Answer, Empty } from '../../parts/problems.tsx';
import { Banner } from '../../parts/status.tsx';

const MOST = 200;
const IDS = ['propagationpolicy.karmada.io/permanent-id', 'clusterpropagationpolicy.karmada.io/permanent-id'] as const;

export interface Places {
  readonly kind: string;
  readonly namespace: string;
  readonly name: string;
  readonly binding: Binding;
}

/** By the mark that the engine leaves on everything a policy has claimed. */
export function usePlacedBy(instance: string, policy: Thing | undefined) {
  const marks = IDS.flatMap((label) => {
    const id = policy?.metadata.labels?.[label];
    return id === undefined ? [] : [`label:${label}=${id}`];
  });
  const { data, error, refetch } = useQuery(
    SearchService.method.search,
    {
      instance,
      query: [
        'kind:resourcebindings.work.karmada.io kind:clusterresourcebindings.work.karmada.io cluster:-',
        ...marks,
      ].join(' '),
      includeObjects: true,
      pageSize: MOST,
    },
    { enabled: marks.length > 0 },
  );
  return { error, refetch, data: data && data.items.flatMap(({ object }) => placesOf(object)) };
}

function placesOf(object: unknown): readonly Places[] {
  if (object === undefined) return [];
  const binding = object as Binding & { readonly spec: { readonly resource?: Omit<Places, 'binding'> } };
  const { kind = '', namespace = '', name = '' } = binding.spec.resource ?? {};
  return [{ kind, namespace, name, binding }];
}

interface Props {
  readonly instance: string;
  readonly policy: Thing;
  /** It has just been changed. */
  readonly saved: boolean;
}

export function PolicyPlaces({ instance, policy, saved }: Props) {
  const { t } = useTranslation();
  const asked = usePlacedBy(instance, policy);
  const lost = useLost(instance);
  return (
    <Panel title={t('policy.places')} flush>
      <Answer of={asked}>
        {(places) =>
          places.length === 0 ? (
            <Empty title={t('policy.placesNothing')}>{t('policy.placesNothingHint')}</Empty>
          ) : (
            <>
              {saved && <Banner state="healthy">{t('policy.savedMoves', { count: places.length })}</Banner>}
              <table className="grid">
                <thead>
                  <tr>
                    <th scope="col">{t('field.kind')}</th>
                    <th scope="col">{t('field.name')}</th>
                    <th scope="col">{t('field.namespace')}</th>
                    <th scope="col">{t('field.clusters')}</th>
                    <th scope="col">{t('policy.change')}</th>
                  </tr>
                </thead>
                <tbody>
                  {places.map(({ kind, namespace, name, binding }) => {
                    const to = placeOf({ instance, cluster: '', kind, namespace, name });
                    const trace: string = `${to}/trace`;
                    return (
                      <tr key={`${kind}/${namespace}/${name}`} data-places={name}>
                        <td>{kind}</td>
                        <td>{to === undefined ? name : <Link to={to}>{name}</Link>}</td>
                        <td>{namespace || '–'}</td>
                        <td>
                          <ClusterChips
                            most={6}
                            wrap
                            of={placedOf(binding, lost).map(({ cluster, state, wanted }) => ({
                              cluster,
                              state,
                              ...(wanted > 0 ? { text: String(wanted) } : {}),
                            }))}
                          />
                        </td>
                        <td>{to !== undefined && <Link to={trace}>{t('policy.follow', { name })}</Link>}</td>
                      </tr>
                    );
                  })}
                </tbody>
              </table>
            </>
          )
        }
      </Answer>
    </Panel>
  );
}
