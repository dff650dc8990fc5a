/** Importing a cluster: its kubeconfig is looked at first, and taken only if it may do what is needed. */
import { Button, Group, Stack, Stepper, TagsInput, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Purpose } from '#gen/proto/kpanda/api/cluster/v1alpha1/cluster_service_pb.ts';
import { mapOf } from '../../api/pairs.ts';
import { problemOf } from '../../api/problem.ts';
import { Dialog, FormDialog } from '../../parts/dialog.tsx';
import { KubeconfigField } from '../../parts/kubeconfig-field.tsx';
import { Facts } from '../../parts/page.tsx';
import { Banner } from '../../parts/status.tsx';
import { Report } from './import-report.tsx';
import { inventory } from './shared.ts';

export function ImportCluster({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation();
  const [step, setStep] = useState(0);
  const [kubeconfig, setKubeconfig] = useState('');
  const check = useMutation({
    mutationFn: () => inventory.validateKubeConfig({ kubeconfig, purpose: Purpose.manage }),
  });
  if (step === 1)
    return (
      <Describe
        kubeconfig={kubeconfig}
        version={check.data?.version ?? ''}
        onClose={onClose}
        onBack={() => setStep(0)}
      />
    );
  return (
    <Dialog onClose={onClose} size="lg" title={t('inventory.import')}>
      <Stack gap="sm">
        <Steps at={0} />
        <KubeconfigField
          value={kubeconfig}
          onChange={(text) => {
            setKubeconfig(text);
            check.reset();
          }}
        />
        {check.data && (
          <>
            <Banner state={check.data.ok ? 'healthy' : 'blocked'}>
              <b>{t(check.data.ok ? 'inventory.fit' : 'inventory.unfit')}</b>
            </Banner>
            <Report report={check.data} />
          </>
        )}
        {check.error && <Banner state="blocked">{problemOf(check.error).message}</Banner>}
        <Group justify="flex-end">
          <Button
            variant={check.data?.ok ? 'default' : 'filled'}
            disabled={kubeconfig === ''}
            loading={check.isPending}
            onClick={() => check.mutate()}
          >
            {t('inventory.check')}
          </Button>
          <Button disabled={check.data?.ok !== true} onClick={() => setStep(1)}>
            {t('action.next')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}

function Steps({ at }: { readonly at: number }) {
  const { t } = useTranslation();
  return (
    <Stepper active={at} size="xs" iconSize={22} allowNextStepsSelect={false}>
      <Stepper.Step label={t('inventory.stepCredential')} />
      <Stepper.Step label={t('inventory.stepAbout')} />
    </Stepper>
  );
}

interface DescribeProps {
  readonly kubeconfig: string;
  readonly version: string;
  readonly onClose: () => void;
  readonly onBack: () => void;
}

function Describe({ kubeconfig, version, onClose, onBack }: DescribeProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const [about, setAbout] = useState({ aliasName: '', provider: '', region: '', zone: '' });
  const [labels, setLabels] = useState<string[]>([]);
  const field = (key: keyof typeof about, label: string) => (
    <TextInput
      label={label}
      value={about[key]}
      onChange={(event) => setAbout({ ...about, [key]: event.currentTarget.value })}
    />
  );
  const places = (['provider', 'region', 'zone'] as const).filter((key) => about[key] !== '');
  const words = [
    `kairship cluster join ${name || 'NAME'} --kubeconfig FILE`,
    ...places.map((key) => `--${key} ${about[key]}`),
    ...labels.map((label) => `--label ${label}`),
  ];
  return (
    <FormDialog
      onClose={onClose}
      size="lg"
      title={t('inventory.import')}
      submit={t('inventory.import')}
      disabled={name === ''}
      command={words.join(' ')}
      act={() =>
        inventory.createCluster({ name, kubeconfig, ...about, labels: mapOf(labels), purpose: Purpose.manage })
      }
      then={() => navigate({ to: '/clusters/$cluster', params: { cluster: name } })}
    >
      <Steps at={1} />
      <Facts of={[['Kubernetes', version || '–']]} />
      <Group grow align="flex-start">
        <TextInput
          label={t('field.name')}
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
          required
          data-autofocus
        />
        {field('aliasName', t('instance.alias'))}
      </Group>
      <Group grow>
        {field('provider', t('inventory.provider'))}
        {field('region', t('inventory.region'))}
        {field('zone', t('inventory.zone'))}
      </Group>
      <TagsInput label={t('field.labels')} placeholder="tier=prod" value={labels} onChange={setLabels} />
      <Text size="xs" c="dimmed">
        {t('inventory.importThenJoin')}
      </Text>
      <Button variant="subtle" style={{ alignSelf: 'flex-start' }} onClick={onBack}>
        {t('action.back')}
      </Button>
    </FormDialog>
  );
}
