/** What each cluster has given of what it can, side by side: where there is room, and where there is none. */
import { Link } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { clusterState, isCordoned, useClusters } from '../../api/clusters.ts';
import { quantity } from '../../api/quantity.ts';
import { percent } from '../../i18n/words.ts';
import { Panel } from '../../parts/page.tsx';
import { Answer, Empty } from '../../parts/problems.tsx';
import { StateIcon } from '../../parts/status.tsx';

export function ClusterStrips({ instance }: { readonly instance: string }) {
  const { t } = useTranslation();
  const asked = useClusters(instance);
  return (
    <Panel title={t('overview.perCluster')} flush>
      <Answer of={asked}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty title={t('cluster.none')} />
          ) : (
            <table className="grid">
              <thead>
                <tr>
                  <th scope="col">{t('field.cluster')}</th>
                  <th scope="col">CPU</th>
                  <th scope="col">{t('cluster.memory')}</th>
                </tr>
              </thead>
              <tbody>
                {items.map((cluster) => (
                  <tr key={cluster.metadata?.name}>
                    <td style={{ whiteSpace: 'nowrap' }}>
                      <span
                        className="status"
                        data-state={isCordoned(cluster) ? 'degraded' : clusterState(cluster)}
                        style={{ marginRight: 6 }}
                      >
                        <StateIcon state={isCordoned(cluster) ? 'degraded' : clusterState(cluster)} />
                      </span>
                      <Link
                        to="/i/$instance/clusters/$cluster"
                        params={{ instance, cluster: cluster.metadata?.name ?? '' }}
                      >
                        {cluster.metadata?.name}
                      </Link>
                    </td>
                    {['cpu', 'memory'].map((name) => (
                      <td key={name} style={{ minWidth: 90 }}>
                        <Strip
                          name={name}
                          all={quantity(cluster.status?.resourceSummary?.allocatable[name])}
                          given={quantity(cluster.status?.resourceSummary?.allocated[name])}
                        />
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          )
        }
      </Answer>
    </Panel>
  );
}

interface StripProps {
  readonly name: string;
  readonly all: number;
  readonly given: number;
}

function Strip({ name, all, given }: StripProps) {
  if (all === 0) return <span className="soft">–</span>;
  const share = given / all;
  return (
    <span style={{ display: 'flex', gap: 8, alignItems: 'center' }}>
      <span className="strip" role="img" aria-label={`${name}: ${percent(share)}`} style={{ flex: 1 }}>
        <i
          style={{
            width: percent(Math.min(1, share)),
            background: share > 0.9 ? 'var(--k-degraded)' : 'var(--k-accent)',
          }}
        />
      </span>
      <span className="soft num" style={{ width: 34, textAlign: 'right' }}>
        {percent(share)}
      </span>
    </span>
  );
}
