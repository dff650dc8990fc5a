/** Resilience: rehearse the loss of clusters before it happens, and decide what happens when it does. */
import { useQuery } from '@connectrpc/connect-query';
import { createClient } from '@connectrpc/connect';
import { Chip, Group, NumberInput, SegmentedControl, Stack, Switch, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type {
  GetInstanceFailoverResponse,
  GetInstanceDeschedulerResponse,
} from '#gen/proto/kairship/api/instance/v1alpha1/instance_service_pb.ts';
import { InstanceService } from '#gen/proto/kairship/api/instance/v1alpha1/instance_service_pb.ts';
import { curl } from '../api/pairs.ts';
import { useMay } from '../api/permissions.ts';
import { problemOf } from '../api/problem.ts';
import { useSimulation } from '../api/simulation.ts';
import { transport } from '../api/transport.ts';
import { Command } from '../parts/command.tsx';
import { Effect } from '../parts/effect.tsx';
import { GuardedButton } from '../parts/guarded.tsx';
import { Page, Panel } from '../parts/page.tsx';
import { Answer } from '../parts/problems.tsx';
import { Banner } from '../parts/status.tsx';
import { MetricsAdapter } from './instances/metrics-adapter.tsx';
import { useClusterNames } from './policy/target-fields.tsx';
import { Evictions } from './resilience/evictions.tsx';
import { PlacementHistory } from './resilience/placement-history.tsx';

const instances = createClient(InstanceService, transport);

export function ResiliencePage() {
  const { t } = useTranslation();
  const { instance } = useParams({ from: '/i/$instance' });
  const { lose, how } = useSearch({ from: '/i/$instance/resilience' });
  return (
    <Page
      title={t('menu.resilience')}
      sub={t('resilience.sub')}
      actions={
        lose.length > 0 && <Command lines={[`kairship rehearse --lose ${lose.join(',')} --instance ${instance}`]} />
      }
    >
      <div className="two">
        <Stack gap={14}>
          <Rehearsal instance={instance} lose={lose} how={how} />
          <PlacementHistory instance={instance} />
        </Stack>
        <Stack gap={14}>
          <Evictions instance={instance} />
          <Failover instance={instance} />
          <Descheduler instance={instance} />
          <MetricsAdapter instance={instance} />
        </Stack>
      </div>
    </Page>
  );
}

type How = 'lose' | 'cordon' | 'unjoin';

function Rehearsal({
  instance,
  lose,
  how,
}: {
  readonly instance: string;
  readonly lose: readonly string[];
  readonly how: How;
}) {
  const { t } = useTranslation();
  const navigate = useNavigate({ from: '/i/$instance/resilience' });
  const clusters = useClusterNames(instance);
  const { data: failover } = useQuery(InstanceService.method.getInstanceFailover, { instance });
  const effect = useSimulation(instance, lose.length === 0 ? undefined : { [how]: [...lose] });
  return (
    <Panel title={t('resilience.rehearsal')}>
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          {t('resilience.rehearsalText')}
        </Text>
        <SegmentedControl
          aria-label={t('resilience.how')}
          value={how}
          onChange={(next) => void navigate({ search: { lose: [...lose], how: next }, replace: true })}
          data={(['lose', 'cordon', 'unjoin'] as const).map((value) => ({ value, label: t(`resilience.${value}`) }))}
          style={{ alignSelf: 'flex-start' }}
        />
        <Chip.Group
          multiple
          value={[...lose]}
          onChange={(names) => void navigate({ search: { lose: names, how }, replace: true })}
        >
          <Group gap={6}>
            {clusters.map((name) => (
              <Chip key={name} value={name} size="xs" variant="outline">
                {name}
              </Chip>
            ))}
          </Group>
        </Chip.Group>
        {lose.length === 0 ? (
          <Text size="sm" c="dimmed" py="lg" ta="center">
            {t(clusters.length === 0 ? 'cluster.none' : 'resilience.choose')}
          </Text>
        ) : (
          <>
            {how === 'lose' && failover?.enabled === false && (
              <Banner state="degraded">
                <b>{t('resilience.failoverIsOff')}</b> {t('resilience.failoverIsOffText')}
              </Banner>
            )}
            <Effect of={effect} />
          </>
        )}
      </Stack>
    </Panel>
  );
}

const FAILOVER = [
  'clusterMonitorPeriod',
  'clusterMonitorGracePeriod',
  'clusterStartupGracePeriod',
  'clusterFailureThreshold',
  'clusterSuccessThreshold',
  'failoverEvictionTimeout',
  'gracefulEvictionTimeout',
] as const;

/** What an instance begins with, in seconds. */
const DEFAULTS = {
  clusterMonitorPeriod: 5,
  clusterMonitorGracePeriod: 40,
  clusterStartupGracePeriod: 60,
  clusterFailureThreshold: 30,
  clusterSuccessThreshold: 30,
  failoverEvictionTimeout: 30,
  gracefulEvictionTimeout: 600,
  deschedulingInterval: 120,
  unschedulableThreshold: 300,
} as const;

interface FailoverWanted {
  readonly enabled: boolean;
  readonly timeout: Readonly<Record<string, bigint>>;
}

function Failover({ instance }: { readonly instance: string }) {
  const { t } = useTranslation();
  const cache = useQueryClient();
  const asked = useQuery(InstanceService.method.getInstanceFailover, { instance });
  // Here, not in the form: the form begins anew with what was saved, and this outlives it to say so.
  const save = useMutation({
    mutationFn: (wanted: FailoverWanted) => instances.updateInstanceFailover({ instance, ...wanted }),
    onSuccess: () => cache.invalidateQueries(),
  });
  return (
    <Panel title={t('resilience.failover')}>
      <Answer of={asked}>
        {(settings) => (
          <FailoverForm
            key={JSON.stringify(settings, plain)}
            instance={instance}
            settings={settings}
            saving={save.isPending}
            saved={save.isSuccess}
            onSave={(wanted) => save.mutate(wanted)}
            onEdit={() => save.reset()}
          />
        )}
      </Answer>
      {save.error && <Banner state="blocked">{problemOf(save.error).message}</Banner>}
    </Panel>
  );
}

type Times = Readonly<Record<string, number>>;

function Seconds({
  of,
  times,
  onChange,
}: {
  readonly of: readonly ((typeof FAILOVER)[number] | (typeof DESCHEDULER)[number])[];
  readonly times: Times;
  readonly onChange: (times: Times) => void;
}) {
  const { t } = useTranslation();
  return (
    <div style={{ display: 'grid', gridTemplateColumns: '1fr 1fr', gap: 10 }}>
      {of.map((field) => (
        <NumberInput
          key={field}
          label={t(`resilience.${field}`)}
          description={`${t(`resilienceText.${field}`)} ${t('resilienceText.default', { seconds: DEFAULTS[field] })}`}
          suffix=" s"
          min={1}
          value={times[field] ?? 0}
          onChange={(value) => onChange({ ...times, [field]: Number(value) || 0 })}
        />
      ))}
    </div>
  );
}

const plain = (_: string, value: unknown) => (typeof value === 'bigint' ? String(value) : value);

function FailoverForm({
  instance,
  settings,
  saving,
  saved,
  onSave,
  onEdit,
}: {
  readonly instance: string;
  readonly settings: GetInstanceFailoverResponse;
  readonly saving: boolean;
  readonly saved: boolean;
  readonly onSave: (wanted: FailoverWanted) => void;
  readonly onEdit: () => void;
}) {
  const { t } = useTranslation();
  const [enabled, setEnabled] = useState(settings.enabled);
  const [times, setTimes] = useState<Times>(() =>
    Object.fromEntries(FAILOVER.map((field) => [field, Number(settings.timeout?.[field] ?? 0n)])),
  );
  const may = useMay('kairship/instance/update', { instance });
  const timeout = Object.fromEntries(FAILOVER.map((field) => [field, BigInt(times[field] ?? 0)]));
  return (
    <Stack gap="sm" onChange={onEdit}>
      <Switch
        label={t('resilience.failoverOn')}
        description={t('resilience.failoverHint')}
        checked={enabled}
        onChange={(event) => setEnabled(event.currentTarget.checked)}
      />
      <Seconds of={FAILOVER} times={times} onChange={setTimes} />
      <Group justify="flex-end">
        <Command
          lines={[
            curl('PUT', `/apis/kairship.io/v1alpha1/instances/${instance}/failover`, { enabled, timeout: times }),
          ]}
        />
        <GuardedButton may={may} loading={saving} onClick={() => onSave({ enabled, timeout })}>
          {saved ? t('action.saved') : t('action.save')}
        </GuardedButton>
      </Group>
    </Stack>
  );
}

function Descheduler({ instance }: { readonly instance: string }) {
  const { t } = useTranslation();
  const asked = useQuery(InstanceService.method.getInstanceDescheduler, { instance });
  return (
    <Panel title={t('resilience.descheduler')}>
      <Answer of={asked}>
        {(settings) => (
          <DeschedulerForm key={JSON.stringify(settings, plain)} instance={instance} settings={settings} />
        )}
      </Answer>
    </Panel>
  );
}

const DESCHEDULER = ['deschedulingInterval', 'unschedulableThreshold'] as const;

function DeschedulerForm({
  instance,
  settings,
}: {
  readonly instance: string;
  readonly settings: GetInstanceDeschedulerResponse;
}) {
  const { t } = useTranslation();
  const cache = useQueryClient();
  const may = useMay('kairship/instance/update', { instance });
  const [enabled, setEnabled] = useState(settings.enabled);
  const [times, setTimes] = useState<Times>(() =>
    Object.fromEntries(DESCHEDULER.map((field) => [field, Number(settings.timeout?.[field] ?? 0n)])),
  );
  const timeout = Object.fromEntries(DESCHEDULER.map((field) => [field, BigInt(times[field] ?? 0)]));
  const save = useMutation({
    mutationFn: () => instances.updateInstanceDescheduler({ instance, enabled, timeout }),
    onSuccess: () => cache.invalidateQueries(),
  });
  return (
    <Stack gap="sm">
      <Switch
        label={t('resilience.deschedule')}
        description={t(enabled ? 'resilience.deschedulerOn' : 'resilience.deschedulerOff', {
          seconds: times['unschedulableThreshold'] ?? 0,
        })}
        checked={enabled}
        onChange={(event) => setEnabled(event.currentTarget.checked)}
      />
      <Seconds of={DESCHEDULER} times={times} onChange={setTimes} />
      {save.error && <Banner state="blocked">{problemOf(save.error).message}</Banner>}
      <Group justify="flex-end">
        <Command
          lines={[
            curl('PUT', `/apis/kairship.io/v1alpha1/instances/${instance}/descheduler`, { enabled, timeout: times }),
          ]}
        />
        <GuardedButton may={may} loading={save.isPending} onClick={() => save.mutate()}>
          {t('action.save')}
        </GuardedButton>
      </Group>
    </Stack>
  );
}
