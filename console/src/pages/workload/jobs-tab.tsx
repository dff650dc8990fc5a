/** The jobs that a cron job has begun, in every cluster it is in. */
import { useQuery } from '@connectrpc/connect-query';
import { keepPreviousData } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { BatchService } from '#gen/proto/kairship/api/batch/v1alpha1/batch_service_pb.ts';
import { JobStatus_JobState as JobState } from '#gen/proto/kairship/api/batch/v1alpha1/job_pb.ts';
import { SortBy, SortDir } from '#gen/proto/kairship/api/types/v1alpha1/types_pb.ts';
import type { ObjectRef } from '../../api/objects.ts';
import { JOB_STATES, type RowState } from '../../api/rows.ts';
import { Fresh } from '../../parts/fresh.tsx';
import { Answer } from '../../parts/problems.tsx';
import { Status } from '../../parts/status.tsx';
import { When } from '../../parts/when.tsx';
import { ClusterGroup, GroupTable, LOOK_AGAIN_MS, PerCluster, ROWS } from './cluster-group.tsx';

export function JobsTab({ of }: { readonly of: ObjectRef }) {
  return <PerCluster of={of}>{(cluster) => <JobsIn key={cluster} of={of} cluster={cluster} />}</PerCluster>;
}

const WORDS: Readonly<Record<number, RowState>> = {
  [JobState.Running]: 'Running',
  [JobState.Completed]: 'Completed',
  [JobState.Deleting]: 'Deleting',
  [JobState.Failed]: 'Failed',
};

function JobsIn({ of, cluster }: { readonly of: ObjectRef; readonly cluster: string }) {
  const { t } = useTranslation();
  const [page, setPage] = useState(1);
  const { instance, namespace, name } = of;
  const asked = useQuery(
    BatchService.method.listJobsByCronJobsName,
    {
      instance,
      cluster,
      namespace,
      cronJob: name,
      page,
      pageSize: ROWS,
      sortBy: SortBy.created_at,
      sortDir: SortDir.desc,
    },
    { placeholderData: keepPreviousData, refetchInterval: LOOK_AGAIN_MS },
  );
  const total = asked.data?.pagination?.total ?? asked.data?.jobs.length ?? 0;
  return (
    <ClusterGroup
      instance={instance}
      name={cluster}
      count={t('workload.jobs', { count: total })}
      aside={<Fresh at={asked.dataUpdatedAt} everyMs={LOOK_AGAIN_MS} />}
      page={{ number: page, pages: asked.data?.pagination?.pages ?? 1, onChange: setPage }}
    >
      <Answer of={asked}>
        {({ jobs }) => (
          <GroupTable
            rows={jobs}
            rowId={({ metadata }) => metadata?.uid ?? ''}
            empty={t('workload.noJobs')}
            columns={[
              {
                header: t('field.name'),
                width: 34,
                cell: ({ metadata }) => <span className="mono">{metadata?.name}</span>,
              },
              {
                header: t('field.status'),
                width: 16,
                cell: ({ status }) => {
                  const phase = status?.phase ?? JobState.JOB_STATE_UNSPECIFIED;
                  return (
                    <Status
                      state={JOB_STATES[phase] ?? 'unknown'}
                      word={t(`workload.state.${WORDS[phase] ?? 'Waiting'}`)}
                    />
                  );
                },
              },
              { header: t('workload.run.active'), width: 10, number: true, cell: ({ status }) => status?.active ?? 0 },
              { header: t('workload.run.good'), width: 12, number: true, cell: ({ status }) => status?.succeed ?? 0 },
              { header: t('workload.run.bad'), width: 12, number: true, cell: ({ status }) => status?.failed ?? 0 },
              {
                header: t('workload.run.began'),
                width: 16,
                cell: ({ executionTimestamp }) => <When at={Number(executionTimestamp)} />,
              },
            ]}
          />
        )}
      </Answer>
    </ClusterGroup>
  );
}
