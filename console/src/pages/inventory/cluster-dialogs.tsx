/** What can be done with a cluster of the inventory. */
import { Group, TagsInput, Text, TextInput, Textarea } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Cluster } from '#gen/proto/kpanda/api/cluster/v1alpha1/cluster_pb.ts';
import { Purpose } from '#gen/proto/kpanda/api/cluster/v1alpha1/cluster_service_pb.ts';
import { curl, mapOf, pairsOf } from '../../api/pairs.ts';
import { FormDialog } from '../../parts/dialog.tsx';
import { KubeconfigField } from '../../parts/kubeconfig-field.tsx';
import { Prechecks } from '../../parts/prechecks.tsx';
import { Banner } from '../../parts/status.tsx';
import { Report } from './import-report.tsx';
import { inventory } from './shared.ts';

const API = '/apis/kpanda.io/v1alpha1/clusters';
/** Labels that the platform gave, and keeps. */
const PLATFORM_LABEL = /(^|\.)(kpanda|kairship|ghippo)\.io\//;

export function EditCluster({ cluster, onClose }: { readonly cluster: Cluster; readonly onClose: () => void }) {
  const { t } = useTranslation();
  const name = cluster.metadata?.name ?? '';
  const { aliasName = '', description = '', provider = '', region = '', zone = '' } = cluster.spec ?? {};
  const [about, setAbout] = useState({ aliasName, description, provider, region, zone });
  const [labels, setLabels] = useState(() =>
    pairsOf(cluster.metadata?.labels).filter((label) => !PLATFORM_LABEL.test(label)),
  );
  const change = (key: keyof typeof about) => (event: { currentTarget: { value: string } }) =>
    setAbout({ ...about, [key]: event.currentTarget.value });
  return (
    <FormDialog
      title={t('inventory.editTitle', { name })}
      onClose={onClose}
      size="lg"
      submit={t('action.save')}
      command={curl('PUT', `${API}/${name}`, about)}
      act={async () => {
        await inventory.updateClusters({ name, ...about });
        await inventory.editClusterLabels({ name, labels: mapOf(labels) });
      }}
    >
      <TextInput label={t('instance.alias')} value={about.aliasName} onChange={change('aliasName')} data-autofocus />
      <Textarea label={t('inventory.description')} value={about.description} onChange={change('description')} />
      <Group grow>
        <TextInput label={t('inventory.provider')} value={about.provider} onChange={change('provider')} />
        <TextInput label={t('inventory.region')} value={about.region} onChange={change('region')} />
        <TextInput label={t('inventory.zone')} value={about.zone} onChange={change('zone')} />
      </Group>
      <TagsInput
        label={t('field.labels')}
        description={t('inventory.editHint')}
        placeholder="tier=prod"
        value={labels}
        onChange={setLabels}
      />
    </FormDialog>
  );
}

export function RotateCredential({ name, onClose }: { readonly name: string; readonly onClose: () => void }) {
  const { t } = useTranslation();
  const [kubeconfig, setKubeconfig] = useState('');
  const check = useMutation({
    mutationFn: () => inventory.validateCluster({ name, kubeconfig, purpose: Purpose.manage }),
  });
  const fits = check.data?.ok === true;
  return (
    <FormDialog
      title={t('inventory.rotateTitle', { name })}
      onClose={onClose}
      size="lg"
      submit={t(fits ? 'inventory.rotate' : 'inventory.check')}
      disabled={kubeconfig === ''}
      command={curl('POST', `${API}/${name}/credential:rotate`, { kubeconfig: '…' })}
      act={() =>
        fits ? inventory.rotateCredential({ name, kubeconfig, purpose: Purpose.manage }) : check.mutateAsync()
      }
      then={() => {
        if (fits) onClose();
        return undefined;
      }}
    >
      <Text size="sm">{t('inventory.rotateText')}</Text>
      <KubeconfigField
        value={kubeconfig}
        onChange={(text) => {
          setKubeconfig(text);
          check.reset();
        }}
      />
      {check.data && (
        <>
          <Banner state={fits ? 'healthy' : 'blocked'}>
            <b>{t(fits ? 'inventory.fit' : 'inventory.unfit')}</b>
          </Banner>
          <Report report={check.data} />
        </>
      )}
    </FormDialog>
  );
}

interface RemoveProps {
  readonly name: string;
  readonly served: readonly string[];
  readonly onClose: () => void;
}

export function RemoveCluster({ name, served, onClose }: RemoveProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [typed, setTyped] = useState('');
  return (
    <FormDialog
      title={t('inventory.removeTitle', { name })}
      onClose={onClose}
      danger
      submit={t('action.remove')}
      disabled={typed !== name || served.length > 0}
      command={
        served.length > 0
          ? `kairship cluster remove ${name} --instance ${served[0]} --forget`
          : curl('DELETE', `${API}/${name}`)
      }
      act={() => inventory.deleteCluster({ name })}
      then={() => navigate({ to: '/clusters' })}
    >
      <Text size="sm">{t('inventory.removeText')}</Text>
      <Prechecks
        of={[
          [
            served.length === 0,
            served.length === 0
              ? t('inventory.checkFree')
              : t('inventory.checkServes', { instances: served.join(', ') }),
          ],
          [typed === name, t('instance.checkName')],
        ]}
      />
      <TextInput
        label={t('action.typeName', { name })}
        value={typed}
        onChange={(event) => setTyped(event.currentTarget.value)}
      />
    </FormDialog>
  );
}
