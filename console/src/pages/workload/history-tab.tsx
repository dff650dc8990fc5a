/** Rewind: every decision that is remembered, each with its cause and what it moved. */
import { useQuery } from '@connectrpc/connect-query';
import { Slider, Stack, Text, UnstyledButton } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Explanation } from '#gen/proto/kairship/api/placement/v1alpha1/explanation_pb.ts';
import { PlacementService } from '#gen/proto/kairship/api/placement/v1alpha1/placement_service_pb.ts';
import type { ObjectRef } from '../../api/objects.ts';
import { ago, moment } from '../../i18n/words.ts';
import { engineSays } from '../../i18n/language.ts';
import { Panel } from '../../parts/page.tsx';
import { Answer, Empty } from '../../parts/problems.tsx';
import { Why } from './placement-tab.tsx';
import { millis, resourceOf } from './shared.ts';

export function HistoryTab({ of }: { readonly of: ObjectRef }) {
  const { t } = useTranslation();
  const { instance, namespace } = of;
  const asked = useQuery(PlacementService.method.listDecisions, {
    instance,
    namespace,
    resource: resourceOf(of),
    pageSize: 50,
  });
  return (
    <Answer of={asked}>
      {({ items }) => (items.length === 0 ? <Empty title={t('history.none')} /> : <Rewind decisions={items} />)}
    </Answer>
  );
}

function Rewind({ decisions }: { readonly decisions: readonly Explanation[] }) {
  const { t } = useTranslation();
  const last = decisions.length - 1;
  // The newest comes first in the list; a time line runs the other way.
  const [at, setAt] = useState(last);
  const chosen = decisions[last - at] ?? decisions[0];
  if (!chosen) return null;
  return (
    <Stack gap={14}>
      <Panel title={t('history.title', { count: decisions.length })}>
        {last > 0 && (
          <Slider
            mb={16}
            min={0}
            max={last}
            step={1}
            value={at}
            onChange={setAt}
            label={null}
            thumbLabel={t('history.scrub')}
            marks={decisions.map((_, index) => ({ value: index }))}
          />
        )}
        <div role="list">
          {decisions.map((decision, index) => (
            <div role="listitem" key={String(decision.generation)}>
              <UnstyledButton
                className="nav"
                style={{ width: '100%', background: last - index === at ? 'var(--k-accent-ground)' : undefined }}
                aria-pressed={last - index === at}
                onClick={() => setAt(last - index)}
              >
                <span className="soft" style={{ width: 110 }} title={moment(millis(decision.decidedAt))}>
                  {ago(millis(decision.decidedAt))}
                </span>
                <span style={{ flex: 1 }}>{engineSays(decision.because)}</span>
                <span className="mono">{changeOf(decision)}</span>
              </UnstyledButton>
            </div>
          ))}
        </div>
      </Panel>
      <Text size="sm" fw={600}>
        {t('history.asOf', { when: moment(millis(chosen.decidedAt)) })}
      </Text>
      <Why explanation={chosen} />
    </Stack>
  );
}

/** `frankfurt 3→5, singapore 3` */
function changeOf({ attempts }: Explanation): string {
  const clusters = attempts.at(-1)?.clusters ?? [];
  return clusters
    .filter(({ replicas, previousReplicas }) => replicas > 0 || previousReplicas > 0)
    .map(({ name, replicas, previousReplicas }) =>
      previousReplicas === replicas || previousReplicas === 0
        ? `${name} ${replicas}`
        : `${name} ${previousReplicas}→${replicas}`,
    )
    .join(', ');
}
