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
  Fieldset,
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
import { useMay } from '../../api/permissions.ts';
import { problemOf } from '../../api/problem.ts';
import { effectWord, useSimulation } from '../../api/simulation.ts';
import { transport } from '../../api/transport.ts';
import { Effect } from '../../parts/effect.tsx';
import { GuardedButton } from '../../parts/guarded.tsx';
import { Page, Panel } from '../../parts/page.tsx';
import { Banner } from '../../parts/status.tsx';
import { Yaml } from '../../parts/yaml.tsx';
import { Rules } from '../policy/override-form.tsx';
import { PlacementForm } from '../policy/policy-form.tsx';
import { newPolicyText, type Path, textAt, valueAt, withValue } from '../policy/policy-text.ts';
import { readYaml } from '../../parts/object-dialogs.tsx';
import { isName, KINDS, newWorkloadText, podPath, replicasPath, type WorkloadKind } from './workload-text.ts';

const aggregation = createClient(AggregationService, transport);

interface Draft {
  readonly kind: WorkloadKind;
  readonly workload: string;
  readonly policy: string;
  readonly override: string;
  readonly overrides: boolean;
}

function firstDraft(kind: WorkloadKind, name: string, namespace: string): Draft {
  const policy = newPolicyText({ kind: 'PropagationPolicy', namespace, name, target: name });
  const override = newPolicyText({ kind: 'OverridePolicy', namespace, name, target: name });
  return { kind, workload: newWorkloadText({ kind, name, namespace }), policy, override, overrides: false };
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
  const ready = [isName(nameOf(draft.workload)), imageOf(draft) !== '', true, true];
  const next = () => setStep((now) => Math.min(now + 1, 4));
  return (
    <Page title={t('workload.create')} sub={t('create.sub')}>
      <Stepper active={step} onStepClick={setStep} size="xs" mb="md" allowNextStepsSelect={false}>
        {(['basics', 'container', 'placement', 'overrides', 'review'] as const).map((one) => (
          <Stepper.Step key={one} label={t(`create.${one}`)} />
        ))}
      </Stepper>
      {step === 0 && <Basics instance={instance} draft={draft} onChange={setDraft} />}
      {step === 1 && <ContainerStep draft={draft} onChange={setDraft} />}
      {step === 2 && (
        <Panel title={t('create.placement')}>
          <Stack gap="sm">
            <Text size="sm" c="dimmed">
              {t('create.placementText')}
            </Text>
            <PlacementForm
              instance={instance}
              object={readYaml(draft.policy)}
              set={(path, value) => setDraft((now) => ({ ...now, policy: withValue(now.policy, path, value) }))}
              at={['spec', 'placement']}
            />
          </Stack>
        </Panel>
      )}
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

function Basics({ instance, draft, onChange }: StepProps & { readonly instance: string }) {
  const { t } = useTranslation();
  const { data } = useQuery(CoreService.method.listNamespaceSummary, { instance });
  const object = readYaml(draft.workload);
  const [name, namespace] = [nameOf(draft.workload), namespaceOf(draft.workload)];
  const replicas = replicasPath(draft.kind);
  const set = (path: Path, value: unknown) =>
    onChange((now) => ({ ...now, workload: withValue(now.workload, path, value) }));
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
        {draft.kind === 'CronJob' && (
          <TextInput
            label={t('create.schedule')}
            value={textAt(object, ['spec', 'schedule'])}
            onChange={(event) => set(['spec', 'schedule'], event.currentTarget.value)}
          />
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
  const apiVersion = kind === 'Job' || kind === 'CronJob' ? 'batch/v1' : 'apps/v1';
  return [
    [['spec', 'resourceSelectors', 0, 'kind'], kind],
    [['spec', 'resourceSelectors', 0, 'apiVersion'], apiVersion],
  ];
}

function imageOf(draft: Draft): string {
  return textAt(readYaml(draft.workload), [...podPath(draft.kind), 'spec', 'containers', 0, 'image']);
}

function ContainerStep({ draft, onChange }: StepProps) {
  const { t } = useTranslation();
  const at = [...podPath(draft.kind), 'spec', 'containers', 0];
  const object = readYaml(draft.workload);
  const value = (...path: Path) => textAt(object, [...at, ...path]);
  const set = (path: Path, next: unknown) =>
    onChange((now) => ({ ...now, workload: withValue(now.workload, [...at, ...path], next) }));
  const port = valueAt(object, [...at, 'ports', 0, 'containerPort']);
  return (
    <Panel title={t('create.container')}>
      <Stack gap="sm" maw={520}>
        <TextInput
          label={t('create.image')}
          placeholder="nginx:1.27"
          value={value('image')}
          required
          onChange={(event) => set(['image'], event.currentTarget.value)}
        />
        <NumberInput
          label={t('create.port')}
          min={1}
          max={65_535}
          value={typeof port === 'number' ? port : ''}
          onChange={(next) => set(['ports'], next === '' ? undefined : [{ containerPort: Number(next) }])}
        />
        <Group grow>
          <TextInput
            label={t('create.cpu')}
            value={value('resources', 'requests', 'cpu')}
            onChange={(event) => set(['resources', 'requests', 'cpu'], event.currentTarget.value || undefined)}
          />
          <TextInput
            label={t('create.memory')}
            value={value('resources', 'requests', 'memory')}
            onChange={(event) => set(['resources', 'requests', 'memory'], event.currentTarget.value || undefined)}
          />
        </Group>
        <Env object={valueAt(object, [...at, 'env'])} set={(env) => set(['env'], env)} />
        <Select
          label={t('create.pull')}
          data={['IfNotPresent', 'Always', 'Never']}
          value={value('imagePullPolicy') || 'IfNotPresent'}
          allowDeselect={false}
          onChange={(next) => set(['imagePullPolicy'], next === 'IfNotPresent' ? undefined : next)}
        />
      </Stack>
    </Panel>
  );
}

interface Variable {
  readonly name: string;
  readonly value?: string;
}

function Env({
  object,
  set,
}: {
  readonly object: unknown;
  readonly set: (env: readonly Variable[] | undefined) => void;
}) {
  const { t } = useTranslation();
  const variables = (Array.isArray(object) ? object : []) as readonly Variable[];
  const update = (index: number, change: Partial<Variable>) =>
    set(variables.map((one, at) => (at === index ? { ...one, ...change } : one)));
  return (
    <Fieldset legend={t('create.env')}>
      <Stack gap={6}>
        {variables.map((one, index) => (
          <Group key={index} gap={6} wrap="nowrap">
            <TextInput
              aria-label={t('field.name')}
              value={one.name}
              onChange={(event) => update(index, { name: event.currentTarget.value })}
              style={{ flex: 1 }}
            />
            <TextInput
              aria-label={t('override.value')}
              value={one.value ?? ''}
              onChange={(event) => update(index, { value: event.currentTarget.value })}
              style={{ flex: 1 }}
            />
            <Button
              variant="subtle"
              onClick={() => set(variables.length > 1 ? variables.filter((_, at) => at !== index) : undefined)}
            >
              {t('action.remove')}
            </Button>
          </Group>
        ))}
        <Button
          variant="subtle"
          style={{ alignSelf: 'flex-start' }}
          onClick={() => set([...variables, { name: 'NAME', value: '' }])}
        >
          {t('create.addEnv')}
        </Button>
      </Stack>
    </Fieldset>
  );
}

function Review({ instance, draft, onChange }: StepProps & { readonly instance: string }) {
  const { t } = useTranslation();
  const [shown, setShown] = useState<'workload' | 'policy' | 'override'>('workload');
  const objects = [draft.workload, draft.policy, ...(draft.overrides ? [draft.override] : [])].map(readYaml);
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
            data={(['workload', 'policy', ...(draft.overrides ? (['override'] as const) : [])] as const).map(
              (value) => ({
                value,
                label: t(`create.text.${value}`),
              }),
            )}
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
    mutationFn: () =>
      aggregation.createAggregationResource({
        instance,
        namespace,
        data: {
          resources: [draft.workload],
          propagationPolicies: [draft.policy],
          overridePolicies: draft.overrides ? [draft.override] : [],
        },
      }),
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
      {create.error && <Banner state="blocked">{problemOf(create.error).message}</Banner>}
      <Group justify="flex-end">
        <GuardedButton may={may} loading={create.isPending} onClick={() => create.mutate()}>
          {t('action.create')} – {t(`effect.${key}`, { count })}
        </GuardedButton>
      </Group>
    </>
  );
}
