/** The difference a change would make, in clusters and replicas, with everything that stands in its way. */
import { Accordion, Badge, Group, Stack, Text } from '@mantine/core';
import { ArrowRight } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import {
  type BindingEffect,
  BindingEffect_Verdict as Verdict,
  type SimulationStatus,
  type TargetCluster,
} from '#gen/proto/kairship/api/placement/v1alpha1/simulation_pb.ts';
import { effectWord, hasReplicas } from '../api/simulation.ts';
import { engineSays } from '../i18n/language.ts';
import { Answer } from './problems.tsx';
import { Banner, type State, Status } from './status.tsx';

interface Asked {
  readonly data: SimulationStatus | undefined;
  readonly error: unknown;
  readonly refetch: () => unknown;
  readonly isFetching: boolean;
}

export function Effect({ of }: { readonly of: Asked }) {
  return (
    <div style={{ opacity: of.isFetching ? 0.65 : 1 }} aria-busy={of.isFetching}>
      <Answer of={of}>{(status) => <EffectView status={status} />}</Answer>
    </div>
  );
}

export function EffectView({ status }: { readonly status: SimulationStatus }) {
  const { t } = useTranslation();
  const { summary, bindings, conflicts, unschedulable } = status;
  const { key, count } = effectWord(status);
  const state: State =
    unschedulable.length > 0 || conflicts.length > 0 ? 'blocked' : key === 'nothing' ? 'healthy' : 'progressing';
  const workloads = bindings.filter(hasReplicas);
  const others = bindings.filter((binding) => !hasReplicas(binding));
  return (
    <Stack gap={10}>
      <Banner state={state} imagined>
        <b className="capital">{t(`effect.${key}`, { count })}</b>
        {summary && <div>{t('effect.looked', { count: summary.bindings, changed: summary.changed })}</div>}
      </Banner>
      {unschedulable.map(({ binding, message }) => (
        <Banner key={binding} state="blocked">
          <b>{binding}</b> {t('effect.fitsNowhere')} {engineSays(message)}
        </Banner>
      ))}
      {conflicts.map(({ binding, cluster, message }) => (
        <Banner key={`${binding}${cluster}${message}`} state="degraded">
          <b>{[binding, cluster].filter(Boolean).join(' · ')}</b> {engineSays(message)}
        </Banner>
      ))}
      {workloads.map((binding) => (
        <BindingView key={binding.binding} binding={binding} />
      ))}
      {others.length > 0 && (
        <Accordion variant="contained">
          <Accordion.Item value="others">
            <Accordion.Control>
              <Text size="sm">{t('effect.others', { count: others.length })}</Text>
            </Accordion.Control>
            <Accordion.Panel>
              <Stack gap={8}>
                {others.map((binding) => (
                  <BindingView key={binding.binding} binding={binding} />
                ))}
              </Stack>
            </Accordion.Panel>
          </Accordion.Item>
        </Accordion>
      )}
    </Stack>
  );
}

const STATES: Readonly<Record<number, State>> = {
  [Verdict.VERDICT_UNSPECIFIED]: 'unknown',
  [Verdict.unchanged]: 'healthy',
  [Verdict.changed]: 'progressing',
  [Verdict.moved]: 'progressing',
  [Verdict.created]: 'progressing',
  [Verdict.removed]: 'degraded',
  [Verdict.nowhere]: 'blocked',
  [Verdict.stuck]: 'blocked',
};

const WORDS: Readonly<Record<number, 'unchanged' | 'changed' | 'moved' | 'created' | 'removed' | 'nowhere' | 'stuck'>> =
  {
    [Verdict.VERDICT_UNSPECIFIED]: 'unchanged',
    [Verdict.unchanged]: 'unchanged',
    [Verdict.changed]: 'changed',
    [Verdict.moved]: 'moved',
    [Verdict.created]: 'created',
    [Verdict.removed]: 'removed',
    [Verdict.nowhere]: 'nowhere',
    [Verdict.stuck]: 'stuck',
  };

const WHEN = ['now', 'later', 'postponed'] as const;

/** Nothing leaves a cluster: more of it is not moved. */
function grows({ verdict, before, after }: BindingEffect): boolean {
  const least = (name: string) => after.find((one) => one.name === name)?.replicas ?? -1;
  return verdict === Verdict.moved && before.every(({ name, replicas }) => least(name) >= replicas);
}

function BindingView({ binding }: { readonly binding: BindingEffect }) {
  const { t } = useTranslation();
  const { template, verdict, because, policy, evictions, manifests, disruption } = binding;
  const stolen = policy && policy.before !== '' && policy.before !== policy.after;
  return (
    <div className="panel" data-effect={template?.name}>
      <div className="panel-head" style={{ padding: '7px 12px' }}>
        <span className="clip">
          <b>{template?.name}</b>{' '}
          <span className="soft">{[template?.kind, template?.namespace].filter(Boolean).join(' · ')}</span>
        </span>
        <Status
          imagined
          state={STATES[verdict] ?? 'unknown'}
          word={t(`effect.verdict.${grows(binding) ? 'changed' : (WORDS[verdict] ?? 'unchanged')}`)}
        />
      </div>
      <Stack gap={6} p={12}>
        <ReplicaFlow binding={binding} />
        {because && (
          <Text size="xs" c="dimmed">
            {engineSays(because)}
          </Text>
        )}
        {stolen && (
          <Text size="xs">
            {t('effect.policy', { before: policy.before, after: policy.after || t('effect.noPolicy') })}
          </Text>
        )}
        {disruption && (disruption.stopped > 0 || disruption.restarted > 0) && (
          <Text size="xs">
            {t('effect.disruption', {
              started: disruption.started,
              stopped: disruption.stopped,
              restarted: disruption.restarted,
              least: disruption.minimumAvailable,
            })}
          </Text>
        )}
        {evictions.map(({ cluster, when, afterSeconds, because: why }) => (
          <Text key={cluster} size="xs">
            {t(`effect.eviction.${WHEN.find((one) => one === when) ?? 'now'}`, {
              cluster,
              seconds: Number(afterSeconds),
              because: engineSays(why),
            })}
          </Text>
        ))}
        <Group gap={5}>
          {manifests.map(({ cluster, change, paths, message }) => (
            <Badge key={cluster} variant="default" size="sm" tt="none" fw={500} title={engineSays(message)}>
              {cluster}: {t(`effect.manifest.${change}` as 'effect.manifest.created', { defaultValue: change })}
              {paths.length > 0 &&
                ` (${paths
                  .map(({ path }) => path)
                  .slice(0, 2)
                  .join(', ')}${paths.length > 2 ? '…' : ''})`}
            </Badge>
          ))}
        </Group>
      </Stack>
    </div>
  );
}

/** Before and after, a line a cluster: the wider, the more replicas. */
export function ReplicaFlow({
  binding: { before, after },
}: {
  readonly binding: Pick<BindingEffect, 'before' | 'after'>;
}) {
  const names = [...new Set([...before, ...after].map(({ name }) => name))];
  const of = (list: readonly TargetCluster[], name: string) => list.find((one) => one.name === name)?.replicas ?? 0;
  const most = Math.max(1, ...before.map(({ replicas }) => replicas), ...after.map(({ replicas }) => replicas));
  if ([...before, ...after].every(({ replicas }) => replicas === 0)) return null;
  return (
    <div
      style={{
        display: 'grid',
        gridTemplateColumns: '110px 1fr 92px',
        gap: '3px 10px',
        alignItems: 'center',
        fontSize: 12.5,
      }}
    >
      {names.map((name) => {
        const [was, will] = [of(before, name), of(after, name)];
        const colour = will < was ? 'var(--k-degraded)' : will > was ? 'var(--k-progressing)' : 'var(--k-healthy)';
        return (
          <div key={name} style={{ display: 'contents' }}>
            <span className="clip">{name}</span>
            <span className="strip" style={{ position: 'relative' }}>
              <i style={{ width: `${(will / most) * 100}%`, background: colour }} />
              {was > will && (
                <i style={{ width: `${((was - will) / most) * 100}%`, background: 'var(--k-line-strong)' }} />
              )}
            </span>
            <span className="num" data-flow={name}>
              {was === will ? (
                will
              ) : (
                <b style={{ display: 'inline-flex', gap: 4, alignItems: 'center', justifyContent: 'flex-end' }}>
                  {was} <ArrowRight size={11} aria-label="→" /> {will}
                </b>
              )}
            </span>
          </div>
        );
      })}
    </div>
  );
}
