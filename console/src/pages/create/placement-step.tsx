/** Where a new workload goes: by a policy of its own, or by one that is there; and where that would be. */
import { useQuery } from '@connectrpc/connect-query';
import { SegmentedControl, Select, Stack, Text } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { PolicyService } from '#gen/proto/kairship/api/policy/v1alpha1/policy_service_pb.ts';
import { propagationPolicy } from '../../api/policies.ts';
import { Panel } from '../../parts/page.tsx';
import { Yaml, yamlOf } from '../../parts/yaml.tsx';
import { PlacementForm, Rest } from '../policy/policy-form.tsx';
import { boundTo } from './basics-step.tsx';
import { nameOf, namespaceOf, type StepProps } from './draft.ts';
import { Expected } from './expected.tsx';
import { withSelector } from './workload-text.ts';

export function Placement({ instance, draft, onChange }: StepProps) {
  const { t } = useTranslation();
  const [name, namespace] = [nameOf(draft.workload), namespaceOf(draft.workload)];
  const policies = useQuery(PolicyService.method.listPropagationPolicies, { instance, namespace, pageSize: 200 });
  const chosen = nameOf(draft.reused);
  const of = boundTo('policy', draft, onChange);
  const choose = async (policy: string | null) => {
    if (!policy) return;
    const { status: _, ...kept } = await propagationPolicy({ instance, namespace, name: policy });
    onChange((now) => ({ ...now, reused: withSelector(yamlOf(kept), now.kind, name) }));
  };
  return (
    <div className="two">
      <Panel title={t('create.placement')}>
        <Stack gap="sm">
          <SegmentedControl
            style={{ alignSelf: 'flex-start' }}
            value={draft.reuse ? 'reuse' : 'own'}
            onChange={(next) => onChange({ ...draft, reuse: next === 'reuse' })}
            data={(['own', 'reuse'] as const).map((value) => ({ value, label: t(`create.policyOf.${value}`) }))}
          />
          <Text size="sm" c="dimmed">
            {t(draft.reuse ? 'create.reuseText' : 'create.placementText')}
          </Text>
          {draft.reuse ? (
            <>
              <Select
                label={t('policy.what')}
                data={policies.data?.items.map(({ metadata }) => metadata?.name ?? '') ?? []}
                value={chosen || null}
                searchable
                maw={520}
                onChange={(next) => void choose(next)}
              />
              {chosen && <Yaml label={chosen} value={draft.reused} height="40vh" />}
            </>
          ) : (
            <>
              <PlacementForm {...of} instance={instance} at={['spec', 'placement']} />
              <Rest {...of} />
            </>
          )}
        </Stack>
      </Panel>
      <Panel title={t('create.expected')}>
        <Expected instance={instance} draft={draft} />
      </Panel>
    </div>
  );
}
