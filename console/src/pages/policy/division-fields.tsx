/** How replicas are divided among clusters, and over how many groups of them. */
import { Fieldset, MultiSelect, Select, Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import { type Bound, NumberField, Rows, TextField } from '../../parts/fields.tsx';
import { DIVISIONS, divisionOf, type Path, schedulingOf, textAt, valueAt } from './policy-text.ts';
import { useClusterNames } from './target-fields.tsx';

interface Props {
  readonly instance: string;
  readonly of: Bound;
  /** Where the placement is. */
  readonly at: Path;
}

export function DivisionFields({ instance, of, at }: Props) {
  const { t } = useTranslation();
  const clusters = useClusterNames(instance);
  const named = valueAt(of.object, [...at, 'clusterAffinity', 'clusterNames']);
  const chosen = Array.isArray(named) && named.length > 0 ? named.map(String) : clusters;
  const scheduling = [...at, 'replicaScheduling'];
  const division = divisionOf(valueAt(of.object, scheduling));
  return (
    <Fieldset legend={t('policy.division')}>
      <Stack gap={8}>
        <Select
          aria-label={t('policy.division')}
          data={DIVISIONS.map((value) => ({ value, label: t(`policy.divide.${value}`) }))}
          value={division}
          allowDeselect={false}
          onChange={(next) => of.set(scheduling, schedulingOf(next ?? 'duplicated', chosen))}
        />
        {division === 'static' && (
          <Weights instance={instance} of={of} at={[...scheduling, 'weightPreference', 'staticWeightList']} />
        )}
        <Spread of={of} at={[...at, 'spreadConstraints']} isStatic={division === 'static'} />
      </Stack>
    </Fieldset>
  );
}

/** Clusters that are chosen otherwise than by name keep that; the form then shows only their weight. */
function Weights({ instance, of, at }: Props) {
  const { t } = useTranslation();
  const clusters = useClusterNames(instance);
  return (
    <Rows of={of} at={at} add={t('policy.addWeight')} fresh={{ targetCluster: { clusterNames: [] }, weight: 1 }}>
      {(row) => {
        const found = valueAt(of.object, [...row, 'targetCluster', 'clusterNames']);
        const names = Array.isArray(found) ? found.map(String) : [];
        return (
          <>
            <MultiSelect
              label={t('field.clusters')}
              placeholder={names.length === 0 ? t('policy.everyCluster') : ''}
              data={[...new Set([...clusters, ...names])]}
              value={names}
              onChange={(next) => of.set([...row, 'targetCluster', 'clusterNames'], next)}
            />
            <NumberField
              of={of}
              at={[...row, 'weight']}
              label={t('policy.weightOf', { cluster: names.join(', ') || t('policy.everyCluster') })}
            />
          </>
        );
      }}
    </Rows>
  );
}

const FIELDS = ['cluster', 'region', 'zone', 'provider'] as const;
const BY_LABEL = 'label' as const;

function Spread({ of, at, isStatic }: Omit<Props, 'instance'> & { readonly isStatic: boolean }) {
  const { t } = useTranslation();
  const ways = [...FIELDS, BY_LABEL].map((value) => ({ value, label: t(`policy.by.${value}`) }));
  const choose = (row: Path, next: string | null) => {
    const now = (valueAt(of.object, row) ?? {}) as Readonly<Record<string, unknown>>;
    const { spreadByField: _, spreadByLabel: __, ...rest } = now;
    of.set(row, next === BY_LABEL ? { spreadByLabel: 'topology', ...rest } : { spreadByField: next, ...rest });
  };
  return (
    <>
      <Rows
        of={of}
        at={at}
        add={t('policy.addSpread')}
        fresh={{ spreadByField: 'cluster', minGroups: 1, maxGroups: 2 }}
      >
        {(row) => {
          const byLabel = valueAt(of.object, [...row, 'spreadByLabel']) !== undefined;
          return (
            <>
              <Select
                label={t('policy.spreadBy')}
                data={ways}
                value={byLabel ? BY_LABEL : textAt(of.object, [...row, 'spreadByField'], 'cluster')}
                allowDeselect={false}
                onChange={(next) => choose(row, next)}
              />
              {byLabel && <TextField of={of} at={[...row, 'spreadByLabel']} label={t('policy.spreadLabel')} required />}
              <NumberField of={of} at={[...row, 'minGroups']} label={t('policy.atLeast')} />
              <NumberField of={of} at={[...row, 'maxGroups']} label={t('policy.atMost')} />
            </>
          );
        }}
      </Rows>
      {isStatic && valueAt(of.object, at) !== undefined && <span className="soft">{t('policy.spreadStatic')}</span>}
    </>
  );
}
