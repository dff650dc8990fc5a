/** One autoscaler: what it scales, by what, how far it is, and the form and text that change it. */
import { Text } from '@mantine/core';
import { useParams, useSearch } from '@tanstack/react-router';
import { useTranslation } from 'react-i18next';
import { FEDERATED_HPA, kindNamed, SCALERS } from '../../api/kinds.ts';
import { useLive } from '../../api/live.ts';
import { type ObjectRef, type Thing, useObject } from '../../api/objects.ts';
import { ago, moment } from '../../i18n/words.ts';
import { Command } from '../../parts/command.tsx';
import { LiveChip } from '../../parts/live-chip.tsx';
import { Facts, Page, Panel } from '../../parts/page.tsx';
import { Answer, Empty } from '../../parts/problems.tsx';
import { Banner } from '../../parts/status.tsx';
import { yamlOf } from '../../parts/yaml.tsx';
import { When } from '../../parts/when.tsx';
import { ResourceLink } from '../engine/bindings-tab.tsx';
import { PlacedTable } from '../workload/placed-table.tsx';
import { MetricsBanner } from './metrics-banner.tsx';
import { DeleteScaler, ScalerEditor } from './scaler-editor.tsx';
import { metricsOf, newScalerText, rangeOf, replicasOf, rulesOf, scalerState, targetOf } from './scaler-text.ts';

export function NewScalerPage() {
  const { t } = useTranslation();
  const { instance } = useParams({ from: '/i/$instance' });
  const { kind: word, ns, for: target } = useSearch({ from: '/i/$instance/scaling/new' });
  const kind = SCALERS.find((one) => one.kind === word) ?? FEDERATED_HPA;
  const namespace = ns || 'default';
  return (
    <Page title={t('resource.new', { kind: kind.kind })} sub={t('scaling.sub')}>
      {kind === FEDERATED_HPA && (
        <>
          <MetricsBanner instance={instance} />
          <Text size="sm" c="dimmed" mb={10}>
            {t('scaler.needs')}
          </Text>
        </>
      )}
      <ScalerEditor
        key={word}
        of={{ instance, kind, namespace, name: '' }}
        original={newScalerText({ kind: kind.kind, namespace, target })}
        isNew
      />
    </Page>
  );
}

export function ScalerPage() {
  const params = useParams({ from: '/i/$instance/scaling/$kind/$namespace/$name' });
  const { instance, namespace, name } = params;
  const kind = SCALERS.find((one) => one.kind === params.kind) ?? FEDERATED_HPA;
  const of: ObjectRef = { instance, kind, namespace, name };
  const live = useLive(instance, [{ ...kind, namespace }]);
  const object = useObject(of);
  return (
    <Page
      title={name}
      sub={`${kind.kind} · ${namespace}`}
      actions={
        <>
          <LiveChip state={live} />
          <Command lines={[`kubectl -n ${namespace} get ${kind.resource} ${name} -o yaml`]} />
          <DeleteScaler of={of} />
        </>
      }
    >
      <Answer of={object}>
        {(data) => (
          <div style={{ display: 'grid', gap: 14 }}>
            <HowItIs of={of} scaler={data} />
            <ScalerEditor
              key={`${data.metadata.uid}${data.metadata.generation}`}
              of={of}
              original={yamlOf({ ...data, status: undefined })}
              isNew={false}
            />
          </div>
        )}
      </Answer>
    </Page>
  );
}

function HowItIs({ of, scaler }: { readonly of: ObjectRef; readonly scaler: Thing }) {
  const { t } = useTranslation();
  const { state, message } = scalerState(scaler);
  const target = targetOf(scaler);
  const scaled = kindNamed(target.apiVersion, target.kind);
  const { current, desired, at } = replicasOf(scaler);
  const byClock = scaler.kind === 'CronFederatedHPA';
  return (
    <>
      <Banner state={state}>
        <b>
          {byClock
            ? t('scaling.byClock', { count: rulesOf(scaler).length })
            : t(`scaling.sentence.${state === 'degraded' ? 'cannot' : state === 'healthy' ? 'active' : 'waiting'}`, {
                current,
                desired,
              })}
        </b>
        {message && <div>{message}</div>}
      </Banner>
      <div className="two">
        {byClock ? <Rules scaler={scaler} /> : <Metrics scaler={scaler} />}
        <Panel title={t('workload.about')}>
          <Facts
            of={[
              [
                t('scaling.scales'),
                <ResourceLink key="target" instance={of.instance} reference={{ ...target, namespace: of.namespace }} />,
              ],
              ...(byClock
                ? []
                : [
                    [t('scaling.range'), rangeOf(scaler)] as const,
                    [t('scaling.currentDesired'), `${current} / ${desired}`] as const,
                    [t('scaling.lastScale'), <When key="scaled" full at={at} />] as const,
                  ]),
            ]}
          />
        </Panel>
      </div>
      {scaled && <PlacedTable of={{ ...of, kind: scaled, name: target.name }} />}
    </>
  );
}

function Metrics({ scaler }: { readonly scaler: Thing }) {
  const { t } = useTranslation();
  const metrics = metricsOf(scaler);
  return (
    <Panel title={t('scaling.metrics')} flush>
      {metrics.length === 0 ? (
        <Empty title={t('scaling.noMetrics')} />
      ) : (
        <table className="grid">
          <thead>
            <tr>
              <th scope="col">{t('scaling.metric')}</th>
              <th scope="col" className="num">
                {t('scaling.now')}
              </th>
              <th scope="col" className="num">
                {t('scaling.target')}
              </th>
            </tr>
          </thead>
          <tbody>
            {metrics.map(({ name, current, target }) => (
              <tr key={name}>
                <td style={{ fontWeight: 550 }}>{name}</td>
                <td className="num">{current || '–'}</td>
                <td className="num">{target}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </Panel>
  );
}

function Rules({ scaler }: { readonly scaler: Thing }) {
  const { t } = useTranslation();
  return (
    <Panel title={t('scaling.rules')} flush>
      <table className="grid">
        <thead>
          <tr>
            <th scope="col">{t('field.name')}</th>
            <th scope="col">{t('scaling.schedule')}</th>
            <th scope="col" className="num">
              {t('field.replicas')}
            </th>
            <th scope="col">{t('scaling.last')}</th>
            <th scope="col">{t('scaling.next')}</th>
          </tr>
        </thead>
        <tbody>
          {rulesOf(scaler).map(({ name, schedule, timeZone, replicas, suspended, lastAt, lastFailure, nextAt }) => (
            <tr key={name}>
              <td style={{ fontWeight: 550 }}>{name}</td>
              <td>
                <span className="mono">{schedule}</span> <span className="soft">{timeZone}</span>
              </td>
              <td className="num">{replicas}</td>
              <td className="soft">{lastFailure || (lastAt ? ago(lastAt) : '–')}</td>
              <td className="soft">{suspended ? t('scaling.suspended') : nextAt ? moment(nextAt) : '–'}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Panel>
  );
}
