/** What can be done with a workload. Whatever changes it opens its trace, so that one watches it arrive. */
import { createClient } from '@connectrpc/connect';
import { Button, Group, Menu, NumberInput, Text, Tooltip } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { ChevronDown, FileCode, History, Pause, PencilLine, Play, RotateCw, Scaling, Trash2 } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { BatchService } from '#gen/proto/kairship/api/batch/v1alpha1/batch_service_pb.ts';
import { WorkloadService } from '#gen/proto/kairship/api/workload/v1alpha1/workload_service_pb.ts';
import { CRON_JOB, DAEMON_SET, DEPLOYMENT, JOB, type Kind, STATEFUL_SET } from '../../api/kinds.ts';
import { deleteObject, type ObjectRef, patchObject, replaceObject, type Thing } from '../../api/objects.ts';
import { type May, useMay } from '../../api/permissions.ts';
import { effectWord, useSimulation } from '../../api/simulation.ts';
import { transport } from '../../api/transport.ts';
import { Command } from '../../parts/command.tsx';
import { FormDialog } from '../../parts/dialog.tsx';
import { Effect } from '../../parts/effect.tsx';
import { GuardedButton } from '../../parts/guarded.tsx';
import { DeleteObject, EditYaml } from '../../parts/object-dialogs.tsx';
import { formKind, WorkloadForm } from '../create/workload-form.tsx';
import { RollbackDialog } from './rollback-dialog.tsx';
import { resourceOf } from './shared.ts';

const workloads = createClient(WorkloadService, transport);
const batch = createClient(BatchService, transport);

type Rollout = 'restart' | 'pause' | 'resume';
type Open = 'scale' | 'edit' | 'yaml' | 'delete' | 'rollback' | Rollout | undefined;

/** What can be done with the pods of each kind. */
const ROLLED: readonly Kind[] = [DEPLOYMENT, STATEFUL_SET, DAEMON_SET];
const PAUSED: readonly Kind[] = [DEPLOYMENT, CRON_JOB];
const RESTARTED: readonly Kind[] = [...ROLLED, JOB];

async function roll({ instance, kind, namespace, name }: ObjectRef, action: Rollout, version: string): Promise<void> {
  const at = { instance, namespace, name };
  if (kind === JOB) {
    await batch.restartJob({ ...at, resourceVersion: version });
    return;
  }
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
  const { replicas, paused, suspend } = (object.spec ?? {}) as {
    readonly replicas?: number;
    readonly paused?: boolean;
    readonly suspend?: boolean;
  };
  const isPaused = paused === true || suspend === true;
  const rolls = ROLLED.includes(kind);
  const form = formKind(kind.kind);
  return (
    <Group gap={8}>
      <Command
        lines={[
          `kubectl -n ${namespace} get ${kind.resource} ${name} -o yaml`,
          ...(replicas === undefined
            ? []
            : [`kubectl -n ${namespace} scale ${kind.resource}/${name} --replicas=${replicas}`]),
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
      {form && (
        <GuardedButton
          may={may}
          variant="default"
          leftSection={<PencilLine size={14} aria-hidden />}
          onClick={() => setOpen('edit')}
        >
          {t('inventory.edit')}
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
          {RESTARTED.includes(kind) && (
            <GuardedItem may={mayRoll} icon={<RotateCw size={14} />} onClick={() => setOpen('restart')}>
              {t('action.restart')}
            </GuardedItem>
          )}
          {rolls && (
            <GuardedItem may={mayRoll} icon={<History size={14} />} onClick={() => setOpen('rollback')}>
              {t('rollback.action')}
            </GuardedItem>
          )}
          {PAUSED.includes(kind) && (
            <GuardedItem
              may={mayRoll}
              icon={isPaused ? <Play size={14} /> : <Pause size={14} />}
              onClick={() => setOpen(isPaused ? 'resume' : 'pause')}
            >
              {t(isPaused ? 'action.resume' : 'action.pause')}
            </GuardedItem>
          )}
          <Menu.Divider />
          <GuardedItem may={mayDelete} icon={<Trash2 size={14} />} onClick={() => setOpen('delete')}>
            {t('action.delete')}
          </GuardedItem>
        </Menu.Dropdown>
      </Menu>
      {open === 'scale' && <Scale of={of} now={replicas ?? 0} onClose={close} onDone={watchIt} />}
      {(open === 'restart' || open === 'pause' || open === 'resume') && (
        <Roll of={of} action={open} version={object.metadata.resourceVersion ?? ''} onClose={close} onDone={watchIt} />
      )}
      {open === 'rollback' && <RollbackDialog of={of} onClose={close} onDone={watchIt} />}
      {(open === 'edit' || open === 'yaml') && (
        <EditYaml
          of={of}
          object={object}
          save={(text) => replaceObject(of, text)}
          form={form && ((bound) => <WorkloadForm of={bound} kind={form} />)}
          first={open === 'edit' ? 'form' : 'yaml'}
          onClose={close}
          onDone={watchIt}
        />
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

interface RollProps {
  readonly of: ObjectRef;
  readonly action: Rollout;
  readonly version: string;
  readonly onClose: () => void;
  readonly onDone: () => Promise<void>;
}

/** Pods made anew, or no more of them made for a while. */
function Roll({ of, action, version, onClose, onDone }: RollProps) {
  const { t } = useTranslation();
  const kind = of.kind === JOB ? 'job' : of.kind === CRON_JOB ? 'cronJob' : 'rollout';
  return (
    <FormDialog
      title={`${t(`action.${action}`)}: ${of.name}`}
      submit={t(`action.${action}`)}
      act={() => roll(of, action, version)}
      then={onDone}
      onClose={onClose}
      command={rollCommand(of, action)}
    >
      <Text size="sm">{t(`workload.roll.${kind}.${action}`)}</Text>
    </FormDialog>
  );
}

function rollCommand({ kind, namespace, name }: ObjectRef, action: Rollout): string {
  const here = `kubectl -n ${namespace}`;
  if (kind === JOB) return `${here} get job ${name} -o yaml | kubectl replace --force -f -`;
  if (kind === CRON_JOB) return `${here} patch cronjob ${name} -p '{"spec":{"suspend":${action === 'pause'}}}'`;
  return `${here} rollout ${action} ${kind.resource}/${name}`;
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
