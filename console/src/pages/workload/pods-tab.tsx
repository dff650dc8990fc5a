/** The pods of a workload, in every cluster it runs in. */
import { useQueries } from '@tanstack/react-query';
import { createQueryOptions } from '@connectrpc/connect-query';
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import {
  CoreService,
  ListPodsForMemberClusterRequest_Kind as PodKind,
} from '#gen/proto/kairship/api/core/v1alpha1/core_service_pb.ts';
import {
  type Pod,
  PodStatus_Phase as Phase,
  PodStatus_PhaseSchema,
} from '#gen/proto/kairship/api/core/v1alpha1/pod_pb.ts';
import { useLost } from '../../api/clusters.ts';
import { clustersOf, type ObjectRef, useBinding } from '../../api/objects.ts';
import { transport } from '../../api/transport.ts';
import { wordOf } from '../../api/words.ts';
import { Panel } from '../../parts/page.tsx';
import { Answer, Empty, Problem, Waiting } from '../../parts/problems.tsx';
import { type State, Status } from '../../parts/status.tsx';
import { When } from '../../parts/when.tsx';

const MOST = 200;

export function PodsTab({ of }: { readonly of: ObjectRef }) {
  const binding = useBinding(of);
  return <Answer of={binding}>{(data) => <Pods of={of} clusters={clustersOf(data)} />}</Answer>;
}

/** Pods of a workload by cluster, asked of all clusters at once. */
function usePods({ instance, kind, namespace, name }: ObjectRef, clusters: readonly string[]) {
  return useQueries({
    queries: clusters.map((cluster) =>
      createQueryOptions(
        CoreService.method.listPodsForMemberCluster,
        {
          instance,
          cluster,
          namespace,
          kind: PodKind[kind.kind as keyof typeof PodKind] ?? PodKind.KIND_UNSPECIFIED,
          kindName: name,
          pageSize: MOST,
        },
        { transport },
      ),
    ),
  });
}

function Pods({ of, clusters }: { readonly of: ObjectRef; readonly clusters: readonly string[] }) {
  const { t } = useTranslation();
  const answers = usePods(of, clusters);
  const lost = useLost(of.instance);
  if (clusters.length === 0) return <Empty title={t('workload.nowhere')} />;
  return (
    <div style={{ display: 'grid', gap: 14 }}>
      {clusters.map((cluster, index) => {
        const answer = answers[index];
        return (
          <Panel
            key={cluster}
            title={cluster}
            flush
            aside={<span className="soft">{t('pod.count', { count: answer?.data?.items.length ?? 0 })}</span>}
          >
            {answer?.data ? (
              <PodTable pods={answer.data.items} instance={of.instance} cluster={cluster} silent={lost.has(cluster)} />
            ) : answer?.error ? (
              <Problem error={answer.error} />
            ) : (
              <Waiting rows={2} />
            )}
          </Panel>
        );
      })}
    </div>
  );
}

const STATES: Readonly<Record<number, State>> = {
  [Phase.PHASE_UNSPECIFIED]: 'unknown',
  [Phase.Unknown]: 'unknown',
  [Phase.Pending]: 'progressing',
  [Phase.Running]: 'healthy',
  [Phase.Succeeded]: 'healthy',
  [Phase.Failed]: 'blocked',
};

interface PodTableProps {
  readonly pods: readonly Pod[];
  readonly instance: string;
  readonly cluster: string;
  readonly silent: boolean;
}

function PodTable({ pods, instance, cluster, silent }: PodTableProps) {
  const { t } = useTranslation();
  const lastSaid = (word: string) => (silent ? t('cluster.last', { word }) : word);
  if (pods.length === 0) return <Empty title={t('pod.none')} />;
  return (
    <table className="grid">
      <thead>
        <tr>
          <th scope="col">{t('field.name')}</th>
          <th scope="col">{t('field.status')}</th>
          <th scope="col">{t('pod.node')}</th>
          <th scope="col">{t('pod.ip')}</th>
          <th scope="col" className="num">
            {t('pod.restarts')}
          </th>
          <th scope="col">{t('field.created')}</th>
          <th scope="col">{t('menu.terminal')}</th>
        </tr>
      </thead>
      <tbody>
        {pods.map(({ metadata, spec, status }) => (
          <tr key={metadata?.uid}>
            <td className="mono">{metadata?.name}</td>
            <td>
              <Status
                state={silent ? 'unknown' : (STATES[status?.phase ?? 0] ?? 'unknown')}
                word={lastSaid(wordOf(PodStatus_PhaseSchema, status?.phase ?? 0))}
              />
            </td>
            <td>{spec?.nodeName || '–'}</td>
            <td className="mono">{status?.podIp || '–'}</td>
            <td className="num">{status?.restartCount ?? 0}</td>
            <td className="soft">
              <When at={Number(metadata?.creationTimestamp ?? 0)} />
            </td>
            <td>
              <Link
                to="/i/$instance/terminal"
                params={{ instance }}
                search={{ cluster, ns: metadata?.namespace ?? '', pod: metadata?.name ?? '' }}
                aria-label={t('terminal.of', { name: metadata?.name ?? '' })}
              >
                {t('menu.terminal')}
              </Link>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
