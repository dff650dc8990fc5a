/**
 * A new workload, step by step: what it is, what it runs, where it goes, how it differs there.
 *
 * Each step writes into manifests that the last one shows in full, with what would happen. Everything is created together
 * or not at all.
 */
import { createClient } from '@connectrpc/connect';
import { useQuery } from '@connectrpc/connect-query';
import {
  Autocomplete,
  Button,
  Group,
  NumberInput,
  SegmentedControl,
  Select,
  Stack,
  Stepper,
  Switch,
  Text,
  TextInput,
} from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useParams, useSearch } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { AggregationService } from '#gen/proto/kairship/api/aggregation/v1alpha1/aggregation_service_pb.ts';
import { CoreService } from '#gen/proto/kairship/api/core/v1alpha1/core_service_pb.ts';
import { PolicyService } from '#gen/proto/kairship/api/policy/v1alpha1/policy_service_pb.ts';
import { PROPAGATION } from '../../api/kinds.ts';
import { useMay } from '../../api/permissions.ts';
import { propagationPolicy, savePolicy } from '../../api/policies.ts';
import { problemOf } from '../../api/problem.ts';
import { effectWord, useSimulation } from '../../api/simulation.ts';
import { transport } from '../../api/transport.ts';
import { CommandLine } from '../../parts/command.tsx';
import { Effect } from '../../parts/effect.tsx';
import { type Bound, SwitchField, TextField } from '../../parts/fields.tsx';
import { GuardedButton } from '../../parts/guarded.tsx';
import { Page, Panel } from '../../parts/page.tsx';
import { Banner } from '../../parts/status.tsx';
import { Yaml, yamlOf } from '../../parts/yaml.tsx';
import { Rules } from '../policy/override-form.tsx';
import { PlacementForm, Rest } from '../policy/policy-form.tsx';
import { newPolicyText, type Path, textAt, valueAt, withValue } from '../policy/policy-text.ts';
import { readYaml } from '../../parts/object-dialogs.tsx';
import { Containers } from './container-form.tsx';
import { Schedule, Settings } from './settings-form.tsx';
import {
  apiVersionOf,
  isName,
  KINDS,
  newWorkloadText,
  podPath,
  replicasPath,
  type WorkloadKind,
  withSelector,
} from './workload-text.ts';

const aggregation = createClient(AggregationService, transport);

interface Draft {
  readonly kind: WorkloadKind;
  readonly workload: string;
  readonly policy: string;
  readonly override: string;
  readonly overrides: boolean;
  /** Whether a policy that is there already places it, and that one's text as it would be. */
  readonly reuse: boolean;
  readonly reused: string;
}

function firstDraft(kind: WorkloadKind, name: string, namespace: string): Draft {
  const policy = newPolicyText({ kind: 'PropagationPolicy', namespace, name, target: name });
  const override = newPolicyText({ kind: 'OverridePolicy', namespace, name, target: name });
  return {
    kind,
    workload: newWorkloadText({ kind, name, namespace }),
    policy,
    override,
    overrides: false,
    reuse: false,
    reused: '',
  };
}

const nameOf = (text: string) => textAt(readYaml(text), ['metadata', 'name']);
const namespaceOf = (text: string) => textAt(readYaml(text), ['metadata', 'namespace']);

export function CreatePage() {
  const { t } = useTranslation();
  const { instance } = useParams({ from: '/i/$instance' });
  const { kind } = useSearch({ from: '/i/$instance/workloads/new' });
  const [step, setStep] = useState(0);
  const [draft, setDraft] = useState(() =>
    firstDraft(KINDS.find((one) => one === kind) ?? 'Deployment', 'web', 'default'),
  );
  const ready = [isName(nameOf(draft.workload)), imageOf(draft) !== '', !draft.reuse || draft.reused !== '', true];
  const workload = boundTo('workload', draft, setDraft);
  const next = () => setStep((now) => Math.min(now + 1, 4));
  return (
    <Page title={t('workload.create')} sub={t('create.sub')}>
      <Stepper active={step} onStepClick={setStep} size="xs" mb="md" allowNextStepsSelect={false}>
        {(['basics', 'container', 'placement', 'overrides', 'review'] as const).map((one) => (
          <Stepper.Step key={one} label={t(`create.${one}`)} />
        ))}
      </Stepper>
      {step === 0 && <Basics instance={instance} draft={draft} onChange={setDraft} />}
      {step === 1 && (
        <Panel title={t('create.container')}>
          <Stack gap="sm" maw={900}>
            <Containers
              of={workload}
              at={[...podPath(draft.kind), 'spec']}
              place={{ instance, namespace: namespaceOf(draft.workload) }}
            />
            <Settings of={workload} kind={draft.kind} />
          </Stack>
        </Panel>
      )}
      {step === 2 && <PlacementStep instance={instance} draft={draft} onChange={setDraft} />}
      {step === 3 && (
        <Panel title={t('create.overrides')}>
          <Stack gap="sm">
            <Switch
              label={t('create.differs')}
              checked={draft.overrides}
              onChange={(event) => setDraft({ ...draft, overrides: event.currentTarget.checked })}
            />
            {draft.overrides && (
              <Rules
                instance={instance}
                object={readYaml(draft.override)}
                set={(path, value) => setDraft((now) => ({ ...now, override: withValue(now.override, path, value) }))}
              />
            )}
          </Stack>
        </Panel>
      )}
      {step === 4 && <Review instance={instance} draft={draft} onChange={setDraft} />}
      <Group justify="space-between" mt="md">
        <Button variant="default" disabled={step === 0} onClick={() => setStep((now) => now - 1)}>
          {t('action.back')}
        </Button>
        {step < 4 && (
          <Button disabled={!ready[step]} onClick={next}>
            {t('action.next')}
          </Button>
        )}
      </Group>
    </Page>
  );
}

interface StepProps {
  readonly draft: Draft;
  readonly onChange: (change: Draft | ((now: Draft) => Draft)) => void;
}

/** The form of one of the texts. */
function boundTo(text: 'workload' | 'policy', draft: Draft, onChange: StepProps['onChange']): Bound {
  return {
    object: readYaml(draft[text]),
    set: (path, value) => onChange((now) => ({ ...now, [text]: withValue(now[text], path, value) })),
  };
}

function Basics({ instance, draft, onChange }: StepProps & { readonly instance: string }) {
  const { t } = useTranslation();
  const { data } = useQuery(CoreService.method.listNamespaceSummary, { instance });
  const object = readYaml(draft.workload);
  const [name, namespace] = [nameOf(draft.workload), namespaceOf(draft.workload)];
  const replicas = replicasPath(draft.kind);
  const of = boundTo('workload', draft, onChange);
  const { set } = of;
  return (
    <Panel title={t('create.basics')}>
      <Stack gap="sm" maw={520}>
        <SegmentedControl
          aria-label={t('field.kind')}
          data={[...KINDS]}
          value={draft.kind}
          onChange={(kind) => onChange(firstDraft(kind, name, namespace))}
        />
        <TextInput
          label={t('field.name')}
          description={t('create.nameRule')}
          value={name}
          error={name !== '' && !isName(name) && t('create.badName')}
          required
          onChange={(event) => onChange(renamed(draft, event.currentTarget.value, namespace))}
        />
        <Autocomplete
          label={t('field.namespace')}
          size="xs"
          data={data?.data.map((one) => one.name) ?? []}
          value={namespace}
          required
          onChange={(value) => onChange(renamed(draft, name, value))}
        />
        {replicas && (
          <NumberInput
            label={t('field.replicas')}
            min={0}
            value={Number(valueAt(object, replicas) ?? 1)}
            onChange={(value) => set(replicas, Number(value))}
          />
        )}
        {draft.kind === 'CronJob' && <Schedule of={of} />}
        <TextField of={of} at={['metadata', 'annotations', DESCRIPTION]} label={t('inventory.description')} />
        <SwitchField
          of={of}
          at={['metadata', 'labels', PROTECTED]}
          label={t('create.protected')}
          hint={t('create.protectedHint')}
          on="Always"
        />
      </Stack>
    </Panel>
  );
}

const DESCRIPTION = 'kairship.io/describe';
const PROTECTED = 'resourcetemplate.karmada.io/deletion-protected';

/** A policy of its own, or one more thing for a policy that is there. */
function PlacementStep({ instance, draft, onChange }: StepProps & { readonly instance: string }) {
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
  );
}

/** A name is in many places: labels, selectors, policies. */
function renamed(draft: Draft, name: string, namespace: string): Draft {
  const { kind } = draft;
  const inText = (text: string, changes: readonly (readonly [Path, unknown])[]) =>
    changes.reduce((now, [path, value]) => withValue(now, path, value), text);
  const labels =
    kind === 'Job' || kind === 'CronJob' ? [] : ([[['spec', 'selector', 'matchLabels', 'app'], name]] as const);
  const own = [
    [['metadata', 'name'], name],
    [['metadata', 'namespace'], namespace],
  ] as const;
  const selected = [...own, [['spec', 'resourceSelectors', 0, 'name'], name]] as const;
  return {
    ...draft,
    workload: inText(draft.workload, [
      ...own,
      [['metadata', 'labels', 'app'], name],
      [[...podPath(kind), 'metadata', 'labels', 'app'], name],
      ...labels,
      ...(kind === 'StatefulSet' ? ([[['spec', 'serviceName'], name]] as const) : []),
    ]),
    policy: inText(draft.policy, [...selected, ...kindOfSelector(kind)]),
    override: inText(draft.override, [...selected, ...kindOfSelector(kind)]),
  };
}

function kindOfSelector(kind: WorkloadKind): readonly (readonly [Path, unknown])[] {
  return [
    [['spec', 'resourceSelectors', 0, 'kind'], kind],
    [['spec', 'resourceSelectors', 0, 'apiVersion'], apiVersionOf(kind)],
  ];
}

function imageOf(draft: Draft): string {
  return textAt(readYaml(draft.workload), [...podPath(draft.kind), 'spec', 'containers', 0, 'image']);
}

function Review({ instance, draft, onChange }: StepProps & { readonly instance: string }) {
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
          <Effect of={effect} />
          <CreateButton instance={instance} draft={draft} effect={effect.data} />
        </Stack>
      </Panel>
    </div>
  );
}

function CreateButton({
  instance,
  draft,
  effect,
}: {
  readonly instance: string;
  readonly draft: Draft;
  readonly effect: Parameters<typeof effectWord>[0];
}) {
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
