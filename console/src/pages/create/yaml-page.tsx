/** Creating from YAML in three steps: resources, the policy that places them, and what differs from cluster to cluster. */
import { createClient } from '@connectrpc/connect';
import { Button, Group, Stack, Stepper, Switch, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { JsonObject } from '@bufbuild/protobuf';
import { parseAllDocuments, stringify } from 'yaml';
import { AggregationService } from '#gen/proto/kairship/api/aggregation/v1alpha1/aggregation_service_pb.ts';
import { WORKLOADS } from '../../api/kinds.ts';
import { useMay } from '../../api/permissions.ts';
import { problemOf } from '../../api/problem.ts';
import { effectWord, useSimulation } from '../../api/simulation.ts';
import { transport } from '../../api/transport.ts';
import { CommandLine } from '../../parts/command.tsx';
import { Effect } from '../../parts/effect.tsx';
import { GuardedButton } from '../../parts/guarded.tsx';
import { Page, Panel } from '../../parts/page.tsx';
import { Banner } from '../../parts/status.tsx';
import { Yaml } from '../../parts/yaml.tsx';
import { newPolicyText, textAt } from '../policy/policy-text.ts';
import { newWorkloadText } from './workload-text.ts';

const aggregation = createClient(AggregationService, transport);

export function YamlPage() {
  const { t } = useTranslation();
  const { instance } = useParams({ from: '/i/$instance' });
  const [step, setStep] = useState(0);
  const [resources, setResources] = useState(() =>
    newWorkloadText({ kind: 'Deployment', name: 'web', namespace: 'default' }).replace(
      'image: ""',
      'image: nginx:1.27',
    ),
  );
  const [policy, setPolicy] = useState('');
  const [override, setOverride] = useState('');
  const [overrides, setOverrides] = useState(false);
  const documents = documentsOf(resources);
  const all = [
    ...(documents ?? []),
    ...(documentsOf(policy) ?? []),
    ...(overrides ? (documentsOf(override) ?? []) : []),
  ];
  const effect = useSimulation(instance, documents && step > 0 ? { apply: all } : undefined);

  /** The next text begins with what the one before says. */
  function go(to: number) {
    const [first] = documents ?? [];
    const name = textAt(first, ['metadata', 'name'], 'web');
    const namespace = textAt(first, ['metadata', 'namespace'], 'default');
    if (to === 1 && policy === '') setPolicy(policyFor(documents ?? [], name, namespace));
    if (to === 2 && override === '')
      setOverride(newPolicyText({ kind: 'OverridePolicy', namespace, name, target: name }));
    setStep(to);
  }

  return (
    <Page title={t('workload.fromYaml')} sub={t('create.yamlSub')}>
      <Stepper active={step} onStepClick={go} size="xs" mb="md" allowNextStepsSelect={false}>
        {(['resources', 'placement', 'overrides'] as const).map((one) => (
          <Stepper.Step key={one} label={t(`create.${one}`)} />
        ))}
      </Stepper>
      <div className="two">
        <Panel>
          {step === 0 && <Yaml label={t('create.resources')} value={resources} onChange={setResources} height="60vh" />}
          {step === 1 && <Yaml label={t('create.placement')} value={policy} onChange={setPolicy} height="60vh" />}
          {step === 2 && (
            <Stack gap="sm">
              <Switch
                label={t('create.differs')}
                checked={overrides}
                onChange={(event) => setOverrides(event.currentTarget.checked)}
              />
              {overrides && (
                <Yaml label={t('create.overrides')} value={override} onChange={setOverride} height="56vh" />
              )}
            </Stack>
          )}
        </Panel>
        <Panel title={t('policy.effect')}>
          <Stack gap="sm">
            {documents === undefined && <Banner state="blocked">{t('create.unreadable')}</Banner>}
            {step === 0 ? (
              <Text size="sm" c="dimmed">
                {t('create.several', { count: documents?.length ?? 0 })}
              </Text>
            ) : (
              <Effect of={effect} />
            )}
            <Group justify="space-between">
              <Button variant="default" disabled={step === 0} onClick={() => go(step - 1)}>
                {t('action.back')}
              </Button>
              {step < 2 ? (
                <Button disabled={!documents || documents.length === 0} onClick={() => go(step + 1)}>
                  {t('action.next')}
                </Button>
              ) : (
                <CreateAll
                  instance={instance}
                  resources={documents ?? []}
                  policy={policy}
                  override={overrides ? override : ''}
                  effect={effect.data}
                />
              )}
            </Group>
          </Stack>
        </Panel>
      </div>
    </Page>
  );
}

function CreateAll({
  instance,
  resources,
  policy,
  override,
  effect,
}: {
  readonly instance: string;
  readonly resources: readonly JsonObject[];
  readonly policy: string;
  readonly override: string;
  readonly effect: Parameters<typeof effectWord>[0];
}) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const cache = useQueryClient();
  const [first] = resources;
  const namespace = textAt(first, ['metadata', 'namespace'], 'default');
  const name = textAt(first, ['metadata', 'name']);
  const kind = textAt(first, ['kind']);
  const may = useMay('kairship/aggregation/create', { instance, namespace });
  const { key, count } = effectWord(effect);
  const create = useMutation({
    mutationFn: () =>
      aggregation.createAggregationResource({
        instance,
        namespace,
        data: {
          resources: resources.map((object) => stringify(object)),
          propagationPolicies: policy.trim() ? [policy] : [],
          overridePolicies: override.trim() ? [override] : [],
        },
      }),
    onSuccess: async () => {
      void cache.invalidateQueries();
      if (WORKLOADS.some((one) => one.kind === kind))
        await navigate({
          to: '/i/$instance/workloads/$kind/$namespace/$name/{-$tab}',
          params: { instance, kind, namespace, name, tab: 'trace' },
        });
      else await navigate({ to: '/i/$instance', params: { instance } });
    },
  });
  return (
    <Stack gap="sm" align="flex-end">
      <CommandLine line={`kubectl -n ${namespace} apply -f ${name || 'resources'}.yaml`} />
      {create.error && <Banner state="blocked">{problemOf(create.error).message}</Banner>}
      <GuardedButton may={may} loading={create.isPending} onClick={() => create.mutate()}>
        {t('action.create')} – {t(`effect.${key}`, { count })}
      </GuardedButton>
    </Stack>
  );
}

/** All documents of a text; undefined when one of them cannot be read. */
export function documentsOf(text: string): readonly JsonObject[] | undefined {
  const documents = parseAllDocuments(text);
  if (documents.some(({ errors }) => errors.length > 0)) return undefined;
  return documents
    .map((document): unknown => document.toJS())
    .filter((value): value is JsonObject => typeof value === 'object' && value !== null && !Array.isArray(value));
}

function policyFor(resources: readonly JsonObject[], name: string, namespace: string): string {
  return stringify({
    apiVersion: 'policy.karmada.io/v1alpha1',
    kind: 'PropagationPolicy',
    metadata: { name, namespace },
    spec: {
      resourceSelectors: resources.map((object) => ({
        apiVersion: object['apiVersion'] ?? 'v1',
        kind: object['kind'] ?? '',
        name: textAt(object, ['metadata', 'name']),
      })),
      placement: { replicaScheduling: { replicaSchedulingType: 'Duplicated' } },
    },
  });
}
