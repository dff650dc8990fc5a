/** What an instance is called and whether its control plane goes with it; its name and who runs it stay. */
import { createClient } from '@connectrpc/connect';
import { useQuery } from '@connectrpc/connect-query';
import { Group, Stack, Switch, TagsInput, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Lock } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Instance } from '#gen/proto/kairship/api/instance/v1alpha1/instance_pb.ts';
import { InstanceService } from '#gen/proto/kairship/api/instance/v1alpha1/instance_service_pb.ts';
import { curl, mapOf } from '../../api/pairs.ts';
import { useMay } from '../../api/permissions.ts';
import { problemOf } from '../../api/problem.ts';
import { transport } from '../../api/transport.ts';
import { Command } from '../../parts/command.tsx';
import { GuardedButton } from '../../parts/guarded.tsx';
import { Facts, Panel } from '../../parts/page.tsx';
import { Answer } from '../../parts/problems.tsx';
import { Banner } from '../../parts/status.tsx';
import { When } from '../../parts/when.tsx';
import { Entries } from './entries.tsx';
import { hostWord } from './host-word.ts';
import { annotationsOf, modeOf, ownEntries, withInternal } from './wanted.ts';

const instances = createClient(InstanceService, transport);

export function EditInstance({ instance }: { readonly instance: string }) {
  const { t } = useTranslation();
  const asked = useQuery(InstanceService.method.getInstance, { name: instance });
  return (
    <Panel title={t('instance.step.about')}>
      <Answer of={asked}>{(data) => <Form of={data} />}</Answer>
    </Panel>
  );
}

function Form({ of }: { readonly of: Instance }) {
  const { t } = useTranslation();
  const cache = useQueryClient();
  const { name = '', annotations = {}, labels = {}, creationTimestamp = 0n } = of.metadata ?? {};
  const mode = modeOf(annotations);
  const [alias, setAlias] = useState(annotations['kairship.io/alias-name'] ?? '');
  const [pairs, setPairs] = useState(() => ownEntries(labels).map(([key, value]) => `${key}=${value}`));
  const [notes, setNotes] = useState(() => ownEntries(annotations));
  const [release, setRelease] = useState(annotations['kairship.io/release-on-delete'] !== 'false');
  const may = useMay('kairship/instance/update', { instance: name });
  const told = {
    ...withInternal(annotations, notes),
    ...annotationsOf({ mode, alias, release }),
    'kairship.io/alias-name': alias,
  };
  const data = JSON.stringify({
    apiVersion: 'kairship.io/v1alpha1',
    kind: 'Instance',
    metadata: { name, labels: withInternal(labels, Object.entries(mapOf(pairs))), annotations: told },
  });
  const save = useMutation({
    mutationFn: () => instances.updateInstance({ name, data }),
    onSuccess: () => cache.invalidateQueries(),
  });
  return (
    <Stack gap="sm">
      <Facts
        of={[
          [t('field.name'), <Locked key="name">{name}</Locked>],
          [t('instance.step.who'), <Locked key="mode">{t(`instance.mode.${mode}`)}</Locked>],
          [t('instance.host'), <Locked key="host">{hostWord(t, of)}</Locked>],
          ['Karmada', of.status?.karmadaVersion || '–'],
          [t('field.created'), <When key="created" full at={Number(creationTimestamp)} />],
        ]}
      />
      <TextInput
        label={t('instance.alias')}
        description={t('instance.aliasHint')}
        maxLength={60}
        value={alias}
        onChange={(event) => setAlias(event.currentTarget.value)}
      />
      <TagsInput label={t('field.labels')} placeholder="env=prod" value={pairs} onChange={setPairs} />
      <Entries label={t('resource.annotations')} add={t('instance.addAnnotation')} value={notes} onChange={setNotes} />
      <Switch
        label={t('instance.release')}
        description={t('instance.releaseHint')}
        checked={release}
        onChange={(event) => setRelease(event.currentTarget.checked)}
      />
      {save.error && <Banner state="blocked">{problemOf(save.error).message}</Banner>}
      {save.isSuccess && <Banner state="healthy">{t('action.saved')}</Banner>}
      <Group justify="flex-end">
        <Command lines={[curl('PUT', `/apis/kairship.io/v1alpha1/instances/${name}`, { data })]} />
        <GuardedButton may={may} loading={save.isPending} onClick={() => save.mutate()}>
          {t('action.save')}
        </GuardedButton>
      </Group>
    </Stack>
  );
}

/** Fixed when it was created. */
function Locked({ children }: { readonly children: ReactNode }) {
  const { t } = useTranslation();
  return (
    <span title={t('instance.locked')}>
      {children} <Lock size={12} aria-label={t('instance.locked')} role="img" color="var(--k-soft)" />
    </span>
  );
}
