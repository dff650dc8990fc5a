/** Rewind: every decision of the instance in the order of time, and where things stood after any of them. */
import { createQueryOptions, useQuery } from '@connectrpc/connect-query';
import { Slider, Stack, Text } from '@mantine/core';
import { useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import {
  ClusterExplanation_Verdict as Verdict,
  type Explanation,
} from '#gen/proto/kairship/api/placement/v1alpha1/explanation_pb.ts';
import { PlacementService } from '#gen/proto/kairship/api/placement/v1alpha1/placement_service_pb.ts';
import { SearchService } from '#gen/proto/kairship/api/search/v1alpha1/search_service_pb.ts';
import { transport } from '../../api/transport.ts';
import { ago, moment } from '../../i18n/words.ts';
import { engineSays } from '../../i18n/language.ts';
import { Panel } from '../../parts/page.tsx';
import { Empty, Problem, Waiting } from '../../parts/problems.tsx';
import { millis } from '../workload/shared.ts';
import { ResourceLink } from '../engine/bindings-tab.tsx';
import { type Decided, movesOf, standsOn, stoodAt } from './rewind.ts';

/** So many things are followed back; the history of any other is on its own page. */
const MOST_THINGS = 12;
const MOST_DECISIONS = 50;

export function PlacementHistory({ instance }: { readonly instance: string }) {
  const { t } = useTranslation();
  const { decisions, waiting, error } = useDecisions(instance);
  return (
    <Panel title={t('rewind.title')}>
      {decisions.length > 0 ? (
        <Scrubber instance={instance} decisions={decisions} />
      ) : waiting ? (
        <Waiting />
      ) : error ? (
        <Problem error={error} />
      ) : (
        <Empty title={t('history.none')} />
      )}
    </Panel>
  );
}

/** Decisions on what was bound last, the oldest first. */
function useDecisions(instance: string) {
  const bindings = useQuery(SearchService.method.search, {
    instance,
    query: 'kind:resourcebinding cluster:-',
    pageSize: MOST_THINGS,
  });
  const answers = useQueries({
    queries: (bindings.data?.items ?? []).map(({ resource }) =>
      createQueryOptions(
        PlacementService.method.listDecisions,
        {
          instance,
          namespace: resource?.namespace ?? '',
          binding: resource?.name ?? '',
          pageSize: MOST_DECISIONS,
        },
        { transport },
      ),
    ),
  });
  const decisions = answers.flatMap(({ data }) => data?.items ?? []).map(decidedOf);
  return {
    decisions: decisions.toSorted((a, b) => a.at - b.at),
    waiting: bindings.isPending || answers.some(({ isPending }) => isPending),
    error: bindings.error ?? answers.find(({ error }) => error)?.error ?? undefined,
  };
}

function decidedOf({ binding, resource, decidedAt, because, attempts }: Explanation): Decided {
  const concerned = attempts
    .at(-1)
    ?.clusters.filter(
      ({ replicas, previousReplicas, verdict }) => replicas + previousReplicas > 0 || verdict === Verdict.placed,
    );
  return {
    binding,
    apiVersion: resource?.apiVersion ?? '',
    kind: resource?.kind ?? '',
    namespace: resource?.namespace ?? '',
    name: resource?.name ?? '',
    at: millis(decidedAt),
    because: engineSays(because),
    clusters: (concerned ?? []).map(({ name, replicas, previousReplicas, verdict }) => ({
      name,
      replicas,
      before: previousReplicas,
      placed: verdict === Verdict.placed,
    })),
  };
}

interface ScrubberProps {
  readonly instance: string;
  /** The oldest first. */
  readonly decisions: readonly Decided[];
}

function Scrubber({ instance, decisions }: ScrubberProps) {
  const { t } = useTranslation();
  // The last one, until somebody chooses: decisions arrive one after another.
  const [at, setAt] = useState<number>();
  const chosen = Math.min(at ?? decisions.length, decisions.length);
  const decision = decisions[chosen - 1];
  return (
    <Stack gap="sm">
      <Slider
        aria-label={t('rewind.scrub')}
        thumbLabel={t('rewind.scrub')}
        min={1}
        max={Math.max(2, decisions.length)}
        disabled={decisions.length < 2}
        value={chosen}
        onChange={setAt}
        label={null}
      />
      {decision && (
        <Text size="sm">
          <b>{moment(decision.at)}</b> ({ago(decision.at)}) · <ResourceLink instance={instance} reference={decision} />{' '}
          · {movesOf(decision) || t('rewind.noMoves')} · <span className="soft">{decision.because}</span>
        </Text>
      )}
      <Text size="xs" c="dimmed">
        {t('rewind.stood', { count: chosen, total: decisions.length })}
      </Text>
      <table className="grid">
        <tbody>
          {stoodAt(decisions, chosen).map(({ binding, kind, name, clusters }) => (
            <tr key={binding} {...(binding === decision?.binding ? { 'data-now': true, style: NOW } : {})}>
              <td>
                {kind} <b>{name}</b>
              </td>
              <td>{standsOn({ clusters }) || t('workload.nowhere')}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Stack>
  );
}

const NOW = { background: 'var(--k-accent-ground)' };
