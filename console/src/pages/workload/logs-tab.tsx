/** Logs of all pods in all clusters in one stream, ordered by time, coloured by cluster. */
import { Group, MultiSelect, Select, Switch, TextInput } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { Search } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { lastLines, type LogLine } from '../../api/logs.ts';
import { clustersOf, type ObjectRef, useBinding } from '../../api/objects.ts';
import { clock } from '../../i18n/words.ts';
import { CommandLine } from '../../parts/command.tsx';
import { LogView } from '../../parts/log-view.tsx';
import { Answer, Empty, Problem, Waiting } from '../../parts/problems.tsx';
import { usePods } from './pods-tab.tsx';
import { clusterColour } from './shared.ts';

const AGAIN_MS = 3_000;
const MOST_PODS = 24;
const STREAMED: ReadonlySet<string> = new Set(['deployments', 'statefulsets', 'daemonsets']);

export function LogsTab({ of }: { readonly of: ObjectRef }) {
  const binding = useBinding(of);
  return (
    <Answer of={binding}>
      {(data) => {
        const clusters = clustersOf(data);
        const { instance, namespace, name, kind } = of;
        // One stream for all pods, where the platform knows how to follow the kind.
        return STREAMED.has(kind.resource) ? (
          <LogView
            instance={instance}
            namespace={namespace}
            kind={kind.resource}
            name={name}
            clusters={clusters}
            reference={`${kind.kind.toLowerCase()}/${name}`}
          />
        ) : (
          <Logs of={of} clusters={clusters} />
        );
      }}
    </Answer>
  );
}

function Logs({ of, clusters }: { readonly of: ObjectRef; readonly clusters: readonly string[] }) {
  const { t } = useTranslation();
  const [only, setOnly] = useState<string[]>([]);
  const [words, setWords] = useState('');
  const [follow, setFollow] = useState(true);
  const [tail, setTail] = useState('100');
  const shown = only.length > 0 ? clusters.filter((cluster) => only.includes(cluster)) : clusters;
  const { lines, error, waiting } = useLogs(of, shown, Number(tail), follow);
  const found = lines.filter(({ text, pod }) => `${pod} ${text}`.toLowerCase().includes(words.toLowerCase()));
  return (
    <div style={{ display: 'grid', gap: 10 }}>
      <Group gap={8}>
        <MultiSelect
          aria-label={t('field.clusters')}
          placeholder={only.length === 0 ? t('log.allClusters') : ''}
          data={[...clusters]}
          value={only}
          onChange={setOnly}
          miw={200}
          clearable
        />
        <TextInput
          aria-label={t('log.filter')}
          placeholder={t('log.filter')}
          leftSection={<Search size={13} aria-hidden />}
          value={words}
          onChange={(event) => setWords(event.currentTarget.value)}
          w={220}
        />
        <Select
          aria-label={t('log.tail')}
          data={['50', '100', '500', '1000'].map((value) => ({
            value,
            label: t('log.last', { count: Number(value) }),
          }))}
          value={tail}
          allowDeselect={false}
          onChange={(next) => setTail(next ?? '100')}
          w={160}
        />
        <Switch label={t('log.follow')} checked={follow} onChange={(event) => setFollow(event.currentTarget.checked)} />
      </Group>
      {error !== undefined && lines.length === 0 ? (
        <Problem error={error} />
      ) : waiting ? (
        <Waiting rows={8} />
      ) : found.length === 0 ? (
        <Empty title={t('log.none')} />
      ) : (
        <Lines lines={found} clusters={clusters} follow={follow} />
      )}
      <CommandLine line={`kairship logs ${of.kind.kind.toLowerCase()}/${of.name} -n ${of.namespace}`} />
    </div>
  );
}

function Lines({
  lines,
  clusters,
  follow,
}: {
  readonly lines: readonly LogLine[];
  readonly clusters: readonly string[];
  readonly follow: boolean;
}) {
  const { t } = useTranslation();
  const box = useRef<HTMLDivElement>(null);
  const last = lines.at(-1);
  useEffect(() => {
    if (follow && box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [follow, last?.at, lines.length]);
  return (
    <div
      ref={box}
      className="panel log"
      role="log"
      aria-label={t('workload.tab.logs')}
      tabIndex={0}
      style={{ height: 460, padding: 10 }}
    >
      {lines.map(({ cluster, pod, at, text }, index) => (
        <div key={`${cluster}${pod}${at}${index}`}>
          <span className="soft">{at ? clock(at) : ''} </span>
          <b style={{ color: clusterColour(clusters, cluster) }}>
            {cluster}/{pod}
          </b>{' '}
          {text}
        </div>
      ))}
    </div>
  );
}

function useLogs(of: ObjectRef, clusters: readonly string[], tail: number, follow: boolean) {
  const { instance, namespace } = of;
  const answers = usePods(of, clusters);
  const pods = clusters.flatMap((cluster, index) =>
    (answers[index]?.data?.items ?? []).map(({ metadata }) => ({
      instance,
      cluster,
      namespace,
      pod: metadata?.name ?? '',
    })),
  );
  const chosen = pods.slice(0, MOST_PODS);
  const { data, error, isPending } = useQuery({
    queryKey: ['logs', chosen, tail],
    enabled: chosen.length > 0,
    meta: { still: true },
    refetchInterval: follow ? AGAIN_MS : false,
    queryFn: async ({ signal }) => {
      const all = await Promise.allSettled(chosen.map((source) => lastLines(source, tail, signal)));
      const lines = all.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
      const failed = all.find((one) => one.status === 'rejected');
      // One pod that cannot be read does not hide the others.
      if (lines.length === 0 && failed) throw failed.reason;
      return lines.toSorted((a, b) => a.at - b.at);
    },
  });
  const asking = answers.some(({ isPending: pending }) => pending);
  return { lines: data ?? [], error: error ?? undefined, waiting: asking || (chosen.length > 0 && isPending) };
}
