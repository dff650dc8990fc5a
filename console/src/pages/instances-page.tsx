/** Instances: made here, watched while they start, and deleted when nothing is left inside. */
import { createClient } from '@connectrpc/connect';
import { useQuery } from '@connectrpc/connect-query';
import { Button, Group, Modal, Stack, Switch, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { InstanceService } from '#gen/proto/kairship/api/instance/v1alpha1/instance_service_pb.ts';
import { useInstancesLive } from '../api/instances-live.ts';
import { useMay } from '../api/permissions.ts';
import { problemOf } from '../api/problem.ts';
import { transport } from '../api/transport.ts';
import { GuardedButton } from '../parts/guarded.tsx';
import { instanceState } from '../parts/instance-state.ts';
import { LiveChip } from '../parts/live-chip.tsx';
import { Page } from '../parts/page.tsx';
import { Answer, Empty } from '../parts/problems.tsx';
import { Banner } from '../parts/status.tsx';
import { InstanceTile } from './home-page.tsx';

const instances = createClient(InstanceService, transport);

export function InstancesPage() {
  const { t } = useTranslation();
  const live = useInstancesLive();
  const asked = useQuery(InstanceService.method.listInstances, { pageSize: 100 });
  const [creating, setCreating] = useState(false);
  const may = useMay('kairship/instance/create');
  return (
    <Page
      title={t('menu.instances')}
      sub={t('instance.sub')}
      actions={
        <>
          <LiveChip state={live} />
          <GuardedButton may={may} leftSection={<Plus size={14} aria-hidden />} onClick={() => setCreating(true)}>
            {t('instance.create')}
          </GuardedButton>
        </>
      }
    >
      <Answer of={asked}>
        {({ items }) =>
          items.length === 0 ? (
            <div className="panel">
              <Empty title={t('instance.none')}>{t('instance.noneHint')}</Empty>
            </div>
          ) : (
            <div className="tiles">
              {items.map((instance) => (
                <InstanceTile key={instance.metadata?.name} instance={instance} />
              ))}
            </div>
          )
        }
      </Answer>
      {creating && <Create onClose={() => setCreating(false)} />}
    </Page>
  );
}

const NAME = /^[a-z0-9]([a-z0-9-]{0,48}[a-z0-9])?$/;

function Create({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation();
  const cache = useQueryClient();
  const [name, setName] = useState('');
  const [alias, setAlias] = useState('');
  const [release, setRelease] = useState(true);
  const create = useMutation({
    mutationFn: () =>
      instances.createInstance({
        data: {
          metadata: {
            name,
            annotations: {
              'kairship.io/release-on-delete': String(release),
              ...(alias ? { 'kairship.io/alias-name': alias } : {}),
            },
          },
        },
      }),
    onSuccess: () => cache.invalidateQueries(),
  });
  if (create.isSuccess) return <Progress name={name} onClose={onClose} />;
  const wrong = name !== '' && !NAME.test(name);
  return (
    <Modal opened onClose={onClose} title={t('instance.create')} closeButtonProps={{ 'aria-label': t('action.close') }}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          create.mutate();
        }}
      >
        <Stack gap="sm">
          <TextInput
            label={t('field.name')}
            description={t('instance.nameRule')}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            error={wrong && t('instance.badName')}
            required
            data-autofocus
          />
          <TextInput
            label={t('instance.alias')}
            maxLength={60}
            value={alias}
            onChange={(event) => setAlias(event.currentTarget.value)}
          />
          <Switch
            label={t('instance.release')}
            description={t('instance.releaseHint')}
            checked={release}
            onChange={(event) => setRelease(event.currentTarget.checked)}
          />
          {name !== '' && !wrong && <pre className="code">{`kairship instance create ${name}`}</pre>}
          {create.error && <Banner state="blocked">{problemOf(create.error).message}</Banner>}
          <Group justify="flex-end">
            <Button type="submit" disabled={name === '' || wrong} loading={create.isPending}>
              {t('instance.create')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Modal>
  );
}

/** Stays until it runs, so that one sees it come to life. */
function Progress({ name, onClose }: { readonly name: string; readonly onClose: () => void }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { data } = useQuery(InstanceService.method.getInstance, { name }, { refetchInterval: 1_000 });
  const state = data ? instanceState(data) : 'progressing';
  return (
    <Modal opened onClose={onClose} title={name} closeButtonProps={{ 'aria-label': t('action.close') }}>
      <Stack gap="sm">
        <Banner state={state}>
          <b>{t(`instance.sentence.${state}`)}</b>
        </Banner>
        <Text size="sm" c="dimmed">
          {[
            data?.status?.karmadaVersion && `Karmada ${data.status.karmadaVersion}`,
            data?.status?.kubernetesVersion && `Kubernetes ${data.status.kubernetesVersion}`,
          ]
            .filter(Boolean)
            .join(' · ')}
        </Text>
        <Group justify="flex-end">
          <Button
            disabled={state !== 'healthy'}
            onClick={() => void navigate({ to: '/i/$instance', params: { instance: name } })}
          >
            {t('instance.open')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}
