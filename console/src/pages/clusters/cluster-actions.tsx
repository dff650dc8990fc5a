/** What can be done with a member: each with what would leave or stay, and the command that does the same. */
import { create } from '@bufbuild/protobuf';
import { useQuery } from '@connectrpc/connect-query';
import { Checkbox, Group, TagsInput, Text, TextInput } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Cluster, ClusterSchema } from '#gen/proto/kairship/api/cluster/v1alpha1/cluster_pb.ts';
import {
  type CheckRemovalResponse,
  ClusterService,
  LeavingObject_Fate as Fate,
} from '#gen/proto/kairship/api/cluster/v1alpha1/cluster_service_pb.ts';
import { TaintEffect, TaintEffectSchema } from '#gen/proto/kairship/api/types/v1alpha1/types_pb.ts';
import { clustersApi, cordoned, isCordoned, taintText } from '../../api/clusters.ts';
import { mapOf, pairsOf } from '../../api/pairs.ts';
import { useMay } from '../../api/permissions.ts';
import { effectWord, type Imagined, useSimulation } from '../../api/simulation.ts';
import { wordOf } from '../../api/words.ts';
import { Command } from '../../parts/command.tsx';
import { FormDialog } from '../../parts/dialog.tsx';
import { Effect } from '../../parts/effect.tsx';
import { GuardedButton } from '../../parts/guarded.tsx';
import { Answer } from '../../parts/problems.tsx';
import { Banner, type State, Status } from '../../parts/status.tsx';
import { ObjectList } from './object-list.tsx';

type Open = 'cordon' | 'edit' | 'remove' | undefined;

export function ClusterActions({ instance, cluster }: { readonly instance: string; readonly cluster: Cluster }) {
  const { t } = useTranslation();
  const [open, setOpen] = useState<Open>();
  const name = cluster.metadata?.name ?? '';
  const may = useMay('kairship/cluster/update', { instance });
  const mayRemove = useMay('kairship/cluster/remove', { instance });
  const close = () => setOpen(undefined);
  return (
    <Group gap={8}>
      <Command
        lines={[`kubectl --context ${instance}/${name} get nodes`, `kairship rehearse --lose ${name} -i ${instance}`]}
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
      {open === 'remove' && <Remove instance={instance} cluster={cluster} onClose={close} />}
    </Group>
  );
}

interface DialogProps {
  readonly instance: string;
  readonly cluster: Cluster;
  readonly onClose: () => void;
}

/** Other labels and taints, as the service wants them told. */
function change(
  instance: string,
  { metadata, spec }: Cluster,
  labels: Record<string, string>,
  taints: ReturnType<typeof cordoned>,
): Promise<unknown> {
  const name = metadata?.name ?? '';
  const cluster = create(ClusterSchema, {
    metadata: { name, labels },
    spec: { provider: spec?.provider ?? 0, taints: [...taints] },
  });
  return clustersApi.updateJoinedCluster({ instance, name, cluster });
}

function Cordon({ instance, cluster, onClose }: DialogProps) {
  const { t } = useTranslation();
  const name = cluster.metadata?.name ?? '';
  const will = !isCordoned(cluster);
  const effect = useSimulation(instance, will ? { cordon: [name] } : { uncordon: [name] });
  return (
    <FormDialog
      title={t(will ? 'cluster.cordonTitle' : 'cluster.uncordonTitle', { name })}
      size="lg"
      submit={t(will ? 'cluster.cordon' : 'cluster.uncordon')}
      act={() => change(instance, cluster, cluster.metadata?.labels ?? {}, cordoned(cluster, will))}
      onClose={onClose}
      command={`kairship cluster ${will ? 'cordon' : 'uncordon'} ${name} -i ${instance}`}
    >
      <Text size="sm">{t(will ? 'cluster.cordonText' : 'cluster.uncordonText')}</Text>
      <Effect of={effect} />
    </FormDialog>
  );
}

/** `key=value:NoSchedule`, or undefined for what is no taint. */
function taintOf(text: string) {
  const [, key = '', value = '', word = ''] =
    /^([^=:]+)(?:=([^:]*))?:(NoSchedule|PreferNoSchedule|NoExecute)$/.exec(text) ?? [];
  return key ? { key, value, effect: TaintEffect[word as keyof typeof TaintEffect] } : undefined;
}

function Edit({ instance, cluster, onClose }: DialogProps) {
  const { t } = useTranslation();
  const name = cluster.metadata?.name ?? '';
  const before = pairsOf(cluster.metadata?.labels ?? {});
  const [labels, setLabels] = useState(before);
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
  const newLabels = labels.filter((pair) => !before.includes(pair));
  const lostLabels = before.filter((pair) => !labels.includes(pair)).map((pair) => `${pair.split('=')[0] ?? ''}-`);
  const commands = [
    ...command('taint', [...added, ...removed.map((text) => `${text.split(/[=:]/)[0] ?? ''}-`)]),
    ...command('label', [...newLabels, ...lostLabels.filter((lost) => !newLabels.some((pair) => isOf(pair, lost)))]),
  ];
  function command(verb: 'taint' | 'label', words: readonly string[]): readonly string[] {
    return words.length === 0 ? [] : [`kairship cluster ${verb} ${name} ${words.join(' ')} -i ${instance}`];
  }
  return (
    <FormDialog
      title={t('cluster.editTitle', { name })}
      size="lg"
      submit={`${t('effect.apply')} – ${t(`effect.${key}`, { count })}`}
      disabled={wrong !== undefined}
      act={() =>
        change(
          instance,
          cluster,
          mapOf(labels),
          read.flatMap((taint) => (taint ? [taint] : [])),
        )
      }
      onClose={onClose}
      command={commands.length === 0 ? undefined : commands.join('\n')}
    >
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
    </FormDialog>
  );
}

/** Whether `tier=prod` sets what `tier-` would take away. */
const isOf = (pair: string, lost: string) => `${pair.split('=')[0] ?? ''}-` === lost;

function asClusterTaint(text: string) {
  const taint = taintOf(text);
  return taint ? [{ key: taint.key, value: taint.value, effect: wordOf(TaintEffectSchema, taint.effect) }] : [];
}

/** Removal asks for the name, and stays shut while something would fit nowhere. */
function Remove({ instance, cluster, onClose }: DialogProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const name = cluster.metadata?.name ?? '';
  const [typed, setTyped] = useState('');
  const [force, setForce] = useState(false);
  const effect = useSimulation(instance, { unjoin: [name] });
  const check = useQuery(ClusterService.method.checkRemoval, { instance, name });
  const stuck = effect.data?.unschedulable.length ?? 0;
  const silent = check.data?.reachable === false;
  return (
    <FormDialog
      title={t('cluster.removeTitle', { name })}
      size="lg"
      submit={t('cluster.remove')}
      danger
      disabled={typed !== name || stuck > 0 || effect.data === undefined}
      act={() => clustersApi.removeJoinedCluster({ instance, name, force })}
      then={() => navigate({ to: '/i/$instance/clusters', params: { instance } })}
      onClose={onClose}
      command={`kairship cluster remove ${name} -i ${instance}${force ? ' --force' : ''}`}
    >
      <Text size="sm">{t('cluster.removeText')}</Text>
      <Effect of={effect} />
      <Answer of={check} rows={2}>
        {(data) => <Leaving name={name} of={data} />}
      </Answer>
      {stuck > 0 && <Banner state="blocked">{t('cluster.removeBlocked', { count: stuck })}</Banner>}
      {silent && (
        <Checkbox
          label={t('cluster.leaves.force')}
          description={t('cluster.leaves.forceHint')}
          checked={force}
          onChange={(event) => setForce(event.currentTarget.checked)}
        />
      )}
      <TextInput
        label={t('action.typeName', { name })}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
    </FormDialog>
  );
}

const FATES: Readonly<Record<number, readonly [State, 'deleted' | 'kept' | 'left']>> = {
  [Fate.deleted]: ['degraded', 'deleted'],
  [Fate.kept]: ['healthy', 'kept'],
  [Fate.left]: ['unknown', 'left'],
};

function Leaving({ name, of: { items, reachable } }: { readonly name: string; readonly of: CheckRemovalResponse }) {
  const { t } = useTranslation();
  const deleted = items.filter(({ fate }) => fate === Fate.deleted).length;
  const stay = items.length - deleted;
  return (
    <>
      <Banner state={reachable ? 'progressing' : 'unknown'} imagined>
        <b>{t('cluster.leaves.deletedCount', { count: deleted, name })}</b>{' '}
        {stay > 0 && t(reachable ? 'cluster.leaves.keptCount' : 'cluster.leaves.leftCount', { count: stay })}
      </Banner>
      <ObjectList
        label={t('cluster.leaves.list')}
        of={items.map(({ resource, replicas, fate }) => {
          const [state, word] = FATES[fate] ?? (['unknown', 'left'] as const);
          return { resource, replicas, told: <Status imagined state={state} word={t(`cluster.leaves.${word}`)} /> };
        })}
      />
    </>
  );
}
