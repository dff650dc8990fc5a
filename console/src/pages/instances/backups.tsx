/** Copies of all that an instance holds: made, looked at, put back, deleted. */
import { createClient } from '@connectrpc/connect';
import { useQuery } from '@connectrpc/connect-query';
import { Group, Stack, Text, TextInput } from '@mantine/core';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  type InstanceBackup,
  InstanceBackup_Phase as Phase,
  InstanceService,
} from '#gen/proto/kairship/api/instance/v1alpha1/instance_service_pb.ts';
import { useMay } from '../../api/permissions.ts';
import { readable } from '../../api/quantity.ts';
import { transport } from '../../api/transport.ts';
import { FormDialog } from '../../parts/dialog.tsx';
import { GuardedButton } from '../../parts/guarded.tsx';
import { Panel } from '../../parts/page.tsx';
import { Answer, Empty } from '../../parts/problems.tsx';
import { type State, Status } from '../../parts/status.tsx';
import { When } from '../../parts/when.tsx';
import { RestoreBackup } from './restore-backup.tsx';
import { backupCommands, isBackupName, modeOf } from './wanted.ts';

const instances = createClient(InstanceService, transport);

const STATES: Readonly<Record<number, State>> = {
  [Phase.Completed]: 'healthy',
  [Phase.Pending]: 'progressing',
  [Phase.Failed]: 'blocked',
};

/** They are made and deleted in the background, by others too, and no stream tells of it. */
const AGAIN_MS = 3_000;

type Open = { readonly kind: 'restore' | 'delete'; readonly backup: InstanceBackup } | { readonly kind: 'create' };

export function Backups({ instance }: { readonly instance: string }) {
  const { t } = useTranslation();
  const asked = useQuery(InstanceService.method.listInstanceBackups, { instance }, { refetchInterval: AGAIN_MS });
  const about = useQuery(InstanceService.method.getInstance, { name: instance });
  const mode = modeOf(about.data?.metadata?.annotations);
  const [open, setOpen] = useState<Open>();
  const may = useMay('kairship/instance/backup', { instance });
  const close = () => setOpen(undefined);
  const make = (
    <GuardedButton
      may={may}
      leftSection={<Plus size={14} aria-hidden />}
      disabled={mode !== 'embedded'}
      onClick={() => setOpen({ kind: 'create' })}
    >
      {t('backup.make')}
    </GuardedButton>
  );
  return (
    <Panel title={t('backup.title')} aside={make} flush>
      <Text size="sm" c="dimmed" px="md" py="sm">
        {t(mode === 'embedded' ? 'backup.what' : `backup.elsewhere.${mode}`)}
      </Text>
      <Answer of={asked}>
        {({ items }) =>
          items.length === 0 ? (
            <Empty title={t('backup.none')}>{t('backup.noneHint')}</Empty>
          ) : (
            <Table of={items} onOpen={setOpen} />
          )
        }
      </Answer>
      {open?.kind === 'create' && <MakeBackup instance={instance} onClose={close} />}
      {open?.kind === 'restore' && <RestoreBackup backup={open.backup} onClose={close} />}
      {open?.kind === 'delete' && <DeleteBackup backup={open.backup} onClose={close} />}
    </Panel>
  );
}

function Table({ of, onOpen }: { readonly of: readonly InstanceBackup[]; readonly onOpen: (open: Open) => void }) {
  const { t } = useTranslation();
  const instance = of[0]?.instance ?? '';
  const [mayRestore, mayDelete] = [
    useMay('kairship/instance/restore', { instance }),
    useMay('kairship/instance/backup', { instance }),
  ];
  return (
    <table className="grid" aria-label={t('backup.title')}>
      <thead>
        <tr>
          <th scope="col">{t('field.name')}</th>
          <th scope="col">{t('field.status')}</th>
          <th scope="col">{t('backup.holds')}</th>
          <th scope="col">Karmada</th>
          <th scope="col">{t('field.created')}</th>
          <th scope="col" aria-label={t('action.more')} />
        </tr>
      </thead>
      <tbody>
        {of.map((backup) => (
          <tr key={backup.name} data-backup={backup.name}>
            <td>
              <b>{backup.name}</b>
              {backup.note && <div className="soft">{backup.note}</div>}
              {backup.sha256 && (
                <div className="soft mono" title={backup.sha256} style={{ fontSize: 11 }}>
                  sha256 {backup.sha256.slice(0, 12)}…
                </div>
              )}
            </td>
            <td>
              <Status state={STATES[backup.phase] ?? 'unknown'} word={t(`backup.phase.${phaseWord(backup.phase)}`)} />
              {backup.message && <div className="soft">{backup.message}</div>}
            </td>
            <td style={{ whiteSpace: 'nowrap' }}>
              {backup.phase === Phase.Completed
                ? t('backup.size', {
                    count: Number(backup.objects),
                    size: readable(`${Math.ceil(Number(backup.bytes) / 1024)}Ki`),
                  })
                : '–'}
            </td>
            <td>{backup.karmadaVersion || '–'}</td>
            <td className="soft">
              <When at={Number(backup.createdAt)} />
            </td>
            <td>
              <Group gap={6} justify="flex-end" wrap="nowrap">
                <GuardedButton
                  may={mayRestore}
                  size="compact-sm"
                  variant="default"
                  disabled={backup.phase !== Phase.Completed}
                  onClick={() => onOpen({ kind: 'restore', backup })}
                >
                  {t('backup.restore')}
                </GuardedButton>
                <GuardedButton
                  may={mayDelete}
                  size="compact-sm"
                  variant="subtle"
                  color="red.8"
                  onClick={() => onOpen({ kind: 'delete', backup })}
                >
                  {t('action.delete')}
                </GuardedButton>
              </Group>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function phaseWord(phase: Phase): 'Pending' | 'Completed' | 'Failed' {
  return phase === Phase.Completed ? 'Completed' : phase === Phase.Failed ? 'Failed' : 'Pending';
}

function MakeBackup({ instance, onClose }: { readonly instance: string; readonly onClose: () => void }) {
  const { t } = useTranslation();
  const [backup, setBackup] = useState('');
  const [note, setNote] = useState('');
  const isWrong = backup !== '' && !isBackupName(backup);
  return (
    <FormDialog
      title={t('backup.makeTitle', { instance })}
      onClose={onClose}
      submit={t('backup.make')}
      disabled={isWrong}
      command={backupCommands.make(instance, backup, note)}
      act={() => instances.createInstanceBackup({ instance, backup, note })}
    >
      <Text size="sm">{t('backup.makeText')}</Text>
      <TextInput
        label={t('field.name')}
        description={t('backup.nameHint')}
        value={backup}
        error={isWrong && t('instance.badName')}
        onChange={(event) => setBackup(event.currentTarget.value)}
        data-autofocus
      />
      <TextInput
        label={t('backup.note')}
        placeholder={t('backup.noteHint')}
        value={note}
        onChange={(event) => setNote(event.currentTarget.value)}
      />
    </FormDialog>
  );
}

function DeleteBackup({
  backup: { instance, name, note },
  onClose,
}: {
  readonly backup: InstanceBackup;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation();
  return (
    <FormDialog
      title={t('backup.deleteTitle', { name })}
      onClose={onClose}
      danger
      submit={t('action.delete')}
      command={backupCommands.remove(instance, name)}
      act={() => instances.deleteInstanceBackup({ instance, backup: name })}
    >
      <Stack gap={4}>
        <Text size="sm">{t('backup.deleteText')}</Text>
        {note && (
          <Text size="sm" c="dimmed">
            {note}
          </Text>
        )}
      </Stack>
    </FormDialog>
  );
}
