/**
 * Why here: every cluster against every plugin, what each could hold, and how the replicas were counted out.
 *
 * Kept for every decision, also the successful ones; `generation` in the address looks at an earlier one.
 */
import { useQuery } from '@connectrpc/connect-query';
import { Group, List, Stack, Text, Tooltip } from '@mantine/core';
import { Check, X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import {
  type Attempt,
  type ClusterExplanation,
  ClusterExplanation_Verdict as Verdict,
  type Explanation,
  Explanation_StrategySchema,
} from '#gen/proto/kairship/api/placement/v1alpha1/explanation_pb.ts';
import { PlacementService } from '#gen/proto/kairship/api/placement/v1alpha1/placement_service_pb.ts';
import type { ObjectRef } from '../../api/objects.ts';
import { wordOf } from '../../api/words.ts';
import { ago } from '../../i18n/words.ts';
import { engineSays } from '../../i18n/language.ts';
import { CommandLine } from '../../parts/command.tsx';
import { Panel } from '../../parts/page.tsx';
import { Answer } from '../../parts/problems.tsx';
import { type Shown, Status } from '../../parts/status.tsx';
import { PrecedenceLadder } from '../policy/precedence-ladder.tsx';
import { millis, resourceOf } from './shared.ts';

export function PlacementTab({ of }: { readonly of: ObjectRef }) {
  const { instance, namespace } = of;
  const asked = useQuery(PlacementService.method.explain, { instance, namespace, resource: resourceOf(of) });
  return (
    <Stack gap={14}>
      <Answer of={asked}>
        {(explanation) => (
          <>
            <Why explanation={explanation} />
            <CommandLine line={`kairship why ${of.kind.kind.toLowerCase()}/${of.name} -n ${of.namespace}`} />
          </>
        )}
      </Answer>
      <PrecedenceLadder of={of} />
    </Stack>
  );
}

/** One decision in full; shared with the simulation and the history. */
export function Why({ explanation }: { readonly explanation: Explanation }) {
  const { t } = useTranslation();
  const { because, replicas, strategy, generation, attempts, decidedAt } = explanation;
  return (
    <Stack gap={14}>
      <Text size="sm">
        {t('why.decided', {
          when: ago(millis(decidedAt)),
          because: engineSays(because),
          generation: String(generation),
          replicas,
          strategy: t(`why.strategy.${wordOf(Explanation_StrategySchema, strategy)}` as 'why.strategy.Duplicated'),
        })}
      </Text>
      {attempts.map((attempt, index) => (
        <AttemptView key={`${attempt.affinityName}${index}`} attempt={attempt} />
      ))}
    </Stack>
  );
}

function AttemptView({ attempt }: { readonly attempt: Attempt }) {
  const { t } = useTranslation();
  const { affinityName, clusters, selection, assignment, outcome } = attempt;
  const plugins = [...new Set(clusters.flatMap(({ filters }) => filters.map(({ plugin }) => plugin)))];
  const scorers = [...new Set(clusters.flatMap(({ scores }) => scores.map(({ plugin }) => plugin)))];
  return (
    <>
      {affinityName && (
        <Text size="sm" c="dimmed">
          {t('why.group', { name: affinityName, outcome: engineSays(outcome?.message ?? '') })}
        </Text>
      )}
      <Panel title={t('why.verdicts')} flush>
        <table className="grid">
          <thead>
            <tr>
              <th scope="col">{t('field.cluster')}</th>
              <th scope="col">{t('why.verdict')}</th>
              <th scope="col" className="num">
                {t('field.replicas')}
              </th>
              <th scope="col" className="num">
                {t('why.couldTake')}
              </th>
              <th scope="col">{t('why.reason')}</th>
            </tr>
          </thead>
          <tbody>
            {clusters.map((cluster) => (
              <VerdictRow key={cluster.name} cluster={cluster} />
            ))}
          </tbody>
        </table>
      </Panel>
      <Panel title={t('why.matrix')} flush>
        <table className="grid matrix">
          <thead>
            <tr>
              <th scope="col">{t('field.cluster')}</th>
              {plugins.map((plugin) => (
                <th key={plugin} scope="col">
                  {plugin}
                </th>
              ))}
              {scorers.map((plugin) => (
                <th key={plugin} scope="col">
                  {t('why.score', { plugin })}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {clusters.map((cluster) => (
              <MatrixRow key={cluster.name} cluster={cluster} plugins={plugins} scorers={scorers} />
            ))}
          </tbody>
        </table>
      </Panel>
      <Group align="flex-start" grow gap={14}>
        <Steps title={t('why.selection')} of={selection} />
        <Steps title={t('why.assignment')} of={assignment} />
      </Group>
    </>
  );
}

const UNSAID = { state: 'off', word: 'notChosen' } as const;
const VERDICTS: Readonly<Record<number, { readonly state: Shown; readonly word: 'placed' | 'notChosen' | 'refused' }>> =
  {
    [Verdict.placed]: { state: 'healthy', word: 'placed' },
    [Verdict.notChosen]: { state: 'off', word: 'notChosen' },
    [Verdict.refused]: { state: 'blocked', word: 'refused' },
  };

function VerdictRow({ cluster }: { readonly cluster: ClusterExplanation }) {
  const { t } = useTranslation();
  const { name, verdict, replicas, previousReplicas, capacity, reason, arithmetic } = cluster;
  const { state, word } = VERDICTS[verdict] ?? UNSAID;
  const change = previousReplicas > 0 && previousReplicas !== replicas ? `${previousReplicas} → ${replicas}` : replicas;
  return (
    <tr>
      <td style={{ fontWeight: 550 }}>{name}</td>
      <td>
        <Status state={state} word={t(`why.${word}`)} />
      </td>
      <td className="num">{verdict === Verdict.placed ? change : '–'}</td>
      <td className="num">
        {capacity ? (
          <Tooltip label={capacity.estimates.map(estimateText).join('\n')} style={{ whiteSpace: 'pre-line' }}>
            <span>{capacity.available}</span>
          </Tooltip>
        ) : (
          '–'
        )}
      </td>
      <td>
        {engineSays(reason)}
        {arithmetic && !reason.includes(arithmetic) && <div className="soft mono">{engineSays(arithmetic)}</div>}
        {capacity && (
          <div className="soft" style={{ fontSize: 12 }}>
            {capacity.estimates.map(estimateText).join(' · ')}
          </div>
        )}
      </td>
    </tr>
  );
}

const estimateText = ({ estimator, detail }: { readonly estimator: string; readonly detail: string }) =>
  `${estimator}: ${engineSays(detail)}`;

function MatrixRow({
  cluster,
  plugins,
  scorers,
}: {
  readonly cluster: ClusterExplanation;
  readonly plugins: readonly string[];
  readonly scorers: readonly string[];
}) {
  const { t } = useTranslation();
  return (
    <tr>
      <td style={{ fontWeight: 550 }}>{cluster.name}</td>
      {plugins.map((plugin) => {
        const filter = cluster.filters.find((one) => one.plugin === plugin);
        if (!filter) return <td key={plugin}>–</td>;
        return (
          <td key={plugin} className={filter.pass ? 'mark-pass' : 'mark-refused'}>
            {filter.pass ? (
              <Check size={14} aria-label={t('why.pass')} />
            ) : (
              <Tooltip label={engineSays(filter.detail || filter.reason)}>
                <span style={{ display: 'inline-flex', gap: 4, alignItems: 'center' }}>
                  <X size={14} aria-hidden />
                  <span style={{ fontSize: 11.5, fontWeight: 500 }}>{engineSays(filter.detail || filter.reason)}</span>
                </span>
              </Tooltip>
            )}
          </td>
        );
      })}
      {scorers.map((plugin) => {
        const score = cluster.scores.find((one) => one.plugin === plugin);
        return (
          <td key={plugin} className="num">
            {score ? (
              <Tooltip label={engineSays(score.detail)} disabled={!score.detail}>
                <span>{score.score > 0 ? `+${score.score}` : score.score}</span>
              </Tooltip>
            ) : (
              '–'
            )}
          </td>
        );
      })}
    </tr>
  );
}

function Steps({ title, of }: { readonly title: string; readonly of: readonly string[] }) {
  return (
    <Panel title={title}>
      <List size="sm" type="ordered">
        {of.map((step) => (
          <List.Item key={step}>{engineSays(step)}</List.Item>
        ))}
      </List>
    </Panel>
  );
}
