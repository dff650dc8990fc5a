/** Which version of Karmada an instance runs, which it could, what going there means, and how far it is. */
import { createClient } from '@connectrpc/connect';
import { useQuery } from '@connectrpc/connect-query';
import { Group, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Instance } from '#gen/proto/kairship/api/instance/v1alpha1/instance_pb.ts';
import { InstanceService } from '#gen/proto/kairship/api/instance/v1alpha1/instance_service_pb.ts';
import { useMay } from '../../api/permissions.ts';
import { problemOf } from '../../api/problem.ts';
import { transport } from '../../api/transport.ts';
import { CommandLine } from '../../parts/command.tsx';
import { GuardedButton } from '../../parts/guarded.tsx';
import { Facts, Panel } from '../../parts/page.tsx';
import { Answer } from '../../parts/problems.tsx';
import { Banner } from '../../parts/status.tsx';
import { Progress } from './progress.tsx';
import { modeOf } from './wanted.ts';

const instances = createClient(InstanceService, transport);

export function Upgrade({ instance }: { readonly instance: string }) {
  const { t } = useTranslation();
  const asked = useQuery(InstanceService.method.getInstance, { name: instance });
  const newest = useQuery(InstanceService.method.getInstanceKarmadaConfig, {});
  return (
    <Panel title={t('upgrade.title')}>
      <Answer of={asked}>
        {(data) => <Answer of={newest}>{({ version }) => <Form of={data} newest={version} />}</Answer>}
      </Answer>
    </Panel>
  );
}

function Form({ of, newest }: { readonly of: Instance; readonly newest: string }) {
  const { t } = useTranslation();
  const cache = useQueryClient();
  const name = of.metadata?.name ?? '';
  const mode = modeOf(of.metadata?.annotations);
  const { karmadaVersion: runs = '', kubernetesVersion = '' } = of.status ?? {};
  const [version, setVersion] = useState(newest);
  const [watching, setWatching] = useState(false);
  const may = useMay('kairship/instance/update', { instance: name });
  const isCurrent = runs === version;
  const upgrade = useMutation({
    mutationFn: () => instances.upgradeInstance({ name, version }),
    onSuccess: ({ unchanged }) => {
      setWatching(!unchanged);
      return cache.invalidateQueries();
    },
  });
  return (
    <Stack gap="sm">
      <Facts
        of={[
          [t('upgrade.runs'), runs ? `Karmada ${runs}` : '–'],
          ['Kubernetes', kubernetesVersion || '–'],
          [t('upgrade.newest'), `Karmada ${newest}`],
          [t('instance.step.who'), t(`instance.mode.${mode}`)],
        ]}
      />
      <Banner state={mode !== 'external' && runs === newest ? 'healthy' : 'unknown'}>
        <b>{t(mode === 'external' ? 'upgrade.theirs' : runs === newest ? 'upgrade.current' : 'upgrade.behind')}</b>{' '}
        {t(`upgrade.means.${mode}`)}
      </Banner>
      {mode !== 'external' && !(mode === 'embedded' && runs === newest) && (
        <>
          <TextInput
            label={t('upgrade.to')}
            description={t(mode === 'embedded' ? 'upgrade.onlyOne' : 'upgrade.anyNewer')}
            value={version}
            disabled={mode === 'embedded'}
            onChange={(event) => setVersion(event.currentTarget.value)}
          />
          <Text size="sm" c="dimmed">
            {t('upgrade.noWayBack')}{' '}
            <Link to="/i/$instance/settings" params={{ instance: name }} search={{ tab: 'backups' }}>
              {t('backup.title')}
            </Link>
          </Text>
        </>
      )}
      {mode !== 'external' && <CommandLine line={`kairship instance upgrade ${name} --to ${version}`} />}
      {upgrade.error && <Banner state="blocked">{problemOf(upgrade.error).message}</Banner>}
      {upgrade.data?.unchanged && <Banner state="healthy">{t('upgrade.unchanged')}</Banner>}
      <Group justify="flex-end">
        <GuardedButton
          may={may}
          disabled={mode === 'external' || isCurrent || version === ''}
          loading={upgrade.isPending}
          onClick={() => upgrade.mutate()}
        >
          {t('upgrade.start', { version })}
        </GuardedButton>
      </Group>
      {watching && <Progress name={name} onClose={() => setWatching(false)} />}
    </Stack>
  );
}
