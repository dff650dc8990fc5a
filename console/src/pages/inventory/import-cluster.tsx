/** Importing a cluster: its kubeconfig is looked at first, and taken only if it may do what is needed. */
import { createClient } from '@connectrpc/connect';
import { Button, FileButton, Group, Modal, Stack, Text, Textarea, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Upload } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  ClusterService,
  type ImportReport,
  Purpose,
} from '#gen/proto/kpanda/api/cluster/v1alpha1/cluster_service_pb.ts';
import { problemOf } from '../../api/problem.ts';
import { transport } from '../../api/transport.ts';
import { Banner, Status } from '../../parts/status.tsx';

const inventory = createClient(ClusterService, transport);

export function ImportCluster({ onClose }: { readonly onClose: () => void }) {
  const { t } = useTranslation();
  const cache = useQueryClient();
  const [name, setName] = useState('');
  const [region, setRegion] = useState('');
  const [kubeconfig, setKubeconfig] = useState('');
  const check = useMutation({
    mutationFn: () => inventory.validateKubeConfig({ kubeconfig, purpose: Purpose.manage }),
  });
  const take = useMutation({
    mutationFn: () => inventory.createCluster({ name, region, kubeconfig, purpose: Purpose.manage }),
    onSuccess: async () => {
      onClose();
      await cache.invalidateQueries();
    },
  });
  return (
    <Modal
      opened
      onClose={onClose}
      size="lg"
      title={t('inventory.import')}
      closeButtonProps={{ 'aria-label': t('action.close') }}
    >
      <Stack gap="sm">
        <Group grow>
          <TextInput
            label={t('field.name')}
            value={name}
            onChange={(event) => setName(event.currentTarget.value)}
            required
            data-autofocus
          />
          <TextInput
            label={t('inventory.region')}
            value={region}
            onChange={(event) => setRegion(event.currentTarget.value)}
          />
        </Group>
        <Textarea
          label="Kubeconfig"
          description={t('inventory.kubeconfigHint')}
          autosize
          minRows={6}
          maxRows={12}
          value={kubeconfig}
          onChange={(event) => {
            setKubeconfig(event.currentTarget.value);
            check.reset();
          }}
          required
          styles={{ input: { fontFamily: 'var(--k-mono)' } }}
        />
        <FileButton onChange={(file) => void file?.text().then(setKubeconfig)}>
          {(props) => (
            <Button
              {...props}
              variant="default"
              leftSection={<Upload size={14} aria-hidden />}
              style={{ alignSelf: 'flex-start' }}
            >
              {t('inventory.file')}
            </Button>
          )}
        </FileButton>
        {check.data && <Report report={check.data} />}
        {(check.error ?? take.error) && <Banner state="blocked">{problemOf(check.error ?? take.error).message}</Banner>}
        <Group justify="flex-end">
          <Button
            variant="default"
            disabled={kubeconfig === ''}
            loading={check.isPending}
            onClick={() => check.mutate()}
          >
            {t('inventory.check')}
          </Button>
          <Button
            disabled={name === '' || check.data?.ok !== true}
            loading={take.isPending}
            onClick={() => take.mutate()}
          >
            {t('inventory.import')}
          </Button>
        </Group>
      </Stack>
    </Modal>
  );
}

function Report({ report }: { readonly report: ImportReport }) {
  const { t } = useTranslation();
  return (
    <div className="panel">
      <table className="grid">
        <tbody>
          {report.checks.map(({ name, ok, message }) => (
            <tr key={name}>
              <td style={{ width: 130 }}>
                <Status state={ok ? 'healthy' : 'blocked'} word={name} />
              </td>
              <td>{message}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {report.missing.length > 0 && (
        <Text size="xs" p="sm">
          {t('inventory.missing')}{' '}
          <span className="mono">
            {report.missing
              .map(({ verb, group, resource }) => `${verb} ${[resource, group].filter(Boolean).join('.')}`)
              .join(', ')}
          </span>
        </Text>
      )}
    </div>
  );
}
