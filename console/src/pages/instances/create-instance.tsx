/** Making an instance: who runs it, what it is called, what it shall do; then one watches it come to life. */
import { createClient } from '@connectrpc/connect';
import { useQuery } from '@connectrpc/connect-query';
import { Button, Group, Radio, Select, Stack, Switch, TagsInput, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { InstanceService } from '#gen/proto/kairship/api/instance/v1alpha1/instance_service_pb.ts';
import { ClusterService, Purpose } from '#gen/proto/kpanda/api/cluster/v1alpha1/cluster_service_pb.ts';
import { mapOf } from '../../api/pairs.ts';
import { problemOf } from '../../api/problem.ts';
import { transport } from '../../api/transport.ts';
import { CommandLine } from '../../parts/command.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { KubeconfigField } from '../../parts/kubeconfig-field.tsx';
import { Banner } from '../../parts/status.tsx';
import { Report } from '../inventory/import-report.tsx';
import { inventory } from '../inventory/shared.ts';
import { Entries } from './entries.tsx';
import { Progress } from './progress.tsx';
import {
  annotationsOf,
  commandOf,
  isName,
  MODES,
  NOTHING,
  settingsOf,
  STORAGES,
  type Wanted,
  withInternal,
} from './wanted.ts';

const instances = createClient(InstanceService, transport);

interface StepProps {
  readonly wanted: Wanted;
  readonly onChange: (part: Partial<Wanted>) => void;
}

export function CreateInstance({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation();
  const cache = useQueryClient();
  const [wanted, setWanted] = useState<Wanted>(NOTHING);
  const [advanced, setAdvanced] = useState(false);
  const [fits, setFits] = useState(false);
  const change = (part: Partial<Wanted>) => setWanted({ ...wanted, ...part });
  const create = useMutation({
    mutationFn: () => createOf(wanted),
    onSuccess: () => cache.invalidateQueries(),
  });
  if (create.isSuccess) return <Progress name={wanted.name} onClose={onClose} />;
  const isExternal = wanted.mode === 'external';
  const isReady = isName(wanted.name) && (!isExternal || fits);
  return (
    <Dialog title={t('instance.create')} size="lg" onClose={onClose}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          if (isReady) create.mutate();
        }}
      >
        <Stack gap="sm">
          <About wanted={wanted} onChange={change} />
          <Who wanted={wanted} onChange={change} />
          {isExternal ? (
            <Kubeconfig wanted={wanted} onChange={change} onFit={setFits} />
          ) : (
            <>
              <Button
                variant="subtle"
                style={{ alignSelf: 'flex-start' }}
                aria-expanded={advanced}
                onClick={() => setAdvanced(!advanced)}
              >
                {t('instance.advanced')}
              </Button>
              {advanced && <Settings wanted={wanted} onChange={change} />}
              <CommandLine line={commandOf(wanted)} />
            </>
          )}
          {create.error && <Banner state="blocked">{problemOf(create.error).message}</Banner>}
          <Group justify="flex-end">
            <Button type="submit" disabled={!isReady} loading={create.isPending}>
              {t(isExternal ? 'instance.adopt' : 'instance.create')}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}

/** Looked at before it is taken. */
function Kubeconfig({ wanted, onChange, onFit }: StepProps & { readonly onFit: (fits: boolean) => void }) {
  const { t } = useTranslation();
  const check = useMutation({
    mutationFn: () => inventory.validateKubeConfig({ kubeconfig: wanted.kubeconfig, purpose: Purpose.manage }),
    onSuccess: ({ ok }) => onFit(ok),
  });
  return (
    <>
      <Text size="sm">{t('instance.adoptText')}</Text>
      <KubeconfigField
        value={wanted.kubeconfig}
        onChange={(kubeconfig) => {
          onChange({ kubeconfig });
          onFit(false);
          check.reset();
        }}
      />
      <Button
        variant="default"
        style={{ alignSelf: 'flex-start' }}
        disabled={wanted.kubeconfig === ''}
        loading={check.isPending}
        onClick={() => check.mutate()}
      >
        {t('inventory.check')}
      </Button>
      {check.data && <Report report={check.data} />}
      {check.error && <Banner state="blocked">{problemOf(check.error).message}</Banner>}
    </>
  );
}

/** Settings follow at once: the control plane is only just being made. */
async function createOf(wanted: Wanted): Promise<void> {
  const { name, labels, mode, kubeconfig } = wanted;
  const metadata = {
    name,
    labels: mapOf(labels),
    annotations: { ...withInternal({}, wanted.annotations), ...annotationsOf(wanted) },
  };
  const secretRef = mode === 'operator' && wanted.host ? await credentialOf(wanted.host) : undefined;
  const spec = secretRef ? { hostCluster: { secretRef } } : {};
  await instances.createInstance({
    cluster: wanted.host,
    data: { metadata, spec },
    ...(mode === 'external' ? { kubeconfig } : {}),
  });
  const settings = settingsOf(wanted);
  if (Object.keys(settings).length === 0) return;
  const manifest = { apiVersion: 'kairship.io/v1alpha1', kind: 'Instance', metadata, spec: settings };
  await instances.updateInstance({ name, data: JSON.stringify(manifest) });
}

async function credentialOf(cluster: string) {
  const { spec } = await inventory.getCluster({ name: cluster });
  return { name: spec?.secretRef?.name ?? '', namespace: spec?.secretRef?.namespace ?? '' };
}

function Who({ wanted, onChange }: StepProps) {
  const { t } = useTranslation();
  return (
    <Radio.Group
      label={t('instance.who')}
      value={wanted.mode}
      onChange={(value) => onChange({ mode: MODES.find((mode) => mode === value) ?? 'embedded' })}
    >
      <Stack gap={8} mt={8}>
        {MODES.map((mode) => (
          <Radio.Card key={mode} value={mode} p="sm" radius="md" aria-label={t(`instance.mode.${mode}`)}>
            <Group wrap="nowrap" align="flex-start">
              <Radio.Indicator />
              <div>
                <Text size="sm" fw={600}>
                  {t(`instance.mode.${mode}`)}
                </Text>
                <Text size="xs" c="dimmed">
                  {t(`instance.modeText.${mode}`)}
                </Text>
              </div>
            </Group>
          </Radio.Card>
        ))}
      </Stack>
    </Radio.Group>
  );
}

function About({ wanted, onChange }: StepProps) {
  const { t } = useTranslation();
  const clusters = useQuery(ClusterService.method.listClusterSummary, {}, { enabled: wanted.mode === 'operator' });
  const karmada = useQuery(InstanceService.method.getInstanceKarmadaConfig, {});
  const isWrong = wanted.name !== '' && !isName(wanted.name);
  return (
    <>
      <Group grow align="flex-start">
        <TextInput
          label={t('field.name')}
          description={t('instance.nameRule')}
          value={wanted.name}
          onChange={(event) => onChange({ name: event.currentTarget.value })}
          error={isWrong && t('instance.badName')}
          required
          data-autofocus
        />
        <TextInput
          label={t('instance.alias')}
          description={t('instance.aliasHint')}
          maxLength={60}
          value={wanted.alias}
          onChange={(event) => onChange({ alias: event.currentTarget.value })}
        />
      </Group>
      {wanted.mode !== 'external' && (
        <Text size="sm" c="dimmed">
          Karmada {karmada.data?.version}
        </Text>
      )}
      {wanted.mode === 'operator' && (
        <Select
          label={t('instance.host')}
          description={t('instance.hostHint')}
          placeholder={t('instance.hostHere')}
          clearable
          data={clusters.data?.items.map(({ name }) => name) ?? []}
          value={wanted.host || null}
          onChange={(host) => onChange({ host: host ?? '' })}
        />
      )}
    </>
  );
}

function Settings({ wanted, onChange }: StepProps) {
  const { t } = useTranslation();
  return (
    <>
      {(['failover', 'descheduler', 'metricsAdapter'] as const).map((setting) => (
        <Switch
          key={setting}
          label={t(`instance.setting.${setting}`)}
          description={t(`instance.settingText.${setting}`)}
          checked={wanted[setting]}
          onChange={(event) => onChange({ [setting]: event.currentTarget.checked })}
        />
      ))}
      <Switch
        label={t('instance.release')}
        description={t('instance.releaseHint')}
        checked={wanted.release}
        onChange={(event) => onChange({ release: event.currentTarget.checked })}
      />
      <TagsInput
        label={t('field.labels')}
        placeholder="env=prod"
        value={[...wanted.labels]}
        onChange={(labels) => onChange({ labels })}
      />
      <Entries
        label={t('resource.annotations')}
        add={t('instance.addAnnotation')}
        value={wanted.annotations}
        onChange={(annotations) => onChange({ annotations })}
      />
      {wanted.mode === 'operator' && <StorageFields wanted={wanted} onChange={onChange} />}
    </>
  );
}

function StorageFields({ wanted, onChange }: StepProps) {
  const { t } = useTranslation();
  const field = (key: 'path' | 'size' | 'storageClass', label: string) => (
    <TextInput label={label} value={wanted[key]} onChange={(event) => onChange({ [key]: event.currentTarget.value })} />
  );
  return (
    <Group align="flex-end">
      <Select
        label={t('instance.storage')}
        allowDeselect={false}
        data={STORAGES.map((value) => ({ value, label: t(`instance.storageType.${value}`) }))}
        value={wanted.storage}
        onChange={(storage) => onChange({ storage: storage ?? 'default' })}
      />
      {wanted.storage === 'hostPath' && field('path', t('override.path'))}
      {wanted.storage === 'pvc' && field('size', t('instance.size'))}
      {wanted.storage === 'pvc' && field('storageClass', t('instance.storageClass'))}
    </Group>
  );
}
