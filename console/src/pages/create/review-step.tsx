/** All that will be created, in full, with what would happen; and the button that does it. */
import { createClient } from '@connectrpc/connect';
import { Group, SegmentedControl, Stack } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AggregationService } from '#gen/proto/kairship/api/aggregation/v1alpha1/aggregation_service_pb.ts';
import { PROPAGATION } from '../../api/kinds.ts';
import { useMay } from '../../api/permissions.ts';
import { savePolicy } from '../../api/policies.ts';
import { problemOf } from '../../api/problem.ts';
import { readYaml } from '../../api/read-yaml.ts';
import { effectWord, useSimulation } from '../../api/simulation.ts';
import { transport } from '../../api/transport.ts';
import { CommandLine } from '../../parts/command.tsx';
import { Effect } from '../../parts/effect.tsx';
import { GuardedButton } from '../../parts/guarded.tsx';
import { Panel } from '../../parts/page.tsx';
import { Banner } from '../../parts/status.tsx';
import { Yaml } from '../../parts/yaml.tsx';
import { AlreadyThere } from './already-there.tsx';
import { type Draft, nameOf, namespaceOf, policyOf, type StepProps } from './draft.ts';

const aggregation = createClient(AggregationService, transport);

export function Review({ instance, draft, onChange }: StepProps) {
  const { t } = useTranslation();
  const [shown, setShown] = useState<'workload' | 'policy' | 'reused' | 'override'>('workload');
  const texts = [
    'workload',
    draft.reuse ? 'reused' : 'policy',
    ...(draft.overrides ? ['override' as const] : []),
  ] as const;
  const objects = texts.map((text) => readYaml(draft[text]));
  const whole = objects.flatMap((object) => (object ? [object] : []));
  const effect = useSimulation(instance, whole.length === objects.length ? { apply: whole } : undefined);
  const clusters = effect.data?.bindings.flatMap(({ after }) => after.map(({ name }) => name)) ?? [];
  return (
    <div className="two">
      <Panel
        title={t('create.manifests')}
        aside={
          <SegmentedControl
            value={shown}
            onChange={(next) => setShown(next)}
            data={texts.map((value) => ({ value, label: t(`create.text.${value}`) }))}
          />
        }
      >
        <Yaml
          key={shown}
          label={t(`create.text.${shown}`)}
          value={draft[shown]}
          onChange={(text) => onChange({ ...draft, [shown]: text })}
          height="56vh"
        />
      </Panel>
      <Panel title={t('policy.effect')}>
        <Stack gap="sm">
          <AlreadyThere
            instance={instance}
            objects={[readYaml(draft.workload)]}
            policy={readYaml(policyOf(draft))}
            clusters={clusters}
          />
          <Effect of={effect} />
          <CreateButton instance={instance} draft={draft} effect={effect.data} />
        </Stack>
      </Panel>
    </div>
  );
}

interface CreateProps {
  readonly instance: string;
  readonly draft: Draft;
  readonly effect: Parameters<typeof effectWord>[0];
}

function CreateButton({ instance, draft, effect }: CreateProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const cache = useQueryClient();
  const [name, namespace] = [nameOf(draft.workload), namespaceOf(draft.workload)];
  const may = useMay('kairship/aggregation/create', { instance, namespace });
  const create = useMutation({
    mutationFn: async () => {
      // The policy first: it waits for what it is for, and is as it was without it.
      if (draft.reuse)
        await savePolicy({ instance, kind: PROPAGATION, namespace, name: nameOf(draft.reused) }, draft.reused, false);
      await aggregation.createAggregationResource({
        instance,
        namespace,
        data: {
          resources: [draft.workload],
          propagationPolicies: draft.reuse ? [] : [draft.policy],
          overridePolicies: draft.overrides ? [draft.override] : [],
        },
      });
    },
    onSuccess: async () => {
      void cache.invalidateQueries();
      await navigate({
        to: '/i/$instance/workloads/$kind/$namespace/$name/{-$tab}',
        params: { instance, kind: draft.kind, namespace, name, tab: 'trace' },
      });
    },
  });
  const { key, count } = effectWord(effect);
  return (
    <>
      <CommandLine line={`kubectl -n ${namespace} apply -f ${name}.yaml`} />
      {create.error && <Banner state="blocked">{problemOf(create.error).message}</Banner>}
      <Group justify="flex-end">
        <GuardedButton may={may} loading={create.isPending} onClick={() => create.mutate()}>
          {t('action.create')} – {t(`effect.${key}`, { count })}
        </GuardedButton>
      </Group>
    </>
  );
}
