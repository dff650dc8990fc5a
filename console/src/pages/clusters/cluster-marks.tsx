/** How a cluster does and how it is reached, in a word or two. */
import { Badge, Tooltip } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import type { Cluster } from '#gen/proto/kairship/api/cluster/v1alpha1/cluster_pb.ts';
import { Status } from '../../parts/status.tsx';
import { schedulingOf } from './cluster-facts.ts';

/** Whether anything new comes to it, and whether what it has must leave. */
export function Scheduling({ of }: { readonly of: Cluster }) {
  const { t } = useTranslation();
  const scheduling = schedulingOf(of);
  if (scheduling === 'schedulable') return <span className="soft">{t('cluster.scheduling.schedulable')}</span>;
  return (
    <Status state={scheduling === 'evicting' ? 'blocked' : 'degraded'} word={t(`cluster.scheduling.${scheduling}`)} />
  );
}

/** Whether the instance goes to the cluster, or an agent in the cluster comes to the instance. */
export function Mode({ of }: { readonly of: string | undefined }) {
  const { t } = useTranslation();
  const mode = of === 'Pull' ? 'Pull' : of === 'Push' ? 'Push' : undefined;
  if (mode === undefined) return <span className="soft">–</span>;
  return (
    <Tooltip label={t(`cluster.modeText.${mode}`)}>
      <Badge variant="default" size="sm" tt="none">
        {mode}
      </Badge>
    </Tooltip>
  );
}
