/** Logs as a stream: followed, filtered, since a time, of the container before its restart; coloured by cluster. */
import { Group, MultiSelect, Select, Switch, TextInput } from '@mantine/core';
import { Search } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type StreamedLine, useLogStream } from '../api/log-stream.ts';
import { clock } from '../i18n/words.ts';
import { clusterColour } from '../pages/workload/shared.ts';
import { CommandLine } from './command.tsx';
import { Empty, Problem, Waiting } from './problems.tsx';
import { Status } from './status.tsx';

export interface LogViewProps {
  readonly instance: string;
  readonly namespace: string;
  /** A kind of workloads, `jobs`, `cronjobs` or `pods`. */
  readonly kind: string;
  readonly name: string;
  readonly clusters: readonly string[];
  /** What the command line calls it: `deployment/nginx`. */
  readonly reference: string;
  readonly height?: number | string;
}

const TAILS = ['50', '100', '500', '1000'] as const;
const SINCE = { all: 0, minutes: 300, hour: 3_600, day: 86_400 } as const;
type Since = keyof typeof SINCE;
/** More than these are not drawn at once. */
const DRAWN = 1_500;

export function LogView({ instance, namespace, kind, name, clusters, reference, height = 460 }: LogViewProps) {
  const { t } = useTranslation();
  const [only, setOnly] = useState<string[]>([]);
  const [words, setWords] = useState('');
  const [follow, setFollow] = useState(true);
  const [previous, setPrevious] = useState(false);
  const [tail, setTail] = useState<string>('100');
  const [since, setSince] = useState<Since>('all');
  const shown = only.length > 0 ? only : clusters;
  const { lines, state, error } = useLogStream({
    instance,
    namespace,
    kind,
    name,
    clusters: shown,
    container: '',
    follow: follow && !previous,
    tailLines: Number(tail),
    sinceSeconds: SINCE[since],
    previous,
  });
  const wanted = words.toLowerCase();
  const found = lines.filter(({ text, pod }) => `${pod} ${text}`.toLowerCase().includes(wanted));
  const command = [
    `kairship logs ${reference} -n ${namespace} --tail ${tail}`,
    only.length > 0 && `-C ${only.join(',')}`,
    follow && !previous && '-f',
    previous && '-p',
    since !== 'all' && `--since ${SINCE[since]}s`,
  ];
  return (
    <div style={{ display: 'grid', gap: 10 }}>
      <Group gap={8}>
        {clusters.length > 1 && (
          <MultiSelect
            aria-label={t('field.clusters')}
            placeholder={only.length === 0 ? t('log.allClusters') : ''}
            data={[...clusters]}
            value={only}
            onChange={setOnly}
            miw={180}
            clearable
          />
        )}
        <TextInput
          aria-label={t('log.filter')}
          placeholder={t('log.filter')}
          leftSection={<Search size={13} aria-hidden />}
          value={words}
          onChange={(event) => setWords(event.currentTarget.value)}
          w={180}
        />
        <Select
          aria-label={t('log.tail')}
          data={TAILS.map((value) => ({ value, label: t('log.last', { count: Number(value) }) }))}
          value={tail}
          allowDeselect={false}
          onChange={(next) => setTail(next ?? '100')}
          w={170}
        />
        <Select
          aria-label={t('log.since')}
          data={(Object.keys(SINCE) as Since[]).map((value) => ({ value, label: t(`log.sinceTime.${value}`) }))}
          value={since}
          allowDeselect={false}
          onChange={(next) => setSince(next ?? 'all')}
          w={140}
        />
        <Switch
          label={t('log.previous')}
          checked={previous}
          onChange={(event) => setPrevious(event.currentTarget.checked)}
        />
        <Switch
          label={t('log.follow')}
          checked={follow && !previous}
          disabled={previous}
          onChange={(event) => setFollow(event.currentTarget.checked)}
        />
        <span role="status">
          <Status
            state={state === 'following' ? 'healthy' : state === 'opening' ? 'progressing' : 'unknown'}
            word={t(`log.state.${state}`)}
          />
        </span>
      </Group>
      {error !== undefined && lines.length === 0 ? (
        <Problem error={error} />
      ) : found.length > 0 ? (
        <Lines lines={found.slice(-DRAWN)} clusters={clusters} follow={follow} height={height} />
      ) : state === 'opening' ? (
        <Waiting rows={8} />
      ) : (
        <Empty title={t('log.none')} />
      )}
      <CommandLine line={command.filter(Boolean).join(' ')} />
    </div>
  );
}

interface LinesProps {
  readonly lines: readonly StreamedLine[];
  readonly clusters: readonly string[];
  readonly follow: boolean;
  readonly height: number | string;
}

function Lines({ lines, clusters, follow, height }: LinesProps) {
  const { t } = useTranslation();
  const box = useRef<HTMLDivElement>(null);
  const last = lines.at(-1);
  useEffect(() => {
    if (follow && box.current) box.current.scrollTop = box.current.scrollHeight;
  }, [follow, last, lines.length]);
  return (
    <div
      ref={box}
      className="panel log"
      role="log"
      aria-label={t('workload.tab.logs')}
      tabIndex={0}
      style={{ height, padding: 10 }}
    >
      {lines.map(({ cluster, pod, container, at, text, problem }, index) => (
        <div key={`${cluster}${pod}${container}${at}${index}`} {...(problem ? { className: 'soft' } : {})}>
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
