/** One member: what it is, what runs there, and what leaves or stays when it is cordoned, tainted or removed. */
import { create } from '@bufbuild/protobuf';
import { Button, Group, Modal, Stack, TagsInput, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Cluster, ClusterSchema } from '#gen/proto/kairship/api/cluster/v1alpha1/cluster_pb.ts';
import { TaintEffect, TaintEffectSchema } from '#gen/proto/kairship/api/types/v1alpha1/types_pb.ts';
import { clustersApi, clusterState, cordoned, isCordoned, placeOf, taintText, useClusters } from '../api/clusters.ts';
import { BINDING, CLUSTER } from '../api/kinds.ts';
import { useLive } from '../api/live.ts';
import { useMay } from '../api/permissions.ts';
import { problemOf } from '../api/problem.ts';
import { type Imagined, effectWord, useSimulation } from '../api/simulation.ts';
import { wordOf } from '../api/words.ts';
import { moment } from '../i18n/words.ts';
import { Capacity } from '../parts/capacity.tsx';
import { Command } from '../parts/command.tsx';
import { Effect } from '../parts/effect.tsx';
import { GuardedButton } from '../parts/guarded.tsx';
import { LiveChip } from '../parts/live-chip.tsx';
import { Facts, Page, Panel } from '../parts/page.tsx';
import { Answer, Empty } from '../parts/problems.tsx';
import { Banner } from '../parts/status.tsx';
import { PlacementMap } from './placement-map.tsx';

export function ClusterPage() {
  const { t } = useTranslation();
  const { instance, cluster: name } = useParams({ from: '/i/$instance/clusters/$cluster' });
  const live = useLive(instance, [CLUSTER, BINDING]);
  const clusters = useClusters(instance);
  const cluster = clusters.data?.items.find(({ metadata }) => metadata?.name === name);
  return (
    <Page
      title={name}
      sub={cluster && placeOf(cluster)}
      actions={
        <>
          <LiveChip state={live} />
          {cluster && <Actions instance={instance} cluster={cluster} />}
        </>
      }
    >
      <Answer of={clusters}>
        {() =>
          cluster ? <Detail instance={instance} cluster={cluster} /> : <Empty title={t('cluster.gone', { name })} />
        }
      </Answer>
    </Page>
  );
}

function Detail({ instance, cluster }: { readonly instance: string; readonly cluster: Cluster }) {
  const { t } = useTranslation();
  const { metadata, spec, status } = cluster;
  const state = isCordoned(cluster) ? 'degraded' : clusterState(cluster);
  return (
    <Stack gap={14}>
      <Banner state={state}>
        <b>{t(isCordoned(cluster) ? 'cluster.sentence.cordoned' : `cluster.sentence.${clusterState(cluster)}`)}</b>
      </Banner>
      <div className="two">
        <PlacementMap instance={instance} only={metadata?.name ?? ''} />
        <Stack gap={14}>
          <Panel title={t('overview.capacity')}>
            <Capacity of={status?.resourceSummary} all />
          </Panel>
          <Panel title={t('workload.about')}>
            <Facts
              of={[
                ['Kubernetes', status?.kubernetesVersion || '–'],
                [t('cluster.mode'), status?.proxyMode || '–'],
                [
                  t('cluster.endpoint'),
                  <span key="at" className="mono">
                    {spec?.apiEndpoint || '–'}
                  </span>,
                ],
                [
                  t('cluster.podCidr'),
                  <span key="cidr" className="mono">
                    {status?.podCidr || '–'}
                  </span>,
                ],
                [
                  t('field.labels'),
                  Object.entries(metadata?.labels ?? {})
                    .map(([key, value]) => `${key}=${value}`)
                    .join(', ') || '–',
                ],
                [t('cluster.taints'), spec?.taints.map(taintText).join(', ') || '–'],
                [t('cluster.joined'), moment(Number(metadata?.creationTimestamp ?? 0))],
              ]}
            />
          </Panel>
        </Stack>
      </div>
    </Stack>
  );
}

type Open = 'cordon' | 'edit' | 'remove' | undefined;

function Actions({ instance, cluster }: { readonly instance: string; readonly cluster: Cluster }) {
  const { t } = useTranslation();
  const [open, setOpen] = useState<Open>();
  const name = cluster.metadata?.name ?? '';
  const may = useMay('kairship/cluster/update', { instance });
  const mayRemove = useMay('kairship/cluster/remove', { instance });
  const close = () => setOpen(undefined);
  return (
    <Group gap={8}>
      <Command
        lines={[
          `kubectl --context ${instance}/${name} get nodes`,
          `kairship cluster ${isCordoned(cluster) ? 'uncordon' : 'cordon'} ${name}`,
          `kairship rehearse --lose ${name}`,
        ]}
      />
      <GuardedButton may={may} variant="default" onClick={() => setOpen('edit')}>
        {t('cluster.edit')}
      </GuardedButton>
      <GuardedButton may={may} variant="default" onClick={() => setOpen('cordon')}>
        {t(isCordoned(cluster) ? 'cluster.uncordon' : 'cluster.cordon')}
      </GuardedButton>
      <GuardedButton may={mayRemove} variant="default" onClick={() => setOpen('remove')}>
        {t('cluster.remove')}
      </GuardedButton>
      {open === 'cordon' && <Cordon instance={instance} cluster={cluster} onClose={close} />}
      {open === 'edit' && <Edit instance={instance} cluster={cluster} onClose={close} />}
      {open === 'remove' && <Remove instance={instance} name={name} onClose={close} />}
    </Group>
  );
}

interface DialogProps {
  readonly instance: string;
  readonly cluster: Cluster;
  readonly onClose: () => void;
}

/** A cluster with other labels and taints, as the service wants it told. */
function changed(cluster: Cluster, labels: Record<string, string>, taints: ReturnType<typeof cordoned>): Cluster {
  return create(ClusterSchema, {
    metadata: { name: cluster.metadata?.name ?? '', labels },
    spec: { provider: cluster.spec?.provider ?? 0, taints: [...taints] },
  });
}

function useChange(instance: string, onClose: () => void) {
  const cache = useQueryClient();
  return useMutation({
    mutationFn: (cluster: Cluster) =>
      clustersApi.updateJoinedCluster({ instance, name: cluster.metadata?.name ?? '', cluster }),
    onSuccess: async () => {
      onClose();
      await cache.invalidateQueries();
    },
  });
}

function Cordon({ instance, cluster, onClose }: DialogProps) {
  const { t } = useTranslation();
  const name = cluster.metadata?.name ?? '';
  const will = !isCordoned(cluster);
  const effect = useSimulation(instance, will ? { cordon: [name] } : { uncordon: [name] });
  const change = useChange(instance, onClose);
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={t(will ? 'cluster.cordonTitle' : 'cluster.uncordonTitle', { name })}
      closeButtonProps={{ 'aria-label': t('action.close') }}
    >
      <Stack gap="sm">
        <Text size="sm">{t(will ? 'cluster.cordonText' : 'cluster.uncordonText')}</Text>
        <Effect of={effect} />
        {change.error && <Banner state="blocked">{problemOf(change.error).message}</Banner>}
        <Group justify="flex-end">
          <Button
            loading={change.isPending}
            onClick={() => change.mutate(changed(cluster, cluster.metadata?.labels ?? {}, cordoned(cluster, will)))}
          >
            {t(will ? 'cluster.cordon' : 'cluster.uncordon')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

/** `key=value:NoSchedule`, or undefined for what is no taint. */
export function taintOf(text: string) {
  const [, key = '', value = '', word = ''] =
    /^([^=:]+)(?:=([^:]*))?:(NoSchedule|PreferNoSchedule|NoExecute)$/.exec(text) ?? [];
  return key ? { key, value, effect: TaintEffect[word as keyof typeof TaintEffect] } : undefined;
}

function Edit({ instance, cluster, onClose }: DialogProps) {
  const { t } = useTranslation();
  const name = cluster.metadata?.name ?? '';
  const [labels, setLabels] = useState(() =>
    Object.entries(cluster.metadata?.labels ?? {}).map((pair) => pair.join('=')),
  );
  const [taints, setTaints] = useState(() => (cluster.spec?.taints ?? []).map(taintText));
  const read = taints.map(taintOf);
  const wrong = taints.find((_, index) => !read[index]);
  const now = new Set((cluster.spec?.taints ?? []).map(taintText));
  const added = taints.filter((text) => !now.has(text));
  const removed = [...now].filter((text) => !taints.includes(text));
  const imagined: Imagined = {
    taints: [{ cluster: name, add: added.flatMap(asClusterTaint), remove: removed.flatMap(asClusterTaint) }],
  };
  const differs = wrong === undefined && added.length + removed.length > 0;
  const effect = useSimulation(instance, differs ? imagined : undefined);
  const { key, count } = effectWord(differs ? effect.data : undefined);
  const change = useChange(instance, onClose);
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={t('cluster.editTitle', { name })}
      closeButtonProps={{ 'aria-label': t('action.close') }}
    >
      <Stack gap="sm">
        <TagsInput label={t('field.labels')} placeholder="tier=prod" value={labels} onChange={setLabels} />
        <TagsInput
          label={t('cluster.taints')}
          description={t('cluster.taintHint')}
          placeholder="maintenance=true:NoSchedule"
          value={taints}
          onChange={setTaints}
          error={wrong && t('cluster.noTaint', { text: wrong })}
        />
        {differs && <Effect of={effect} />}
        {change.error && <Banner state="blocked">{problemOf(change.error).message}</Banner>}
        <Group justify="flex-end">
          <Button
            disabled={wrong !== undefined}
            loading={change.isPending}
            onClick={() =>
              change.mutate(
                changed(
                  cluster,
                  Object.fromEntries(
                    labels.map((pair) => pair.split('=')).map(([label = '', value = '']) => [label, value]),
                  ),
                  read.flatMap((taint) => (taint ? [taint] : [])),
                ),
              )
            }
          >
            {t('effect.apply')} – {t(`effect.${key}`, { count })}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

function asClusterTaint(text: string) {
  const taint = taintOf(text);
  return taint ? [{ key: taint.key, value: taint.value, effect: wordOf(TaintEffectSchema, taint.effect) }] : [];
}

/** Removal asks for the name, and stays shut while something would fit nowhere. */
function Remove({
  instance,
  name,
  onClose,
}: {
  readonly instance: string;
  readonly name: string;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const cache = useQueryClient();
  const [typed, setTyped] = useState('');
  const effect = useSimulation(instance, { unjoin: [name] });
  const stuck = effect.data?.unschedulable.length ?? 0;
  const remove = useMutation({
    mutationFn: () => clustersApi.removeJoinedCluster({ instance, name }),
    onSuccess: async () => {
      await navigate({ to: '/i/$instance/clusters', params: { instance } });
      await cache.invalidateQueries();
    },
  });
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={t('cluster.removeTitle', { name })}
      closeButtonProps={{ 'aria-label': t('action.close') }}
    >
      <Stack gap="sm">
        <Text size="sm">{t('cluster.removeText')}</Text>
        <Effect of={effect} />
        {stuck > 0 && <Banner state="blocked">{t('cluster.removeBlocked', { count: stuck })}</Banner>}
        <TextInput
          label={t('action.typeName', { name })}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
        />
        {remove.error && <Banner state="blocked">{problemOf(remove.error).message}</Banner>}
        <Group justify="flex-end">
          <Button
            color="red.8"
            disabled={typed !== name || stuck > 0 || effect.data === undefined}
            loading={remove.isPending}
            onClick={() => remove.mutate()}
          >
            {t('cluster.remove')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
