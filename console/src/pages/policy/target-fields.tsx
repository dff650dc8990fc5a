/** Which clusters: by name, by place, by label, and which of them not. Of placements and of override rules alike. */
import { useQuery } from '@connectrpc/connect-query';
import { Group, MultiSelect, TagsInput } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { ClusterService } from '#gen/proto/kairship/api/cluster/v1alpha1/cluster_service_pb.ts';
import type { Bound } from '../../parts/fields.tsx';
import { type Path, valueAt } from './policy-text.ts';
import { labelWords, placesIn, requirementOf, withPlaces } from './targets.ts';

interface Props extends Bound {
  readonly instance: string;
  /** Where the affinity is. */
  readonly at: Path;
  /** What the list of names is called. */
  readonly label: string;
}

export function useClusterNames(instance: string): readonly string[] {
  const { data } = useQuery(ClusterService.method.listJoinedClusters, { instance, allCluster: true });
  return data?.items.map(({ metadata }) => metadata?.name ?? '') ?? [];
}

const PLACES = ['provider', 'region', 'zone'] as const;
const filled = <T,>(list: readonly T[]): readonly T[] | undefined => (list.length > 0 ? list : undefined);

export function TargetFields({ instance, object, set, at, label }: Props) {
  const { t } = useTranslation();
  const clusters = useClusterNames(instance);
  const { data } = useQuery(ClusterService.method.listClustersLocationSummary, { instance });
  const list = (...rest: Path) => {
    const found = valueAt(object, [...at, ...rest]);
    return Array.isArray(found) ? found.map(String) : [];
  };
  const chosen = list('clusterNames');
  const fields = valueAt(object, [...at, 'fieldSelector', 'matchExpressions']);
  const known = (place: (typeof PLACES)[number]) =>
    [...new Set((data?.locations ?? []).flatMap((one) => one[place].split(',')).filter(Boolean))].sort();
  return (
    <>
      <MultiSelect
        label={label}
        placeholder={chosen.length === 0 ? t('policy.everyCluster') : ''}
        data={[...new Set([...clusters, ...chosen])]}
        value={chosen}
        searchable
        onChange={(names) => set([...at, 'clusterNames'], filled(names))}
      />
      <Group grow align="flex-start">
        {PLACES.map((place) => {
          const values = placesIn(fields, place);
          return (
            <MultiSelect
              key={place}
              label={t(`policy.in.${place}`)}
              placeholder={values.length === 0 ? t('policy.anywhere') : ''}
              data={[...new Set([...known(place), ...values])]}
              value={[...values]}
              searchable
              onChange={(next) =>
                set([...at, 'fieldSelector', 'matchExpressions'], filled(withPlaces(fields, place, next)))
              }
            />
          );
        })}
      </Group>
      <TagsInput
        label={t('policy.withLabels')}
        description={t('policy.labelHint')}
        placeholder="tier=prod"
        splitChars={[]}
        value={[...labelWords(valueAt(object, [...at, 'labelSelector']))]}
        onChange={(words) => set([...at, 'labelSelector'], requirementOf(words))}
      />
      <MultiSelect
        label={t('policy.exclude')}
        data={[...new Set([...clusters, ...list('exclude')])]}
        value={list('exclude')}
        searchable
        onChange={(names) => set([...at, 'exclude'], filled(names))}
      />
    </>
  );
}
