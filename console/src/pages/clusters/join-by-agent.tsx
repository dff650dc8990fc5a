/** A cluster that nobody reaches from outside joins: what starts its agent, and whether that is there yet. */
import { Stack, Text, TextInput } from '@mantine/core';
import { useQuery } from '@connectrpc/connect-query';
import { type ReactNode, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ClusterPhase } from '#gen/proto/kairship/api/cluster/v1alpha1/cluster_pb.ts';
import { ClusterService } from '#gen/proto/kairship/api/cluster/v1alpha1/cluster_service_pb.ts';
import { clustersApi } from '../../api/clusters.ts';
import { CommandLine } from '../../parts/command.tsx';
import { Dialog, FormDialog } from '../../parts/dialog.tsx';
import { Banner } from '../../parts/status.tsx';

interface Props {
  readonly instance: string;
  readonly onClose: () => void;
  /** How it joins, to choose another way. */
  readonly way: ReactNode;
}

const NAME = /^[a-z0-9]([a-z0-9-]{0,46}[a-z0-9])?$/;

export function JoinByAgent({ instance, onClose, way }: Props) {
  const { t } = useTranslation();
  const [name, setName] = useState('');
  const [command, setCommand] = useState<string>();
  if (command !== undefined)
    return <AgentCommand instance={instance} name={name} command={command} onClose={onClose} />;
  const wrong = name !== '' && !NAME.test(name);
  return (
    <FormDialog
      title={t('cluster.join')}
      size="lg"
      submit={t('cluster.agent.invite')}
      disabled={!NAME.test(name)}
      act={async () => setCommand((await clustersApi.createAgentToken({ instance, name })).command)}
      then={() => undefined}
      onClose={onClose}
      command={NAME.test(name) ? `kairship cluster join ${name} --pull --instance ${instance}` : undefined}
    >
      {way}
      <TextInput
        label={t('cluster.agent.name')}
        description={t('cluster.agent.nameHint')}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        error={wrong && t('cluster.agent.nameRule')}
        data-autofocus
      />
      <Text size="xs" c="dimmed">
        {t('cluster.agent.hint')}
      </Text>
    </FormDialog>
  );
}

/** Soon enough for somebody who has just started it in another window. */
const LOOK_MS = 2_000;

interface CommandProps extends Omit<Props, 'way'> {
  readonly name: string;
  readonly command: string;
}

function AgentCommand({ instance, name, command, onClose }: CommandProps) {
  const { t } = useTranslation();
  const { data } = useQuery(
    ClusterService.method.listJoinedClusters,
    { instance, name, allCluster: true },
    { refetchInterval: LOOK_MS },
  );
  const found = data?.items.find(({ metadata }) => metadata?.name === name);
  const ready = found?.status?.phase === ClusterPhase.RUNNING;
  return (
    <Dialog title={t('cluster.agent.start', { name })} size="lg" onClose={onClose}>
      <Stack gap="sm">
        <Text size="sm">{t('cluster.agent.run')}</Text>
        <CommandLine line={command} />
        <Banner state={ready ? 'healthy' : 'progressing'}>
          {t(ready ? 'cluster.agent.arrived' : 'cluster.agent.awaited', { name })}
        </Banner>
        <Text size="xs" c="dimmed">
          {t('cluster.agent.safety')}
        </Text>
      </Stack>
    </Dialog>
  );
}
