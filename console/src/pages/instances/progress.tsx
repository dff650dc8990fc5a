/** Stays until the instance runs, so that one sees it come to life. */
import { useQuery } from '@connectrpc/connect-query';
import { Button, Group, Stack } from '@mantine/core';
import { useNavigate } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { InstanceService } from '#gen/proto/kairship/api/instance/v1alpha1/instance_service_pb.ts';
import { ago } from '../../i18n/words.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { instanceState } from '../../parts/instance-state.ts';
import { Prechecks } from '../../parts/prechecks.tsx';
import { Banner } from '../../parts/status.tsx';

interface Told {
  readonly status?: {
    readonly conditions?: readonly {
      readonly type: string;
      readonly status: string;
      readonly message?: string;
      readonly lastTransitionTime?: string;
    }[];
  };
}

const EVERY_MS = 1_000;

export function Progress({ name, onClose }: { readonly name: string; readonly onClose: () => void }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const options = { refetchInterval: EVERY_MS };
  const { data } = useQuery(InstanceService.method.getInstance, { name }, options);
  const told = useQuery(InstanceService.method.getInstanceJSON, { name }, options);
  const state = data ? instanceState(data) : 'progressing';
  const { status } = JSON.parse(told.data?.data ?? '{}') as Told;
  const { karmadaVersion = '', kubernetesVersion = '' } = data?.status ?? {};
  return (
    <Dialog title={name} onClose={onClose}>
      <Stack gap="sm">
        <Banner state={state}>
          <b>{t(`instance.sentence.${state}`)}</b>
        </Banner>
        <div role="log" aria-label={t('instance.progress')}>
          <Prechecks
            awaited={state === 'progressing'}
            of={[
              [data !== undefined, t('instance.phase.registered')],
              karmadaVersion === ''
                ? [false, t('instance.phase.making')]
                : [true, t('instance.phase.made', { version: karmadaVersion })],
              kubernetesVersion === ''
                ? [false, t('instance.phase.silent')]
                : [true, t('instance.phase.answers', { version: kubernetesVersion })],
              ...(status?.conditions ?? []).map(
                ({ status: holds, message, type, lastTransitionTime }) =>
                  [
                    holds === 'True',
                    <>
                      {message || type}{' '}
                      <span className="soft">{lastTransitionTime && ago(Date.parse(lastTransitionTime))}</span>
                    </>,
                  ] as const,
              ),
            ]}
          />
        </div>
        <Group justify="flex-end">
          <Button
            disabled={state !== 'healthy'}
            onClick={() => void navigate({ to: '/i/$instance', params: { instance: name } })}
          >
            {t('instance.open')}
          </Button>
        </Group>
      </Stack>
    </Dialog>
  );
}
