/** The parts of a propagation policy that people set most; the rest is in the text beside it. */
import { ActionIcon, Button, Fieldset, Group, NumberInput, Select, Stack, TextInput } from '@mantine/core';
import { Plus, X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { type Bound, ChoiceField, NumberField, Rows, SwitchField, TextField } from '../../parts/fields.tsx';
import { TargetFields, useClusterNames } from './target-fields.tsx';
import { DIVISIONS, divisionOf, type Path, schedulingOf, valueAt } from './policy-text.ts';

export interface FormProps extends Bound {
  readonly instance: string;
}

const filled = <T,>(list: readonly T[]): readonly T[] | undefined => (list.length > 0 ? list : undefined);

export function PolicyForm(props: FormProps) {
  return (
    <Stack gap="sm">
      <Selectors {...props} />
      <PlacementForm {...props} at={['spec', 'placement']} />
      <Rest {...props} />
    </Stack>
  );
}

const KINDS: Readonly<Record<string, string>> = {
  Deployment: 'apps/v1',
  StatefulSet: 'apps/v1',
  DaemonSet: 'apps/v1',
  Job: 'batch/v1',
  CronJob: 'batch/v1',
  Service: 'v1',
  ConfigMap: 'v1',
  Secret: 'v1',
  Ingress: 'networking.k8s.io/v1',
  PersistentVolumeClaim: 'v1',
};

interface Selector {
  readonly apiVersion?: string;
  readonly kind?: string;
  readonly name?: string;
}

/** What the policy is for. */
export function Selectors({ object, set }: FormProps) {
  const { t } = useTranslation();
  const path = ['spec', 'resourceSelectors'];
  const found = valueAt(object, path);
  const selectors = (Array.isArray(found) ? found : []) as readonly Selector[];
  const update = (index: number, change: Selector) =>
    set(
      path,
      selectors.map((one, at) => (at === index ? { ...one, ...change } : one)),
    );
  return (
    <Fieldset legend={t('policy.for')}>
      <Stack gap={6}>
        {selectors.map((selector, index) => (
          <Group key={index} gap={6} wrap="nowrap">
            <Select
              aria-label={t('field.kind')}
              data={[...new Set([...Object.keys(KINDS), selector.kind ?? ''])].filter(Boolean)}
              value={selector.kind ?? null}
              allowDeselect={false}
              onChange={(kind) =>
                update(index, { kind: kind ?? '', apiVersion: KINDS[kind ?? ''] ?? selector.apiVersion ?? 'v1' })
              }
              w={170}
            />
            <TextInput
              aria-label={t('field.name')}
              placeholder={t('policy.allOfKind')}
              value={selector.name ?? ''}
              onChange={(event) => {
                const { name: _, ...rest } = selector;
                const name = event.currentTarget.value;
                set(
                  path,
                  selectors.map((one, at) => (at === index ? (name ? { ...rest, name } : rest) : one)),
                );
              }}
              style={{ flex: 1 }}
            />
            <ActionIcon
              aria-label={t('action.remove')}
              onClick={() =>
                set(
                  path,
                  selectors.filter((_, at) => at !== index),
                )
              }
            >
              <X size={14} />
            </ActionIcon>
          </Group>
        ))}
        <Button
          variant="subtle"
          leftSection={<Plus size={13} aria-hidden />}
          style={{ alignSelf: 'flex-start' }}
          onClick={() => set(path, [...selectors, { apiVersion: 'apps/v1', kind: 'Deployment' }])}
        >
          {t('policy.addSelector')}
        </Button>
      </Stack>
    </Fieldset>
  );
}

/** Which clusters, how replicas are divided, and over how many groups they are spread. */
export function PlacementForm({ instance, object, set, at }: FormProps & { readonly at: Path }) {
  const { t } = useTranslation();
  const clusters = useClusterNames(instance);
  const named = valueAt(object, [...at, 'clusterAffinity', 'clusterNames']);
  const chosen = Array.isArray(named) ? named.map(String) : [];
  const scheduling = [...at, 'replicaScheduling'];
  const division = divisionOf(valueAt(object, scheduling));
  return (
    <>
      <Fieldset legend={t('policy.where')}>
        <Stack gap={8}>
          <TargetFields
            instance={instance}
            object={object}
            set={set}
            at={[...at, 'clusterAffinity']}
            label={t('field.clusters')}
          />
        </Stack>
      </Fieldset>
      <Fieldset legend={t('policy.division')}>
        <Stack gap={8}>
          <Select
            aria-label={t('policy.division')}
            data={DIVISIONS.map((value) => ({ value, label: t(`policy.divide.${value}`) }))}
            value={division}
            allowDeselect={false}
            onChange={(next) =>
              set(scheduling, schedulingOf(next ?? 'duplicated', chosen.length > 0 ? chosen : clusters))
            }
          />
          {division === 'static' && (
            <Weights object={object} set={set} at={[...scheduling, 'weightPreference', 'staticWeightList']} />
          )}
          <Spread object={object} set={set} at={[...at, 'spreadConstraints']} />
        </Stack>
      </Fieldset>
      <Fieldset legend={t('policy.tolerations')}>
        <Tolerations of={{ object, set }} at={[...at, 'clusterTolerations']} />
      </Fieldset>
    </>
  );
}

const EFFECTS = ['NoExecute', 'NoSchedule'] as const;
const SECONDS = 300;

/** Taints that do not keep it away, or only after a while. */
export function Tolerations({
  of,
  at,
  taint = 'cluster.karmada.io/not-ready',
}: {
  readonly of: Bound;
  readonly at: Path;
  /** What a new one begins with. */
  readonly taint?: string;
}) {
  const { t } = useTranslation();
  return (
    <Rows
      of={of}
      at={at}
      add={t('policy.addToleration')}
      fresh={{
        key: taint,
        operator: 'Exists',
        effect: 'NoExecute',
        tolerationSeconds: SECONDS,
      }}
    >
      {(row) => (
        <>
          <TextField of={of} at={[...row, 'key']} label={t('policy.taintKey')} />
          <ChoiceField of={of} at={[...row, 'operator']} label={t('override.operator')} choices={['Equal', 'Exists']} />
          <TextField
            of={of}
            at={[...row, 'value']}
            label={t('override.value')}
            disabled={valueAt(of.object, [...row, 'operator']) === 'Exists'}
          />
          <ChoiceField
            of={of}
            at={[...row, 'effect']}
            label={t('policy.taintEffect')}
            choices={[{ value: '', label: t('action.all') }, ...EFFECTS]}
          />
          <NumberField of={of} at={[...row, 'tolerationSeconds']} label={t('policy.seconds')} />
        </>
      )}
    </Rows>
  );
}

interface Weight {
  readonly targetCluster?: { readonly clusterNames?: readonly string[] };
  readonly weight?: number;
}

function Weights({ object, set, at }: Pick<FormProps, 'object' | 'set'> & { readonly at: Path }) {
  const { t } = useTranslation();
  const found = valueAt(object, at);
  const weights = (Array.isArray(found) ? found : []) as readonly Weight[];
  return (
    <Stack gap={4}>
      {weights.map(({ targetCluster, weight }, index) => {
        const label = targetCluster?.clusterNames?.join(', ') || t('policy.everyCluster');
        return (
          <Group key={index} gap={8}>
            <span style={{ flex: 1, fontSize: 13 }}>{label}</span>
            <NumberInput
              aria-label={t('policy.weightOf', { cluster: label })}
              min={1}
              value={weight ?? 1}
              onChange={(value) => set([...at, index, 'weight'], Number(value) || 1)}
              w={90}
            />
          </Group>
        );
      })}
    </Stack>
  );
}

interface Constraint {
  readonly spreadByField?: string;
  readonly minGroups?: number;
  readonly maxGroups?: number;
}

function Spread({ object, set, at }: Pick<FormProps, 'object' | 'set'> & { readonly at: Path }) {
  const { t } = useTranslation();
  const found = valueAt(object, at);
  const constraints = (Array.isArray(found) ? found : []) as readonly Constraint[];
  return (
    <Stack gap={4}>
      {constraints.map((constraint, index) => (
        <Group key={index} gap={6} wrap="nowrap">
          <Select
            aria-label={t('policy.spreadBy')}
            data={(['cluster', 'region', 'zone', 'provider'] as const).map((value) => ({
              value,
              label: t(`policy.by.${value}`),
            }))}
            value={constraint.spreadByField ?? 'cluster'}
            allowDeselect={false}
            onChange={(value) => set([...at, index, 'spreadByField'], value)}
            w={130}
          />
          <NumberInput
            aria-label={t('policy.atLeast')}
            prefix={`≥ `}
            min={0}
            value={constraint.minGroups ?? ''}
            onChange={(value) => set([...at, index, 'minGroups'], value === '' ? undefined : Number(value))}
            w={80}
          />
          <NumberInput
            aria-label={t('policy.atMost')}
            prefix={`≤ `}
            min={0}
            value={constraint.maxGroups ?? ''}
            onChange={(value) => set([...at, index, 'maxGroups'], value === '' ? undefined : Number(value))}
            w={80}
          />
          <ActionIcon
            aria-label={t('action.remove')}
            onClick={() => set(at, filled(constraints.filter((_, position) => position !== index)))}
          >
            <X size={14} />
          </ActionIcon>
        </Group>
      ))}
      <Button
        variant="subtle"
        leftSection={<Plus size={13} aria-hidden />}
        style={{ alignSelf: 'flex-start' }}
        onClick={() => set(at, [...constraints, { spreadByField: 'cluster', minGroups: 1, maxGroups: 2 }])}
      >
        {t('policy.addSpread')}
      </Button>
    </Stack>
  );
}

export function Rest({ object, set }: Bound) {
  const { t } = useTranslation();
  const of = { object, set };
  return (
    <Fieldset legend={t('policy.rest')}>
      <Group gap="lg" align="flex-end">
        <NumberInput
          label={t('policy.priority')}
          value={Number(valueAt(object, ['spec', 'priority']) ?? 0)}
          onChange={(value) => set(['spec', 'priority'], Number(value) === 0 ? undefined : Number(value))}
          w={110}
        />
        <SwitchField of={of} at={['spec', 'propagateDeps']} label={t('policy.deps')} />
        <SwitchField of={of} at={['spec', 'preemption']} label={t('policy.preempt')} on="Always" />
        <SwitchField of={of} at={['spec', 'conflictResolution']} label={t('policy.overwrite')} on="Overwrite" />
        <SwitchField of={of} at={['spec', 'preserveResourcesOnDeletion']} label={t('policy.preserve')} />
      </Group>
    </Fieldset>
  );
}
