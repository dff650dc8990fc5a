/** The dialogs in which a workload is changed: what would happen, the command that does the same, and then its trace. */
import { NumberInput, Text } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CRON_JOB, JOB } from '../../api/kinds.ts';
import { type ObjectRef, type Thing, useObject } from '../../api/objects.ts';
import { effectWord, useSimulation } from '../../api/simulation.ts';
import { deleteWorkload, roll, type Rollout, saveWorkload, scaleWorkload } from '../../api/workloads.ts';
import { Dialog, FormDialog } from '../../parts/dialog.tsx';
import { Effect } from '../../parts/effect.tsx';
import { DeleteObject, EditYaml } from '../../parts/object-dialogs.tsx';
import { Answer } from '../../parts/problems.tsx';
import { formKind, WorkloadForm } from '../create/workload-form.tsx';
import { RollbackDialog } from './rollback-dialog.tsx';
import { resourceOf } from './shared.ts';

export type Action = 'scale' | 'edit' | 'yaml' | 'delete' | 'rollback' | Rollout;

interface Props {
  readonly of: ObjectRef;
  readonly action: Action;
  readonly onClose: () => void;
  /** What comes after it is gone. */
  readonly onGone: () => unknown;
}

/** For whoever knows a workload by its name alone, as a row of a list does. */
export function NamedWorkloadDialog(props: Props) {
  const { t } = useTranslation();
  const object = useObject(props.of);
  if (object.data) return <WorkloadDialog {...props} object={object.data} />;
  return (
    <Dialog title={t('workload.edit', { name: props.of.name })} onClose={props.onClose}>
      <Answer of={object}>{() => null}</Answer>
    </Dialog>
  );
}

export function WorkloadDialog({ of, object, action, onClose, onGone }: Props & { readonly object: Thing }) {
  const navigate = useNavigate();
  const cache = useQueryClient();
  const { instance, kind, namespace, name } = of;
  const watchIt = async () => {
    onClose();
    void cache.invalidateQueries();
    await navigate({
      to: '/i/$instance/workloads/$kind/$namespace/$name/{-$tab}',
      params: { instance, kind: kind.kind, namespace, name, tab: 'trace' },
    });
  };
  const form = formKind(kind.kind);
  const common = { of, onClose, onDone: watchIt };
  switch (action) {
    case 'scale':
      return <Scale {...common} now={Number(object.spec?.['replicas'] ?? 0)} />;
    case 'rollback':
      return <RollbackDialog {...common} />;
    case 'delete':
      return <DeleteObject {...common} remove={() => deleteWorkload(of)} onDone={onGone} />;
    case 'edit':
    case 'yaml':
      return (
        <EditYaml
          {...common}
          object={object}
          save={(text) => saveWorkload(of, text)}
          form={form && ((bound) => <WorkloadForm of={bound} kind={form} place={{ instance, namespace }} />)}
          first={action === 'edit' ? 'form' : 'yaml'}
        />
      );
    default:
      return <Roll {...common} action={action} version={object.metadata.resourceVersion ?? ''} />;
  }
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
      act={() => scaleWorkload(of, replicas)}
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
