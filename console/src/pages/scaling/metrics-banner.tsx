/** What autoscaling over clusters needs first: the metrics adapter here, and something that measures in each cluster. */
import { createClient } from '@connectrpc/connect';
import { useQuery } from '@connectrpc/connect-query';
import { Stack } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { InstanceService } from '#gen/proto/kairship/api/instance/v1alpha1/instance_service_pb.ts';
import { useFoundObjects } from '../../api/found.ts';
import { CLUSTER } from '../../api/kinds.ts';
import { useMay } from '../../api/permissions.ts';
import { problemOf } from '../../api/problem.ts';
import { transport } from '../../api/transport.ts';
import { GuardedButton } from '../../parts/guarded.tsx';
import { Banner } from '../../parts/status.tsx';
import { unmeasured } from './unmeasured.ts';

const instances = createClient(InstanceService, transport);

export function MetricsBanner({ instance }: { readonly instance: string }) {
  const { t } = useTranslation();
  const cache = useQueryClient();
  const { data } = useQuery(InstanceService.method.getInstanceMetricsAdapter, { instance });
  const clusters = useFoundObjects({ instance, kind: CLUSTER, page: 1, pageSize: 500 });
  const may = useMay('kairship/instance/update', { instance });
  const turn = useMutation({
    mutationFn: () => instances.updateInstanceMetricsAdapter({ instance, enabled: true }),
    onSuccess: () => cache.invalidateQueries(),
  });
  const without = unmeasured(clusters.data?.rows ?? []);
  return (
    <Stack gap={8} mb={data?.enabled === false || without.length > 0 ? 12 : 0}>
      {data?.enabled === false && (
        <Banner
          state="degraded"
          action={
            <GuardedButton may={may} variant="default" loading={turn.isPending} onClick={() => turn.mutate()}>
              {t('scaler.turnOn')}
            </GuardedButton>
          }
        >
          <b>{t('scaler.adapterOff')}</b> {t('scaler.adapterOffText')}
          {turn.error && <div>{problemOf(turn.error).message}</div>}
        </Banner>
      )}
      {without.length > 0 && (
        <Banner state="degraded">
          {t('scaler.unmeasured', { count: without.length, clusters: without.join(', ') })}
        </Banner>
      )}
    </Stack>
  );
}
