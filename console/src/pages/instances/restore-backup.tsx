/** Puts an instance back to a copy, its own or another's: with what that means, before it is done. */
import { createClient } from '@connectrpc/connect';
import { useQuery } from '@connectrpc/connect-query';
import { Group, List, Select, TagsInput, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { CoreService } from '#gen/proto/kairship/api/core/v1alpha1/core_service_pb.ts';
import {
  type InstanceBackup,
  InstanceBackup_Phase as Phase,
  InstanceService,
} from '#gen/proto/kairship/api/instance/v1alpha1/instance_service_pb.ts';
import { useMay } from '../../api/permissions.ts';
import { transport } from '../../api/transport.ts';
import { Dialog, FormDialog } from '../../parts/dialog.tsx';
import { Facts } from '../../parts/page.tsx';
import { Banner } from '../../parts/status.tsx';
import { When } from '../../parts/when.tsx';
import { RestorePreview } from './restore-preview.tsx';
import { backupCommands, modeOf } from './wanted.ts';

const instances = createClient(InstanceService, transport);

/** What is to be known of each way. */
const MEANS = {
  own: ['back', 'forgotten', 'clusters'],
  other: ['replaced', 'noClusters', 'untouched'],
  part: ['partBack', 'partStays'],
} as const;

interface Done {
  readonly phase: Phase;
  readonly message: string;
}

export function RestoreBackup({ backup, onClose }: { readonly backup: InstanceBackup; readonly onClose: () => void }) {
  const { t } = useTranslation();
  const [into, setInto] = useState(backup.instance);
  const [typed, setTyped] = useState('');
  const [namespaces, setNamespaces] = useState<string[]>([]);
  const [done, setDone] = useState<Done>();
  const may = useMay('kairship/instance/restore', { instance: into });
  const all = useQuery(InstanceService.method.listInstances, { pageSize: 100 });
  const names = (all.data?.items ?? [])
    .filter(({ metadata }) => modeOf(metadata?.annotations) === 'embedded')
    .map(({ metadata }) => metadata?.name ?? '');
  const spaces = useQuery(CoreService.method.listNamespaceSummary, { instance: backup.instance }, { retry: false });
  const meant = namespaces.length > 0 ? 'part' : into === backup.instance ? 'own' : 'other';
  const wanted = { backup: backup.name, ...(namespaces.length > 0 ? { namespaces } : {}) };
  if (done) return <Outcome of={done} into={into} onClose={onClose} />;
  return (
    <FormDialog
      title={t('backup.restoreTitle', { name: backup.name })}
      size="lg"
      onClose={onClose}
      danger
      submit={t('backup.restoreInto', { instance: into })}
      disabled={typed !== into || !may.allowed}
      command={backupCommands.restore(backup.name, backup.instance, into, namespaces)}
      act={async () => setDone(await instances.restoreInstance({ instance: into, ...wanted }))}
      then={() => undefined}
    >
      <Group grow align="flex-start">
        <Select
          label={t('backup.into')}
          allowDeselect={false}
          data={names}
          value={into}
          onChange={(next) => setInto(next ?? backup.instance)}
        />
        <TagsInput
          label={t('backup.part')}
          placeholder={namespaces.length === 0 ? t('backup.everything') : ''}
          data={spaces.data?.data.map(({ name }) => name) ?? []}
          value={namespaces}
          onChange={setNamespaces}
        />
      </Group>
      {may.missing && <Banner state="blocked">{t('action.needs', { right: may.missing })}</Banner>}
      <Facts
        of={[
          [t('backup.made'), <When key="made" full at={Number(backup.createdAt)} />],
          [t('backup.holds'), t('backup.objects', { count: Number(backup.objects) })],
          ...(backup.note ? ([[t('backup.note'), backup.note]] as const) : []),
        ]}
      />
      <Banner state="degraded" imagined>
        <b>{t(meant === 'part' ? 'backup.stopsPart' : 'backup.stops', { instance: into })}</b>
        <List size="sm" mt={4}>
          {MEANS[meant].map((key) => (
            <List.Item key={key}>{t(`backup.means.${key}`, { instance: into, source: backup.instance })}</List.Item>
          ))}
        </List>
      </Banner>
      {may.allowed && <RestorePreview instance={into} backup={backup.name} namespaces={namespaces} />}
      <TextInput
        label={t('action.typeName', { name: into })}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
    </FormDialog>
  );
}

function Outcome({
  of: { phase, message },
  into,
  onClose,
}: {
  readonly of: Done;
  readonly into: string;
  readonly onClose: () => void;
}) {
  const { t } = useTranslation();
  const said = phase === Phase.Completed ? 'restored' : phase === Phase.Failed ? 'failed' : 'underWay';
  return (
    <Dialog title={into} onClose={onClose}>
      <Banner state={phase === Phase.Completed ? 'healthy' : phase === Phase.Failed ? 'blocked' : 'progressing'}>
        <b>{t(`backup.${said}`, { instance: into })}</b> {message}
      </Banner>
    </Dialog>
  );
}
