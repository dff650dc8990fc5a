/** Back to what the pods were made from before: revisions by cluster, two of them compared, then one chosen. */
import { createClient } from '@connectrpc/connect';
import { useQuery } from '@connectrpc/connect-query';
import { Badge, Group, Radio, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  type WorkloadRevision,
  WorkloadService,
} from '#gen/proto/kairship/api/workload/v1alpha1/workload_service_pb.ts';
import type { ObjectRef } from '../../api/objects.ts';
import { transport } from '../../api/transport.ts';
import { ago } from '../../i18n/words.ts';
import { FormDialog } from '../../parts/dialog.tsx';
import { Answer, Empty } from '../../parts/problems.tsx';
import { Yaml, yamlOf } from '../../parts/yaml.tsx';
import { type Revision, revisionsOf } from './revisions.ts';

const workloads = createClient(WorkloadService, transport);

interface Props {
  readonly of: ObjectRef;
  readonly onClose: () => void;
  readonly onDone: () => Promise<void>;
}

export function RollbackDialog({ of, onClose, onDone }: Props) {
  const { t } = useTranslation();
  const { instance, kind, namespace, name } = of;
  const asked = useQuery(WorkloadService.method.listWorkloadRevisions, {
    instance,
    namespace,
    kind: kind.resource,
    name,
  });
  const [chosen, setChosen] = useState('');
  const revisions = revisionsOf(asked.data?.items ?? []);
  const target = revisions.find(({ id }) => id === chosen);
  const current = revisions.find(({ isCurrent }) => isCurrent);
  return (
    <FormDialog
      title={t('rollback.title', { name })}
      size="xl"
      submit={t('rollback.action')}
      disabled={!target || target.isCurrent}
      act={() =>
        workloads.rollbackWorkload({
          instance,
          namespace,
          kind: kind.resource,
          name,
          cluster: target?.cluster ?? '',
          revision: target?.revision ?? 0n,
        })
      }
      then={onDone}
      onClose={onClose}
      command={
        target
          ? `kubectl --context ${instance}/${target.cluster} -n ${namespace} rollout history ${kind.resource}/${name} --revision=${target.revision}`
          : undefined
      }
    >
      <Text size="sm">{t('rollback.text')}</Text>
      <Answer of={asked}>
        {() =>
          revisions.length < 2 ? (
            <Empty title={t('rollback.none')}>{t('rollback.noneHint')}</Empty>
          ) : (
            <Revisions of={revisions} chosen={chosen} onChoose={setChosen} />
          )
        }
      </Answer>
      {target && current && !target.isCurrent && (
        <>
          <Text size="sm" fw={550}>
            {t('rollback.difference')}
          </Text>
          <Yaml
            key={target.id}
            label={t('rollback.difference')}
            value={yamlOf(target.template, { sorted: true })}
            original={yamlOf(current.template, { sorted: true })}
            height="300px"
          />
        </>
      )}
    </FormDialog>
  );
}

function Revisions({
  of,
  chosen,
  onChoose,
}: {
  readonly of: readonly Revision<WorkloadRevision['template']>[];
  readonly chosen: string;
  readonly onChoose: (id: string) => void;
}) {
  const { t } = useTranslation();
  return (
    <Radio.Group value={chosen} onChange={onChoose} aria-label={t('rollback.revisions')}>
      <Stack gap={6}>
        {of.map(({ id, images, createdAt, isCurrent, clusters }) => (
          <Radio.Card key={id} value={id} p={10} disabled={isCurrent} data-revision={images.join(',')}>
            <Group gap={10} wrap="nowrap">
              <Radio.Indicator disabled={isCurrent} />
              <span className="mono clip" style={{ flex: 1 }}>
                {images.join(', ')}
              </span>
              <span className="soft">{clusters.join(', ')}</span>
              <span className="soft">{ago(createdAt)}</span>
              {isCurrent && (
                <Badge variant="light" tt="none" fw={500}>
                  {t('rollback.current')}
                </Badge>
              )}
            </Group>
          </Radio.Card>
        ))}
      </Stack>
    </Radio.Group>
  );
}
