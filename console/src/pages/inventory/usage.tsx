/** How much of a cluster is used, now and over the last hour, as a whole or by node. */
import { useQuery } from '@connectrpc/connect-query';
import { SegmentedControl, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Cluster } from '#gen/proto/kpanda/api/cluster/v1alpha1/cluster_pb.ts';
import { ClusterService, type UsageSample } from '#gen/proto/kpanda/api/cluster/v1alpha1/cluster_service_pb.ts';
import { scaled } from '../../api/quantity.ts';
import { Capacity } from '../../parts/capacity.tsx';
import { Chart } from '../../parts/chart/chart.tsx';
import type { Line } from '../../parts/chart/series.ts';
import { Panel } from '../../parts/page.tsx';
import { Answer, Empty } from '../../parts/problems.tsx';

const SLOT_MS = 15_000;
const GIB = 2 ** 30;
const MOST_NODES = 6;

/** What is asked for and measured, against what there is. */
export function Used({ of: { status } }: { readonly of: Cluster }) {
  const { allocatable = {}, used = {} } = status?.resourceSummary ?? {};
  const share = (name: string, percent: number | undefined): Record<string, string> =>
    percent === undefined ? {} : { [name]: scaled(allocatable[name], percent / 100) };
  const measured = {
    ...share('cpu', status?.cpuUsage),
    ...share('memory', status?.memoryUsage),
    pods: String(status?.podSummary?.total ?? 0),
  };
  return <Capacity all of={{ allocatable, allocated: { ...measured, ...used } }} />;
}

export function Usage({ cluster }: { readonly cluster: string }) {
  const { t } = useTranslation();
  const [by, setBy] = useState<'cluster' | 'node'>('cluster');
  const asked = useQuery(
    ClusterService.method.getClusterUsage,
    { name: cluster },
    { refetchInterval: 15_000, meta: { still: true } },
  );
  return (
    <Panel
      title={t('inventory.usage')}
      aside={
        <SegmentedControl
          size="xs"
          aria-label={t('inventory.usageBy')}
          value={by}
          onChange={setBy}
          data={(['cluster', 'node'] as const).map((value) => ({ value, label: t(`inventory.by.${value}`) }))}
        />
      }
    >
      <Answer of={asked}>
        {({ samples }) =>
          samples.length === 0 ? (
            <Empty title={t('inventory.noUsage')}>{t('inventory.noUsageHint')}</Empty>
          ) : (
            <Stack gap={14}>
              <Measured
                label={t('inventory.cpuCores')}
                lines={linesOf(samples, by, cluster, ({ cpuMillis }) => Number(cpuMillis) / 1000)}
                format={cores}
              />
              <Measured
                label={t('inventory.memoryGib')}
                lines={linesOf(samples, by, cluster, ({ memoryBytes }) => Number(memoryBytes) / GIB)}
                format={gib}
              />
            </Stack>
          )
        }
      </Answer>
    </Panel>
  );
}

interface MeasuredProps {
  readonly label: string;
  readonly lines: readonly Line[];
  readonly format: (value: number) => string;
}

function Measured({ label, lines, format }: MeasuredProps) {
  return (
    <div>
      <Text size="xs" c="dimmed">
        {label}
      </Text>
      <Chart label={label} lines={lines} slotMs={SLOT_MS} format={format} />
    </div>
  );
}

const cores = (value: number) => String(Math.round(value * 100) / 100);
const gib = (value: number) => `${Math.round(value * 10) / 10} Gi`;

/** The cluster as a whole is told by samples without a node. */
function linesOf(
  samples: readonly UsageSample[],
  by: 'cluster' | 'node',
  cluster: string,
  value: (sample: UsageSample) => number,
): readonly Line[] {
  const lines = new Map<string, { at: number; value: number }[]>();
  for (const sample of samples) {
    if ((sample.node === '') !== (by === 'cluster')) continue;
    const label = sample.node || cluster;
    const line = lines.get(label) ?? [];
    line.push({ at: Number(sample.at), value: value(sample) });
    lines.set(label, line);
  }
  return [...lines]
    .sort(([a], [b]) => a.localeCompare(b))
    .slice(0, MOST_NODES)
    .map(([label, line]) => ({ label, samples: line.toSorted((a, b) => a.at - b.at) }));
}
