/** What an instance is and what it holds: each number leads to its list. */
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Instance } from '#gen/proto/kairship/api/instance/v1alpha1/instance_pb.ts';
import { useReady } from '../../api/clusters.ts';
import { POLICIES } from '../../api/kinds.ts';
import { Facts, Panel } from '../../parts/page.tsx';
import { When } from '../../parts/when.tsx';
import { hostWord } from '../instances/host-word.ts';

type PolicyKind = 'PropagationPolicy' | 'ClusterPropagationPolicy' | 'OverridePolicy' | 'ClusterOverridePolicy';

/** Rows of lists, by the resources that the summary counts. */
const ROWS = [
  ['namespaces', [['Namespace', 'namespaces']]],
  ['claims', [['PersistentVolumeClaim', 'persistentvolumeclaims']]],
  [
    'services',
    [
      ['Service', 'services'],
      ['Ingress', 'ingresses'],
    ],
  ],
  [
    'config',
    [
      ['ConfigMap', 'configmaps'],
      ['Secret', 'secrets'],
    ],
  ],
] as const;

export function About({ of }: { readonly of: Instance }) {
  const { t } = useTranslation();
  const { metadata, status } = of;
  return (
    <Panel
      title={t('overview.about')}
      aside={
        <Link to="/i/$instance/settings" params={{ instance: metadata?.name ?? '' }} search={{}}>
          {t('menu.settings')}
        </Link>
      }
    >
      <Facts
        of={[
          [t('field.name'), metadata?.name],
          [t('instance.alias'), metadata?.annotations['kairship.io/alias-name'] || '–'],
          [t('instance.host'), hostWord(t, of)],
          ['Karmada', status?.karmadaVersion || '–'],
          ['Kubernetes', status?.kubernetesVersion || '–'],
          [t('field.created'), <When key="created" full at={Number(metadata?.creationTimestamp ?? 0)} />],
        ]}
      />
    </Panel>
  );
}

export function Inside({ of }: { readonly of: Instance }) {
  const { t } = useTranslation();
  const instance = of.metadata?.name ?? '';
  const { resourceTotalNum = {}, policyTotalNum = {}, nodeSummary, clusterSummary } = of.status?.summary ?? {};
  const ready = useReady(instance, clusterSummary);
  return (
    <Panel title={t('overview.inside')}>
      <Facts
        of={[
          [
            t('overview.clusters'),
            <Link key="clusters" to="/i/$instance/clusters" params={{ instance }} search={{}}>
              <Share of={ready} />
            </Link>,
          ],
          [
            t('overview.nodes'),
            <Link key="nodes" to="/i/$instance/clusters" params={{ instance }} search={{}}>
              <Share of={nodeSummary} />
            </Link>,
          ],
          ...ROWS.map(
            ([row, kinds]) =>
              [
                t(`overview.${row}`),
                <Several key={row}>
                  {kinds.map(([kind, resource]) => (
                    <Link key={kind} to="/i/$instance/resources" params={{ instance }} search={{ kind }}>
                      {resourceTotalNum[resource] ?? 0}
                      {kinds.length > 1 && ` ${t(`resource.kinds.${kind}`)}`}
                    </Link>
                  ))}
                </Several>,
              ] as const,
          ),
          [
            t('menu.policies'),
            <Several key="policies">
              {POLICIES.map(({ kind }) => (
                <Link key={kind} to="/i/$instance/policies" params={{ instance }} search={{ kind }}>
                  {policyTotalNum[kind] ?? 0} {t(`policy.kind.${kind as PolicyKind}`)}
                </Link>
              ))}
            </Several>,
          ],
        ]}
      />
    </Panel>
  );
}

function Several({ children }: { readonly children: ReactNode }) {
  return <span style={{ display: 'flex', flexWrap: 'wrap', columnGap: 12, whiteSpace: 'nowrap' }}>{children}</span>;
}

/** `2/3`, marked where some are missing. */
function Share({ of }: { readonly of: { readonly readyNum: number; readonly totalNum: number } | undefined }) {
  const { t } = useTranslation();
  const { readyNum = 0, totalNum = 0 } = of ?? {};
  const missing = totalNum - readyNum;
  if (missing <= 0) return <>{`${readyNum}/${totalNum}`}</>;
  return (
    <span className="status" data-state="blocked">
      {`${readyNum}/${totalNum}`} {t('overview.missing', { count: missing })}
    </span>
  );
}
