/** One cluster of the inventory: how it does, what is used of it, how it is reached, and whom it serves. */
import { useQuery } from '@connectrpc/connect-query';
import { Group, Stack } from '@mantine/core';
import { Link, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Cluster } from '#gen/proto/kpanda/api/cluster/v1alpha1/cluster_pb.ts';
import { ClusterService } from '#gen/proto/kpanda/api/cluster/v1alpha1/cluster_service_pb.ts';
import { pairsOf } from '../../api/pairs.ts';
import { useMay } from '../../api/permissions.ts';
import { engineSays } from '../../i18n/language.ts';
import { GuardedButton } from '../../parts/guarded.tsx';
import { Facts, Page, Panel } from '../../parts/page.tsx';
import { Answer, Empty } from '../../parts/problems.tsx';
import { Banner, Status } from '../../parts/status.tsx';
import { When } from '../../parts/when.tsx';
import { millis } from '../workload/shared.ts';
import { EditCluster, RemoveCluster, RotateCredential } from './cluster-dialogs.tsx';
import { inventoryState, placeText, useServed } from './shared.ts';
import { Usage, Used } from './usage.tsx';

export function InventoryClusterPage() {
  const { cluster: name } = useParams({ from: '/clusters/$cluster' });
  const asked = useQuery(ClusterService.method.getCluster, { name }, { refetchInterval: 10_000 });
  const served = useServed().get(name) ?? [];
  return (
    <Page
      title={name}
      sub={asked.data && [asked.data.spec?.aliasName, placeText(asked.data)].filter(Boolean).join(' · ')}
      actions={asked.data && <Actions cluster={asked.data} served={served} />}
    >
      <Answer of={asked}>{(cluster) => <Detail cluster={cluster} served={served} />}</Answer>
    </Page>
  );
}

interface Shown {
  readonly cluster: Cluster;
  readonly served: readonly string[];
}

function Actions({ cluster, served }: Shown) {
  const { t } = useTranslation();
  const [open, setOpen] = useState<'edit' | 'rotate' | 'remove'>();
  const mayUpdate = useMay('kpanda/cluster/update');
  const mayRotate = useMay('kpanda/cluster/rotate');
  const mayDelete = useMay('kpanda/cluster/delete');
  const close = () => setOpen(undefined);
  return (
    <Group gap={8}>
      <GuardedButton may={mayUpdate} variant="default" onClick={() => setOpen('edit')}>
        {t('inventory.edit')}
      </GuardedButton>
      <GuardedButton may={mayRotate} variant="default" onClick={() => setOpen('rotate')}>
        {t('inventory.rotate')}
      </GuardedButton>
      <GuardedButton may={mayDelete} variant="default" onClick={() => setOpen('remove')}>
        {t('action.remove')}
      </GuardedButton>
      {open === 'edit' && <EditCluster cluster={cluster} onClose={close} />}
      {open === 'rotate' && <RotateCredential name={cluster.metadata?.name ?? ''} onClose={close} />}
      {open === 'remove' && <RemoveCluster name={cluster.metadata?.name ?? ''} served={served} onClose={close} />}
    </Group>
  );
}

function Detail({ cluster, served }: Shown) {
  const { t } = useTranslation();
  const { metadata, spec, status } = cluster;
  const state = inventoryState(cluster);
  return (
    <Stack gap={14}>
      <Banner
        state={state}
        action={served.length === 0 && state === 'healthy' && <Link to="/instances">{t('inventory.joinOne')}</Link>}
      >
        <b>{t(`inventory.sentence.${state}`)}</b>{' '}
        {served.length === 0
          ? t('inventory.servesNobody')
          : t('inventory.servesThese', { instances: served.join(', ') })}
      </Banner>
      <div className="two">
        <Stack gap={14}>
          <Usage cluster={metadata?.name ?? ''} />
          <Conditions of={cluster} />
        </Stack>
        <Stack gap={14}>
          <Panel title={t('inventory.capacity')}>
            <Used of={cluster} />
          </Panel>
          <Panel title={t('inventory.credential')}>
            <Credential of={cluster} />
          </Panel>
          <Panel title={t('workload.about')}>
            <Facts
              of={[
                ['Kubernetes', status?.kubernetesVersion || '–'],
                [t('inventory.platform'), status?.platform || '–'],
                [t('overview.nodes'), `${status?.nodeSummary?.ready ?? 0}/${status?.nodeSummary?.total ?? 0}`],
                [t('inventory.pods'), `${status?.podSummary?.running ?? 0}/${status?.podSummary?.total ?? 0}`],
                [t('cluster.podCidr'), status?.podCidr || '–'],
                [
                  t('inventory.serves'),
                  served.length === 0
                    ? t('inventory.servesNone')
                    : served.map((instance) => (
                        <Link
                          key={instance}
                          to="/i/$instance/clusters/$cluster"
                          params={{ instance, cluster: metadata?.name ?? '' }}
                          style={{ marginRight: 6 }}
                        >
                          {instance}
                        </Link>
                      )),
                ],
                [t('field.labels'), pairsOf(metadata?.labels).join(', ') || '–'],
                [t('inventory.managedBy'), spec?.managedBy || '–'],
                [t('inventory.imported'), <When key="when" full at={Number(metadata?.creationTimestamp ?? 0)} />],
              ]}
            />
          </Panel>
        </Stack>
      </div>
    </Stack>
  );
}

function Credential({ of: { spec, status } }: { readonly of: Cluster }) {
  const { t } = useTranslation();
  const { type = '', expiresAt } = status?.credential ?? {};
  const ends = millis(expiresAt);
  return (
    <Facts
      of={[
        [
          t('cluster.endpoint'),
          <span key="at" className="mono">
            {spec?.apiEndpoint || '–'}
          </span>,
        ],
        [t('inventory.credentialType'), type || '–'],
        [t('settings.ends'), ends > 0 ? <When key="ends" full at={ends} /> : t('inventory.endsNever')],
      ]}
    />
  );
}

function Conditions({ of: { status } }: { readonly of: Cluster }) {
  const { t } = useTranslation();
  const conditions = status?.conditions ?? [];
  return (
    <Panel title={t('inventory.health')} flush>
      {conditions.length === 0 ? (
        <Empty title={t('inventory.noHealth')} />
      ) : (
        <table className="grid">
          <tbody>
            {conditions.map(({ type, status: holds, reason, message, lastTransitionTime }) => (
              <tr key={type}>
                <td style={{ width: 170 }}>
                  <Status
                    state={holds === 'True' ? 'healthy' : holds === 'False' ? 'blocked' : 'unknown'}
                    word={type}
                  />
                </td>
                <td>
                  {engineSays(message)} <span className="soft">{reason}</span>
                </td>
                <td className="soft" style={{ whiteSpace: 'nowrap' }}>
                  <When at={Date.parse(lastTransitionTime ?? '')} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Panel>
  );
}
