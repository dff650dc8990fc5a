/** What can be done with a workload. Whatever changes it opens its trace, so that one watches it arrive. */
import { Button, Group, Menu } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { ChevronDown, FileCode, History, Pause, PencilLine, Play, RotateCw, Scaling, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ObjectRef, Thing } from '../../api/objects.ts';
import { PAUSED, RESTARTED, ROLLED, SCALED, useWorkloadRights } from '../../api/workloads.ts';
import { Command } from '../../parts/command.tsx';
import { GuardedButton, GuardedItem } from '../../parts/guarded.tsx';
import { type Action, WorkloadDialog } from './workload-dialogs.tsx';

export function WorkloadActions({ of, object }: { readonly of: ObjectRef; readonly object: Thing }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [open, setOpen] = useState<Action>();
  const { instance, kind, namespace, name } = of;
  const rights = useWorkloadRights(of);
  const { replicas, paused, suspend } = (object.spec ?? {}) as {
    readonly replicas?: number;
    readonly paused?: boolean;
    readonly suspend?: boolean;
  };
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
      {SCALED.includes(kind) && (
        <GuardedButton
          may={rights.update}
          variant="default"
          leftSection={<Scaling size={14} aria-hidden />}
          onClick={() => setOpen('scale')}
        >
          {t('action.scale')}
        </GuardedButton>
      )}
      <GuardedButton
        may={rights.edit}
        variant="default"
        leftSection={<PencilLine size={14} aria-hidden />}
        onClick={() => setOpen('edit')}
      >
        {t('workload.update')}
      </GuardedButton>
      <GuardedButton
        may={rights.edit}
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
          <RolloutItems of={of} paused={paused === true || suspend === true} onChoose={setOpen} />
        </Menu.Dropdown>
      </Menu>
      {open && (
        <WorkloadDialog
          of={of}
          object={object}
          action={open}
          onClose={() => setOpen(undefined)}
          onGone={() => navigate({ to: '/i/$instance/workloads', params: { instance }, search: { kind: kind.kind } })}
        />
      )}
    </Group>
  );
}

interface ItemsProps {
  readonly of: ObjectRef;
  readonly paused: boolean;
  readonly onChoose: (action: Action) => void;
}

/** Everything, as the items of a menu; the rights are asked for when it is opened. */
export function WorkloadItems({ of, paused, onChoose }: ItemsProps) {
  const { t } = useTranslation();
  const rights = useWorkloadRights(of);
  return (
    <>
      <GuardedItem may={rights.edit} icon={<FileCode size={14} />} onClick={() => onChoose('yaml')}>
        {t('action.editYaml')}
      </GuardedItem>
      <GuardedItem may={rights.edit} icon={<PencilLine size={14} />} onClick={() => onChoose('edit')}>
        {t('workload.update')}
      </GuardedItem>
      {SCALED.includes(of.kind) && (
        <GuardedItem may={rights.update} icon={<Scaling size={14} />} onClick={() => onChoose('scale')}>
          {t('action.scale')}
        </GuardedItem>
      )}
      <RolloutItems of={of} paused={paused} onChoose={onChoose} />
    </>
  );
}

function RolloutItems({ of, paused, onChoose }: ItemsProps) {
  const { t } = useTranslation();
  const { kind } = of;
  const rights = useWorkloadRights(of);
  const next = paused ? 'resume' : 'pause';
  return (
    <>
      {RESTARTED.includes(kind) && (
        <GuardedItem may={rights.update} icon={<RotateCw size={14} />} onClick={() => onChoose('restart')}>
          {t('action.restart')}
        </GuardedItem>
      )}
      {ROLLED.includes(kind) && (
        <GuardedItem may={rights.update} icon={<History size={14} />} onClick={() => onChoose('rollback')}>
          {t('rollback.action')}
        </GuardedItem>
      )}
      {PAUSED.includes(kind) && (
        <GuardedItem
          may={rights.update}
          icon={paused ? <Play size={14} /> : <Pause size={14} />}
          onClick={() => onChoose(next)}
        >
          {t(`action.${next}`)}
        </GuardedItem>
      )}
      <Menu.Divider />
      <GuardedItem may={rights.remove} icon={<Trash2 size={14} />} onClick={() => onChoose('delete')}>
        {t('action.delete')}
      </GuardedItem>
    </>
  );
}
