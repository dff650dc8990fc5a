/** Under which licence the platform runs, and how much of it is used: nothing is counted against anybody. */
import { useQuery } from '@connectrpc/connect-query';
import { Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Cluster } from '#gen/proto/kpanda/api/cluster/v1alpha1/cluster_pb.ts';
import { ClusterService } from '#gen/proto/kpanda/api/cluster/v1alpha1/cluster_service_pb.ts';
import { quantity } from '../api/quantity.ts';
import { Panel } from '../parts/page.tsx';

const MODULES = ['Kairship', 'Kpanda', 'Ghippo'] as const;

export function Licence() {
  const { t } = useTranslation();
  const asked = useQuery(ClusterService.method.listClusters, { pageSize: 1_000 });
  const clusters = asked.data?.items ?? [];
  const sum = (of: (cluster: Cluster) => number) => clusters.reduce((total, cluster) => total + of(cluster), 0);
  const nodes = sum(({ status }) => status?.nodeSummary?.total ?? 0);
  const cores = sum(({ status }) => quantity(status?.resourceSummary?.allocatable['cpu']));
  return (
    <Panel title={t('licence.title')} flush>
      <Text size="sm" px="md" py="sm">
        {t('licence.text')}
      </Text>
      <table className="grid" aria-label={t('licence.title')}>
        <thead>
          <tr>
            <th scope="col">{t('licence.module')}</th>
            <th scope="col">{t('licence.level')}</th>
            <th scope="col">{t('licence.serial')}</th>
            <th scope="col">{t('licence.ends')}</th>
          </tr>
        </thead>
        <tbody>
          {MODULES.map((module) => (
            <tr key={module}>
              <td>{module}</td>
              <td>Apache-2.0</td>
              <td className="soft">{t('licence.noSerial')}</td>
              <td className="soft">{t('licence.never')}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <Text size="sm" c="dimmed" px="md" py="sm">
        {t('licence.used', { nodes, cores: Math.round(cores * 10) / 10 })}
      </Text>
    </Panel>
  );
}
