/**
 * A cluster joins: one of the inventory, with what the instance would write there and what is in its way; or one that
 * nobody reaches, by an agent (`join-by-agent.tsx`).
 */
import { useQuery } from '@connectrpc/connect-query';
import { SegmentedControl, Select, Text } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  type ArrivingObject,
  ArrivingObject_Outcome as Outcome,
  type CheckJoinResponse,
  ClusterService,
} from '#gen/proto/kairship/api/cluster/v1alpha1/cluster_service_pb.ts';
import { clustersApi, clusterState, placeOf } from '../../api/clusters.ts';
import { Capacity } from '../../parts/capacity.tsx';
import { Dialog, FormDialog } from '../../parts/dialog.tsx';
import { Facts } from '../../parts/page.tsx';
import { Answer, Empty } from '../../parts/problems.tsx';
import { Banner, type State, Status } from '../../parts/status.tsx';
import { JoinByAgent } from './join-by-agent.tsx';
import { ObjectList } from './object-list.tsx';

interface Props {
  readonly instance: string;
  readonly onClose: () => void;
}

type Way = 'push' | 'pull';

/** Pushed to, from the inventory, or pulling by an agent of its own: that depends on who reaches whom. */
export function JoinCluster({ instance, onClose }: Props) {
  const { t } = useTranslation();
  const [chosen, setWay] = useState<Way>('push');
  const way = (
    <SegmentedControl
      fullWidth
      aria-label={t('cluster.mode')}
      value={chosen}
      onChange={setWay}
      data={[
        { value: 'push', label: t('cluster.way.push') },
        { value: 'pull', label: t('cluster.way.pull') },
      ]}
    />
  );
  const props = { instance, onClose, way };
  return chosen === 'pull' ? <JoinByAgent {...props} /> : <JoinFromInventory {...props} />;
}

/** Candidates are clusters of the inventory that are in no instance yet. */
function JoinFromInventory({ instance, onClose, way }: Props & { readonly way: ReactNode }) {
  const { t } = useTranslation();
  const [name, setName] = useState<string | null>(null);
  const [joining, setJoining] = useState(false);
  const candidates = useQuery(ClusterService.method.listClusters, { instance, allCluster: true });
  const items = candidates.data?.items;
  if (!items || items.length === 0)
    return (
      <Dialog title={t('cluster.join')} onClose={onClose}>
        {way}
        <Answer of={candidates}>
          {() => <Empty title={t('cluster.noCandidates')}>{t('cluster.noCandidatesHint')}</Empty>}
        </Answer>
      </Dialog>
    );
  const chosen = items.find(({ metadata }) => metadata?.name === name);
  return (
    <FormDialog
      title={t('cluster.join')}
      size="lg"
      submit={t('cluster.join')}
      disabled={name === null}
      act={async () => {
        setJoining(true);
        try {
          await clustersApi.joinCluster({ instance, name: name ?? '' });
        } catch (error) {
          setJoining(false);
          throw error;
        }
      }}
      onClose={onClose}
      command={name === null ? undefined : `kairship cluster join ${name} --instance ${instance}`}
    >
      {way}
      <Select
        label={t('cluster.candidate')}
        data={items.map((cluster) => ({
          value: cluster.metadata?.name ?? '',
          label: [cluster.metadata?.name, placeOf(cluster)].filter(Boolean).join(' · '),
        }))}
        value={name}
        onChange={setName}
        data-autofocus
      />
      {chosen && (
        <>
          <Facts
            of={[
              [t('field.status'), <Status key="state" state={clusterState(chosen)} />],
              ['Kubernetes', chosen.status?.kubernetesVersion || '–'],
              [t('overview.capacity'), <Capacity key="capacity" of={chosen.status?.resourceSummary} />],
            ]}
          />
          <Arriving instance={instance} name={name ?? ''} joining={joining} />
        </>
      )}
      <Text size="xs" c="dimmed">
        {t('cluster.joinHint')}
      </Text>
    </FormDialog>
  );
}

interface ArrivingProps {
  readonly instance: string;
  readonly name: string;
  /** Once it joins, nothing is left to be asked. */
  readonly joining: boolean;
}

function Arriving({ instance, name, joining }: ArrivingProps) {
  const check = useQuery(ClusterService.method.checkJoin, { instance, name }, { retry: false, enabled: !joining });
  return <Answer of={check}>{(data) => <Arrivals name={name} of={data} />}</Answer>;
}

const WORDS: Readonly<Record<number, readonly [State, 'created' | 'takenOver' | 'conflict' | 'managed']>> = {
  [Outcome.created]: ['healthy', 'created'],
  [Outcome.takenOver]: ['degraded', 'takenOver'],
  [Outcome.conflict]: ['blocked', 'conflict'],
  [Outcome.managed]: ['degraded', 'managed'],
};

function Arrivals({ name, of: { items, fresh } }: { readonly name: string; readonly of: CheckJoinResponse }) {
  const { t } = useTranslation();
  const count = (outcome: Outcome) => items.filter((one) => one.outcome === outcome).length;
  const [taken, conflicts] = [count(Outcome.takenOver) + count(Outcome.managed), count(Outcome.conflict)];
  const told = (one: ArrivingObject) => {
    const [state, word] = WORDS[one.outcome] ?? WORDS[Outcome.created] ?? ['unknown', 'created'];
    return <Status imagined state={state} word={t(`cluster.arrives.${word}`)} />;
  };
  return (
    <>
      <Banner state={conflicts > 0 ? 'blocked' : taken > 0 ? 'degraded' : 'healthy'} imagined>
        <b>{t('cluster.arrives.count', { count: items.length, name })}</b>{' '}
        {taken + conflicts === 0
          ? items.length > 0 && t('cluster.arrives.free')
          : [
              taken > 0 && t('cluster.arrives.takenCount', { count: taken }),
              conflicts > 0 && t('cluster.arrives.conflictCount', { count: conflicts }),
            ]
              .filter(Boolean)
              .join(' ')}
        {!fresh && <div>{t('cluster.arrives.old')}</div>}
      </Banner>
      <ObjectList
        label={t('cluster.arrives.list')}
        of={items.map((one) => ({ resource: one.resource, replicas: one.replicas, told: told(one), by: one.policy }))}
      />
    </>
  );
}
