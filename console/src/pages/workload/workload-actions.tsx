/** What can be done with a workload. Whatever changes it opens its trace, so that one watches it arrive. */
import { createClient } from '@connectrpc/connect';
import { Button, Group, Menu, NumberInput, Text, Tooltip } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { ChevronDown, FileCode, History, Pause, Play, RotateCw, Scaling, Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { BatchService } from '#gen/proto/kairship/api/batch/v1alpha1/batch_service_pb.ts';
import { WorkloadService } from '#gen/proto/kairship/api/workload/v1alpha1/workload_service_pb.ts';
import { CRON_JOB, DAEMON_SET, DEPLOYMENT, type Kind, STATEFUL_SET } from '../../api/kinds.ts';
import { deleteObject, type ObjectRef, patchObject, replaceObject, type Thing } from '../../api/objects.ts';
import { type May, useMay } from '../../api/permissions.ts';
import { problemOf } from '../../api/problem.ts';
import { effectWord, useSimulation } from '../../api/simulation.ts';
import { transport } from '../../api/transport.ts';
import { Command } from '../../parts/command.tsx';
import { FormDialog } from '../../parts/dialog.tsx';
import { Effect } from '../../parts/effect.tsx';
import { GuardedButton } from '../../parts/guarded.tsx';
import { DeleteObject, EditYaml } from '../../parts/object-dialogs.tsx';
import { RollbackDialog } from './rollback-dialog.tsx';
import { resourceOf } from './shared.ts';

const workloads = createClient(WorkloadService, transport);
const batch = createClient(BatchService, transport);

type Rollout = 'restart' | 'pause' | 'resume';
type Open = 'scale' | 'yaml' | 'delete' | 'rollback' | undefined;

/** What can be done with the pods of each kind. */
const ROLLED: readonly Kind[] = [DEPLOYMENT, STATEFUL_SET, DAEMON_SET];
const PAUSED: readonly Kind[] = [DEPLOYMENT, CRON_JOB];

async function roll({ instance, kind, namespace, name }: ObjectRef, action: Rollout): Promise<void> {
  const at = { instance, namespace, name };
  if (kind === CRON_JOB) {
    if (action === 'pause') await batch.pauseCronJob({ ...at, paused: true });
    else await batch.resumeCronJob({ ...at, paused: false });
    return;
  }
  const one = { ...at, kind: kind.resource };
  if (action === 'restart') await workloads.restartWorkload(one);
  else if (action === 'pause') await workloads.pauseWorkload(one);
  else await workloads.resumeWorkload(one);
}

export function WorkloadActions({ of, object }: { readonly of: ObjectRef; readonly object: Thing }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const cache = useQueryClient();
  const [open, setOpen] = useState<Open>();
  const { instance, kind, namespace, name } = of;
  const may = useMay('kairship/custom-resource/update', { instance, namespace });
  const mayDelete = useMay('kairship/custom-resource/delete', { instance, namespace });
  const mayRoll = useMay('kairship/workload/update', { instance, namespace });
  const close = () => setOpen(undefined);
  const watchIt = async () => {
    close();
    void cache.invalidateQueries();
    await navigate({
      to: '/i/$instance/workloads/$kind/$namespace/$name/{-$tab}',
      params: { instance, kind: kind.kind, namespace, name, tab: 'trace' },
    });
  };
  const rollout = useMutation({ mutationFn: (action: Rollout) => roll(of, action), onSuccess: watchIt });
  const { replicas, paused, suspend } = (object.spec ?? {}) as {
    readonly replicas?: number;
    readonly paused?: boolean;
    readonly suspend?: boolean;
  };
  const isPaused = paused === true || suspend === true;
  const rolls = ROLLED.includes(kind);
  return (
    <Group gap={8}>
      {rollout.error && (
        <Text c="red" size="xs">
          {problemOf(rollout.error).message}
        </Text>
      )}
      <Command
        lines={[
          `kubectl -n ${namespace} get ${kind.resource} ${name} -o yaml`,
          ...(replicas === undefined
            ? []
            : [`kubectl -n ${namespace} scale ${kind.resource}/${name} --replicas=${replicas}`]),
          ...(rolls ? [`kubectl -n ${namespace} rollout restart ${kind.resource}/${name}`] : []),
          `kairship why ${kind.kind.toLowerCase()}/${name} -n ${namespace}`,
          `kairship trace ${kind.kind.toLowerCase()}/${name} -n ${namespace} -w`,
        ]}
      />
      {replicas !== undefined && (
        <GuardedButton
          may={may}
          variant="default"
          leftSection={<Scaling size={14} aria-hidden />}
          onClick={() => setOpen('scale')}
        >
          {t('action.scale')}
        </GuardedButton>
      )}
      <GuardedButton
        may={may}
        variant="default"
        leftSection={<FileCode size={14} aria-hidden />}
        onClick={() => setOpen('yaml')}
      >
        {t('action.editYaml')}
      </GuardedButton>
      <Menu position="bottom-end" shadow="md">
        <Menu.Target>
          <Button variant="default" rightSection={<ChevronDown size={13} aria-hidden />}>
            {t('action.more')}
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          {rolls && (
            <>
              <GuardedItem may={mayRoll} icon={<RotateCw size={14} />} onClick={() => rollout.mutate('restart')}>
                {t('action.restart')}
              </GuardedItem>
              <GuardedItem may={mayRoll} icon={<History size={14} />} onClick={() => setOpen('rollback')}>
                {t('rollback.action')}
              </GuardedItem>
            </>
          )}
          {PAUSED.includes(kind) && (
            <GuardedItem
              may={mayRoll}
              icon={isPaused ? <Play size={14} /> : <Pause size={14} />}
              onClick={() => rollout.mutate(isPaused ? 'resume' : 'pause')}
            >
              {t(isPaused ? 'action.resume' : 'action.pause')}
            </GuardedItem>
          )}
          {(rolls || PAUSED.includes(kind)) && <Menu.Divider />}
          <GuardedItem may={mayDelete} icon={<Trash2 size={14} />} onClick={() => setOpen('delete')}>
            {t('action.delete')}
          </GuardedItem>
        </Menu.Dropdown>
      </Menu>
      {open === 'scale' && <Scale of={of} now={replicas ?? 0} onClose={close} onDone={watchIt} />}
      {open === 'rollback' && <RollbackDialog of={of} onClose={close} onDone={watchIt} />}
      {open === 'yaml' && (
        <EditYaml of={of} object={object} save={(text) => replaceObject(of, text)} onClose={close} onDone={watchIt} />
      )}
      {open === 'delete' && (
        <DeleteObject
          of={of}
          remove={() => deleteObject(of)}
          onClose={close}
          onDone={() => navigate({ to: '/i/$instance/workloads', params: { instance }, search: { kind: kind.kind } })}
        />
      )}
    </Group>
  );
}

/** An item that is disabled, not hidden, for whoever may not. */
function GuardedItem({
  may,
  icon,
  onClick,
  children,
}: {
  readonly may: May;
  readonly icon: ReactNode;
  readonly onClick: () => void;
  readonly children: string;
}) {
  const { t } = useTranslation();
  const label = may.missing ? t('action.needs', { right: may.missing }) : t('state.loading');
  return (
    <Tooltip label={label} disabled={may.allowed} position="left">
      <Menu.Item
        disabled={!may.allowed}
        leftSection={icon}
        onClick={onClick}
        {...(may.allowed ? {} : { 'aria-description': label })}
      >
        {children}
      </Menu.Item>
    </Tooltip>
  );
}

interface ScaleProps {
  readonly of: ObjectRef;
  readonly now: number;
  readonly onClose: () => void;
  readonly onDone: () => Promise<void>;
}

/** Another number of replicas, with where they would go. */
function Scale({ of, now, onClose, onDone }: ScaleProps) {
  const { t } = useTranslation();
  const [replicas, setReplicas] = useState(now);
  const effect = useSimulation(
    of.instance,
    replicas === now ? undefined : { replicas: [{ ...resourceOf(of), replicas }] },
  );
  const { key, count } = effectWord(replicas === now ? undefined : effect.data);
  return (
    <FormDialog
      title={t('workload.scale', { name: of.name })}
      size="lg"
      submit={`${t('effect.apply')} – ${t(`effect.${key}`, { count })}`}
      disabled={replicas === now}
      act={() => patchObject(of, { spec: { replicas } })}
      then={onDone}
      onClose={onClose}
      command={`kubectl -n ${of.namespace} scale ${of.kind.resource}/${of.name} --replicas=${replicas}`}
    >
      <NumberInput
        label={t('field.replicas')}
        min={0}
        max={100_000}
        value={replicas}
        onChange={(value) => setReplicas(typeof value === 'number' ? value : now)}
        data-autofocus
      />
      {replicas !== now && <Effect of={effect} />}
    </FormDialog>
  );
}
