/** What an instance is made of, which parts of it are on, and where they are turned. */
import { useQuery } from '@connectrpc/connect-query';
import { Stack } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import {
  InstanceComponent_Type as Type,
  InstanceService,
} from '#gen/proto/kairship/api/instance/v1alpha1/instance_service_pb.ts';
import { useFoundObjects } from '../../api/found.ts';
import { CUSTOMIZATION } from '../../api/kinds.ts';
import { instanceState } from '../../parts/instance-state.ts';
import { Panel } from '../../parts/page.tsx';
import { Answer } from '../../parts/problems.tsx';
import { type Shown, Status } from '../../parts/status.tsx';
import { When } from '../../parts/when.tsx';

interface Component {
  readonly id: 'server' | 'engine' | 'failover' | 'descheduler' | 'metrics' | 'interpreter';
  readonly state: Shown;
  readonly word: string;
  readonly detail: string;
  readonly settings?: ReactNode;
}

export function ComponentsTab({ instance }: { readonly instance: string }) {
  const { t } = useTranslation();
  const asked = useQuery(InstanceService.method.getInstance, { name: instance });
  const { data: failover } = useQuery(InstanceService.method.getInstanceFailover, { instance });
  const { data: descheduler } = useQuery(InstanceService.method.getInstanceDescheduler, { instance });
  const { data: metrics } = useQuery(InstanceService.method.getInstanceMetricsAdapter, { instance });
  const { data: customizations } = useFoundObjects({ instance, kind: CUSTOMIZATION, page: 1 });
  const resilience = (
    <Link to="/i/$instance/resilience" params={{ instance }}>
      {t('menu.resilience')}
    </Link>
  );
  const turned = (enabled: boolean | undefined): Pick<Component, 'state' | 'word'> => ({
    state: enabled === undefined ? 'unknown' : enabled ? 'healthy' : 'off',
    word: enabled === undefined ? t('state.loading') : t(enabled ? 'engine.on' : 'engine.off'),
  });
  return (
    <Stack gap={14}>
      <Panel title={t('engine.tab.components')} flush>
        <Answer of={asked}>
          {(data) => {
            const state = instanceState(data);
            const parts: readonly Component[] = [
              {
                id: 'server',
                state,
                word: t(`state.${state}`),
                detail: `Kubernetes ${data.status?.kubernetesVersion ?? ''}`,
              },
              {
                id: 'engine',
                state,
                word: t(`state.${state}`),
                detail: `Karmada ${data.status?.karmadaVersion ?? ''}`,
              },
              {
                id: 'failover',
                ...turned(failover?.enabled),
                detail: failover?.enabled
                  ? t('engine.evictsAfter', { seconds: Number(failover.timeout?.failoverEvictionTimeout ?? 0) })
                  : '',
                settings: resilience,
              },
              {
                id: 'descheduler',
                ...turned(descheduler?.enabled),
                detail: descheduler?.enabled
                  ? t('engine.looksEvery', { seconds: Number(descheduler.timeout?.deschedulingInterval ?? 0) })
                  : '',
                settings: resilience,
              },
              { id: 'metrics', ...turned(metrics?.enabled), detail: '' },
              {
                id: 'interpreter',
                state: 'healthy',
                word: t('engine.on'),
                detail: t('engine.customizations', { count: customizations?.total ?? 0 }),
                settings: (
                  <Link to="/i/$instance/engine" params={{ instance }} search={{ tab: 'interpreter' }}>
                    {t('engine.tab.interpreter')}
                  </Link>
                ),
              },
            ];
            return (
              <table className="grid">
                <thead>
                  <tr>
                    <th scope="col">{t('engine.component')}</th>
                    <th scope="col">{t('field.status')}</th>
                    <th scope="col">{t('engine.does')}</th>
                    <th scope="col">{t('engine.detail')}</th>
                    <th scope="col">{t('menu.settings')}</th>
                  </tr>
                </thead>
                <tbody>
                  {parts.map(({ id, state: how, word, detail, settings }) => (
                    <tr key={id} data-component={id}>
                      <td style={{ fontWeight: 550 }}>{t(`engine.part.${id}`)}</td>
                      <td>
                        <Status state={how} word={word} />
                      </td>
                      <td className="soft">{t(`engine.about.${id}`)}</td>
                      <td>{detail || '–'}</td>
                      <td>{settings ?? '–'}</td>
                    </tr>
                  ))}
                </tbody>
              </table>
            );
          }}
        </Answer>
      </Panel>
      <Parts instance={instance} />
    </Stack>
  );
}

const LOOK_AGAIN_MS = 10_000;

/** Everything that the instance tells of itself, the worst first. */
function Parts({ instance }: { readonly instance: string }) {
  const { t } = useTranslation();
  const asked = useQuery(
    InstanceService.method.listInstanceComponents,
    { instance },
    { refetchInterval: LOOK_AGAIN_MS },
  );
  return (
    <Answer of={asked}>
      {({ items }) => {
        const ready = items.filter((one) => one.ready).length;
        return (
          <Panel
            title={t('engine.parts')}
            flush
            aside={
              <Status
                state={ready === items.length ? 'healthy' : 'degraded'}
                word={t(ready === items.length ? 'engine.allReady' : 'engine.someReady')}
                count={`${ready}/${items.length}`}
              />
            }
          >
            <table className="grid">
              <thead>
                <tr>
                  <th scope="col">{t('field.name')}</th>
                  <th scope="col">{t('field.kind')}</th>
                  <th scope="col">{t('field.status')}</th>
                  <th scope="col">{t('engine.since')}</th>
                </tr>
              </thead>
              <tbody>
                {items.map(({ name, type, ready: isReady, message, since }) => (
                  <tr key={`${type}${name}`} data-part={name}>
                    <td style={{ fontWeight: 550 }}>{name}</td>
                    <td className="soft">{t(`engine.type.${TYPES[type] ?? 'program'}`)}</td>
                    <td>
                      <Status
                        state={isReady ? 'healthy' : 'blocked'}
                        word={t(isReady ? 'field.ready' : 'engine.notReady')}
                      />
                      {message && <div className="soft">{message}</div>}
                    </td>
                    <td className="soft">
                      <When at={Number(since)} />
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </Panel>
        );
      }}
    </Answer>
  );
}

const TYPES: Readonly<Record<number, 'server' | 'controller' | 'program'>> = {
  [Type.Server]: 'server',
  [Type.Controller]: 'controller',
  [Type.Program]: 'program',
};
