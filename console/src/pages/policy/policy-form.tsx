/** The parts of a propagation policy that people set most; the rest is in the text beside it. */
import { useQuery } from '@connectrpc/connect-query';
import {
  ActionIcon,
  Button,
  Fieldset,
  Group,
  MultiSelect,
  NumberInput,
  Select,
  Stack,
  Switch,
  TagsInput,
  TextInput,
} from '@mantine/core';
import { Plus, X } from 'lucide-react';
import { useTranslation } from 'react-i18next';
import { ClusterService } from '#gen/proto/kairship/api/cluster/v1alpha1/cluster_service_pb.ts';
import { DIVISIONS, divisionOf, type Path, schedulingOf, valueAt } from './policy-text.ts';

export interface FormProps {
  readonly instance: string;
  readonly object: unknown;
  readonly set: (path: Path, value: unknown) => void;
}

export function useClusterNames(instance: string): readonly string[] {
  const { data } = useQuery(ClusterService.method.listJoinedClusters, { instance, allCluster: true });
  return data?.items.map(({ metadata }) => metadata?.name ?? '') ?? [];
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
  const list = (...rest: Path) => {
    const found = valueAt(object, [...at, ...rest]);
    return Array.isArray(found) ? found.map(String) : [];
  };
  const chosen = list('clusterAffinity', 'clusterNames');
  const labels = (valueAt(object, [...at, 'clusterAffinity', 'labelSelector', 'matchLabels']) ?? {}) as Record<
    string,
    string
  >;
  const scheduling = [...at, 'replicaScheduling'];
  const division = divisionOf(valueAt(object, scheduling));
  return (
    <>
      <Fieldset legend={t('policy.where')}>
        <Stack gap={8}>
          <MultiSelect
            label={t('field.clusters')}
            placeholder={chosen.length === 0 ? t('policy.everyCluster') : ''}
            data={[...new Set([...clusters, ...chosen])]}
            value={chosen}
            searchable
            onChange={(names) => set([...at, 'clusterAffinity', 'clusterNames'], filled(names))}
          />
          <TagsInput
            label={t('policy.withLabels')}
            placeholder="tier=prod"
            value={Object.entries(labels).map(([key, value]) => `${key}=${value}`)}
            onChange={(pairs) => {
              const entries = pairs.map((pair) => pair.split('=')).filter(([key]) => key);
              set(
                [...at, 'clusterAffinity', 'labelSelector', 'matchLabels'],
                entries.length > 0 ? Object.fromEntries(entries.map(([key, value = '']) => [key, value])) : undefined,
              );
            }}
          />
          <MultiSelect
            label={t('policy.exclude')}
            data={[...clusters]}
            value={list('clusterAffinity', 'exclude')}
            searchable
            onChange={(names) => set([...at, 'clusterAffinity', 'exclude'], filled(names))}
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
    </>
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

function Rest({ object, set }: FormProps) {
  const { t } = useTranslation();
  return (
    <Fieldset legend={t('policy.rest')}>
      <Group gap="lg" align="flex-end">
        <NumberInput
          label={t('policy.priority')}
          value={Number(valueAt(object, ['spec', 'priority']) ?? 0)}
          onChange={(value) => set(['spec', 'priority'], Number(value) === 0 ? undefined : Number(value))}
          w={110}
        />
        <Switch
          label={t('policy.deps')}
          checked={valueAt(object, ['spec', 'propagateDeps']) === true}
          onChange={(event) => set(['spec', 'propagateDeps'], event.currentTarget.checked || undefined)}
        />
        <Switch
          label={t('policy.preempt')}
          checked={valueAt(object, ['spec', 'preemption']) === 'Always'}
          onChange={(event) => set(['spec', 'preemption'], event.currentTarget.checked ? 'Always' : undefined)}
        />
      </Group>
    </Fieldset>
  );
}
