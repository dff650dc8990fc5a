/** What an instance is called, its kubeconfig, its version, its copies, and its end. */
import { createClient } from '@connectrpc/connect';
import { useQuery } from '@connectrpc/connect-query';
import { Group, Select, Stack, Tabs, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { Download } from 'lucide-react';
import { Fragment, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { InstanceService } from '#gen/proto/kairship/api/instance/v1alpha1/instance_service_pb.ts';
import { useInstancesLive } from '../api/instances-live.ts';
import { useMay } from '../api/permissions.ts';
import { problemOf } from '../api/problem.ts';
import { transport } from '../api/transport.ts';
import { CommandLine } from '../parts/command.tsx';
import { GuardedButton } from '../parts/guarded.tsx';
import { Page, Panel } from '../parts/page.tsx';
import { Prechecks } from '../parts/prechecks.tsx';
import { Answer } from '../parts/problems.tsx';
import { Banner } from '../parts/status.tsx';
import { Backups } from './instances/backups.tsx';
import { EditInstance } from './instances/edit-instance.tsx';
import { MetricsAdapter } from './instances/metrics-adapter.tsx';
import { Upgrade } from './instances/upgrade.tsx';

const instances = createClient(InstanceService, transport);

const TABS = ['general', 'upgrade', 'backups'] as const;
type Tab = (typeof TABS)[number];

export function InstanceSettingsPage() {
  const { t } = useTranslation();
  const { instance } = useParams({ from: '/i/$instance' });
  const search = useSearch({ from: '/i/$instance/settings' });
  const navigate = useNavigate({ from: '/i/$instance/settings' });
  const tab: Tab = TABS.find((one) => one === search.tab) ?? 'general';
  return (
    <Page title={t('menu.settings')} sub={instance}>
      <Tabs value={tab} keepMounted={false} onChange={(next) => void navigate({ search: { tab: next ?? 'general' } })}>
        <Tabs.List mb={14}>
          {TABS.map((one) => (
            <Tabs.Tab key={one} value={one}>
              {t(`instance.tab.${one}`)}
            </Tabs.Tab>
          ))}
        </Tabs.List>
        <Tabs.Panel value="general">
          <Stack gap={14} maw={760}>
            <div id="about">
              <EditInstance instance={instance} />
            </div>
            <MetricsAdapter instance={instance} />
            <Kubeconfig instance={instance} />
            <Danger instance={instance} />
          </Stack>
        </Tabs.Panel>
        <Tabs.Panel value="upgrade" maw={760}>
          <Upgrade instance={instance} />
        </Tabs.Panel>
        <Tabs.Panel value="backups" maw={1100}>
          <Backups instance={instance} />
        </Tabs.Panel>
      </Tabs>
    </Page>
  );
}

const DAY = 86_400;
const TIMES = {
  hours: DAY / 3,
  days: 3 * DAY,
  weeks: 25 * DAY,
  quarter: 90 * DAY,
  half: 180 * DAY,
  threeQuarters: 270 * DAY,
  year: 365 * DAY,
  years: 1825 * DAY,
} as const;
type Time = keyof typeof TIMES;

const ttlOf = (seconds: number) => (seconds < DAY ? `${seconds / 3600}h` : `${seconds / DAY}d`);

function Kubeconfig({ instance }: { readonly instance: string }) {
  const { t } = useTranslation();
  const [time, setTime] = useState<Time>('hours');
  const may = useMay('kairship/instance/kubeconfig', { instance });
  const make = useMutation({
    mutationFn: () => instances.createInstanceAdminKubeConfig({ instance, expirationSeconds: TIMES[time] }),
    onSuccess: ({ kubeConfigString }) => save(`${instance}.kubeconfig`, kubeConfigString),
  });
  return (
    <Panel title={t('instance.kubeconfig')}>
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          {t('instance.kubeconfigText')}
        </Text>
        <Group gap={8} align="flex-end">
          <Select
            label={t('instance.validFor')}
            allowDeselect={false}
            data={(Object.keys(TIMES) as Time[]).map((value) => ({ value, label: t(`instance.time.${value}`) }))}
            value={time}
            onChange={(next) => setTime(next ?? 'hours')}
          />
          <GuardedButton
            may={may}
            loading={make.isPending}
            leftSection={<Download size={14} aria-hidden />}
            onClick={() => make.mutate()}
          >
            {t('instance.download')}
          </GuardedButton>
        </Group>
        {make.error && <Banner state="blocked">{problemOf(make.error).message}</Banner>}
        {make.isSuccess && <Banner state="healthy">{t('instance.downloaded')}</Banner>}
        {TIMES[time] > TIMES.quarter && <Banner state="degraded">{t('instance.longTime')}</Banner>}
        <CommandLine
          line={`kairship kubeconfig ${instance} --static --ttl ${ttlOf(TIMES[time])} > ${instance}.kubeconfig`}
        />
        <CommandLine line={`export KUBECONFIG=${instance}.kubeconfig && kubectl get clusters`} />
      </Stack>
    </Panel>
  );
}

function save(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: 'application/yaml' }));
  const link = Object.assign(document.createElement('a'), { href: url, download: name });
  link.click();
  URL.revokeObjectURL(url);
}

/** The button stays shut until everything inside is gone and the name is typed. */
function Danger({ instance }: { readonly instance: string }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const cache = useQueryClient();
  const asked = useQuery(InstanceService.method.getInstance, { name: instance });
  // What is counted here goes while somebody waits for it to go.
  useInstancesLive();
  const [typed, setTyped] = useState('');
  const may = useMay('kairship/instance/delete', { instance });
  const remove = useMutation({
    mutationFn: () => instances.deleteInstance({ name: instance }),
    onSuccess: async () => {
      await navigate({ to: '/instances' });
      await cache.invalidateQueries();
    },
  });
  return (
    <Panel title={t('instance.delete')}>
      <Answer of={asked}>
        {({ metadata, status }) => {
          const clusters = status?.summary?.clusterSummary?.totalNum ?? 0;
          const workloads = Object.values(status?.summary?.workloadSummary ?? {}).reduce(
            (sum, one) => sum + one.totalNum,
            0,
          );
          const releases = metadata?.annotations['kairship.io/release-on-delete'] !== 'false';
          return (
            <Stack gap="sm">
              <Text size="sm">
                {t(releases ? 'instance.deleteReleases' : 'instance.deleteKeeps')}{' '}
                <a href="#about">{t('instance.changeThat')}</a>
              </Text>
              <Prechecks
                of={[
                  [
                    clusters === 0,
                    <Fragment key="clusters">
                      {t('instance.checkClusters', { count: clusters })}{' '}
                      {clusters > 0 && (
                        <Link to="/i/$instance/clusters" params={{ instance }}>
                          {t('menu.clusters')}
                        </Link>
                      )}
                    </Fragment>,
                  ],
                  [workloads === 0, t('instance.checkWorkloads', { count: workloads })],
                  [typed === instance, t('instance.checkName')],
                ]}
              />
              <TextInput
                label={t('action.typeName', { name: instance })}
                value={typed}
                onChange={(event) => setTyped(event.currentTarget.value)}
              />
              <CommandLine line={`kairship instance delete ${instance}`} />
              {remove.error && <Banner state="blocked">{problemOf(remove.error).message}</Banner>}
              <Group justify="flex-end">
                <GuardedButton
                  may={may}
                  color="red.8"
                  disabled={typed !== instance || clusters > 0}
                  loading={remove.isPending}
                  onClick={() => remove.mutate()}
                >
                  {t('instance.delete')}
                </GuardedButton>
              </Group>
            </Stack>
          );
        }}
      </Answer>
    </Panel>
  );
}
