/** The choice where a new resource goes, and what each choice needs. */
import { useQuery } from '@connectrpc/connect-query';
import { Fieldset, Radio, Select, Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { parse } from 'yaml';
import { AppsService } from '#gen/proto/kairship/api/apps/v1alpha1/apps_service_pb.ts';
import { PolicyService } from '#gen/proto/kairship/api/policy/v1alpha1/policy_service_pb.ts';
import type { Kind } from '../../api/kinds.ts';
import { propagationPolicy } from '../../api/policies.ts';
import { readYaml } from '../../api/read-yaml.ts';
import { yamlOf } from '../../parts/yaml.tsx';
import { textAt, withValue } from '../policy/policy-text.ts';
import { TargetFields } from '../policy/target-fields.tsx';
import { type Position, positionsOf } from './position.ts';

interface Props {
  readonly instance: string;
  readonly kind: Kind;
  readonly namespace: string;
  readonly position: Position;
  readonly onChange: (change: (now: Position) => Position) => void;
}

export function PositionFields({ instance, kind, namespace, position, onChange }: Props) {
  const { t } = useTranslation();
  const { mode } = position;
  return (
    <Fieldset legend={t('position.title')}>
      <Stack gap="sm">
        <Radio.Group value={mode} onChange={(next) => onChange((now) => ({ ...now, mode: next }))}>
          <Stack gap={6}>
            {positionsOf(kind).map((one) => (
              <Radio key={one} value={one} label={t(`position.${one}`)} description={t(`position.hint.${one}`)} />
            ))}
          </Stack>
        </Radio.Group>
        {mode === 'inherit' && (
          <Workload instance={instance} namespace={namespace} position={position} onChange={onChange} />
        )}
        {mode === 'reuse' && (
          <Reused instance={instance} namespace={namespace} position={position} onChange={onChange} />
        )}
        {mode === 'own' && (
          <TargetFields
            instance={instance}
            object={readYaml(position.own)}
            set={(path, value) => onChange((now) => ({ ...now, own: withValue(now.own, path, value) }))}
            at={['spec', 'placement', 'clusterAffinity']}
            label={t('field.clusters')}
          />
        )}
      </Stack>
    </Fieldset>
  );
}

function Workload({ instance, namespace, position, onChange }: Omit<Props, 'kind'>) {
  const { t } = useTranslation();
  const { data } = useQuery(AppsService.method.listDeployments, { instance, namespace, pageSize: 200 });
  return (
    <Select
      label="Deployment"
      placeholder={t('position.chooseWorkload')}
      data={data?.items.map(({ metadata }) => metadata?.name ?? '') ?? []}
      value={position.workload || null}
      searchable
      required
      onChange={(workload) => onChange((now) => ({ ...now, workload: workload ?? '' }))}
    />
  );
}

function Reused({ instance, namespace, position, onChange }: Omit<Props, 'kind'>) {
  const { t } = useTranslation();
  const { data } = useQuery(PolicyService.method.listPropagationPolicies, { instance, namespace, pageSize: 200 });
  const chosen = position.reused === '' ? '' : textAt(parse(position.reused), ['metadata', 'name']);
  const choose = async (policy: string | null) => {
    if (!policy) return;
    const { status: _, ...kept } = await propagationPolicy({ instance, namespace, name: policy });
    onChange((now) => ({ ...now, reused: yamlOf(kept) }));
  };
  return (
    <Select
      label={t('policy.what')}
      placeholder={t('position.choosePolicy')}
      data={data?.items.map(({ metadata }) => metadata?.name ?? '') ?? []}
      value={chosen || null}
      searchable
      required
      onChange={(next) => void choose(next)}
    />
  );
}
