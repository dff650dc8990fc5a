/** Whether metrics of all members can be asked of the instance: what autoscaling over clusters needs. */
import { createClient } from '@connectrpc/connect';
import { useQuery } from '@connectrpc/connect-query';
import { Group, Switch } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { InstanceService } from '#gen/proto/kairship/api/instance/v1alpha1/instance_service_pb.ts';
import { curl } from '../../api/pairs.ts';
import { useMay } from '../../api/permissions.ts';
import { problemOf } from '../../api/problem.ts';
import { transport } from '../../api/transport.ts';
import { Command } from '../../parts/command.tsx';
import { Panel } from '../../parts/page.tsx';
import { Answer } from '../../parts/problems.tsx';
import { Banner } from '../../parts/status.tsx';

const instances = createClient(InstanceService, transport);

export function MetricsAdapter({ instance }: { readonly instance: string }) {
  const { t } = useTranslation();
  const cache = useQueryClient();
  const asked = useQuery(InstanceService.method.getInstanceMetricsAdapter, { instance });
  const may = useMay('kairship/instance/update', { instance });
  const save = useMutation({
    mutationFn: (enabled: boolean) => instances.updateInstanceMetricsAdapter({ instance, enabled }),
    onSuccess: () => cache.invalidateQueries(),
  });
  return (
    <Panel title={t('instance.setting.metricsAdapter')}>
      <Answer of={asked} rows={1}>
        {({ enabled }) => (
          <Group justify="space-between" wrap="nowrap" align="flex-start">
            <Switch
              label={t('instance.setting.metricsAdapter')}
              description={
                may.missing ? t('action.needs', { right: may.missing }) : t('instance.settingText.metricsAdapter')
              }
              checked={enabled}
              disabled={!may.allowed || save.isPending}
              onChange={(event) => save.mutate(event.currentTarget.checked)}
            />
            <Command
              lines={[
                curl('PUT', `/apis/kairship.io/v1alpha1/instances/${instance}/metricsadapter`, { enabled: !enabled }),
              ]}
            />
          </Group>
        )}
      </Answer>
      {save.error && <Banner state="blocked">{problemOf(save.error).message}</Banner>}
    </Panel>
  );
}
