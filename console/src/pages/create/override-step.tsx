/**
 * How a new workload differs in some of its clusters: what it usually is, to read, and beside it one form for each group
 * of clusters that gets something else.
 */
import {
  Button,
  Group,
  MultiSelect,
  NumberInput,
  SegmentedControl,
  Stack,
  Switch,
  Tabs,
  TextInput,
} from '@mantine/core';
import { Plus, X } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { pairsOf } from '../../api/pairs.ts';
import { readYaml } from '../../api/read-yaml.ts';
import { type Bound, PairsField } from '../../parts/fields.tsx';
import { Facts, Panel } from '../../parts/page.tsx';
import { type Path, textAt, valueAt } from '../policy/policy-text.ts';
import { boundTo } from './basics-step.tsx';
import type { StepProps } from './draft.ts';
import { useExpectedClusters } from './expected.tsx';
import {
  AMOUNTS,
  amountsIn,
  clustersOfRule,
  type ContainerChanges,
  containerChanges,
  containersPath,
  limitPassed,
  marksGiven,
  plainEnv,
  type Texts,
  valueGiven,
  withContainerChanges,
  withGiven,
  withMarks,
} from './override-changes.ts';
import { replicasPath, type WorkloadKind } from './workload-text.ts';

const RULES: Path = ['spec', 'overrideRules'];
const DEFAULT = 'default';

export function Overrides({ instance, draft, onChange }: StepProps) {
  const { t } = useTranslation();
  const workload = readYaml(draft.workload);
  const clusters = useExpectedClusters({ instance, draft });
  const of = boundTo('override', draft, onChange);
  const found = valueAt(of.object, RULES);
  const rules = Array.isArray(found) ? (found as readonly unknown[]) : [];
  const [shown, setShown] = useState('0');
  const remove = (index: number) => {
    of.set(
      RULES,
      rules.filter((_, position) => position !== index),
    );
    setShown(DEFAULT);
  };
  const add = () => {
    of.set(RULES, [...rules, { overriders: {} }]);
    setShown(String(rules.length));
  };
  return (
    <Panel title={t('create.overrides')}>
      <Stack gap="sm" maw={900}>
        <Switch
          label={t('create.differs')}
          checked={draft.overrides}
          onChange={(event) => onChange({ ...draft, overrides: event.currentTarget.checked })}
        />
        {draft.overrides && (
          <Tabs value={shown} onChange={(next) => setShown(next ?? DEFAULT)} keepMounted={false}>
            <Tabs.List mb="sm">
              <Tabs.Tab value={DEFAULT}>{t('create.usual')}</Tabs.Tab>
              {rules.map((rule, index) => (
                <Tabs.Tab key={index} value={String(index)}>
                  {clustersOfRule(rule).join(', ') || t('create.newOverride', { number: index + 1 })}
                </Tabs.Tab>
              ))}
              <Button variant="subtle" leftSection={<Plus size={13} aria-hidden />} onClick={add}>
                {t('create.addOverride')}
              </Button>
            </Tabs.List>
            <Tabs.Panel value={DEFAULT}>
              <Usual workload={workload} kind={draft.kind} />
            </Tabs.Panel>
            {rules.map((rule, index) => (
              <Tabs.Panel key={index} value={String(index)}>
                <RuleFields
                  rule={rule}
                  workload={workload}
                  kind={draft.kind}
                  clusters={clusters}
                  onChange={(next) => of.set([...RULES, index], next)}
                  onRemove={() => remove(index)}
                />
              </Tabs.Panel>
            ))}
          </Tabs>
        )}
      </Stack>
    </Panel>
  );
}

interface WorkloadProps {
  readonly workload: unknown;
  readonly kind: WorkloadKind;
}

/** What holds wherever nothing else is said. */
function Usual({ workload, kind }: WorkloadProps) {
  const { t } = useTranslation();
  const replicas = replicasPath(kind);
  const containers = valueAt(workload, containersPath(kind));
  const all = Array.isArray(containers) ? (containers as readonly unknown[]) : [];
  const said = (map: Texts) => pairsOf(map).join(', ') || '–';
  return (
    <Stack gap="sm" data-usual>
      <Facts
        of={[
          ...(replicas ? [[t('field.replicas'), textAt(workload, replicas)] as const] : []),
          [t('field.labels'), said((valueAt(workload, ['metadata', 'labels']) ?? {}) as Texts)],
          [t('resource.annotations'), said((valueAt(workload, ['metadata', 'annotations']) ?? {}) as Texts)],
          ...all.map(
            (one) =>
              [
                textAt(one, ['name']),
                <Facts
                  key={textAt(one, ['name'])}
                  of={[
                    [t('create.image'), textAt(one, ['image']) || '–'],
                    [t('create.part.env'), said(plainEnv(valueAt(one, ['env'])))],
                    [t('create.amounts'), said(amountsIn(valueAt(one, ['resources'])))],
                  ]}
                />,
              ] as const,
          ),
        ]}
      />
    </Stack>
  );
}

interface RuleProps extends WorkloadProps {
  readonly rule: unknown;
  readonly clusters: readonly string[];
  readonly onChange: (rule: object) => void;
  readonly onRemove: () => void;
}

function RuleFields({ rule, workload, kind, clusters, onChange, onRemove }: RuleProps) {
  const { t } = useTranslation();
  const chosen = clustersOfRule(rule);
  const replicas = replicasPath(kind);
  const given = replicas && valueGiven(rule, replicas);
  return (
    <Stack gap="sm">
      <MultiSelect
        label={t('override.inClusters')}
        description={t('create.overrideClusters')}
        data={[...new Set([...clusters, ...chosen])]}
        value={[...chosen]}
        searchable
        error={chosen.length === 0 && t('create.overrideNeedsClusters')}
        required
        onChange={(names) =>
          onChange({ ...(rule as object), targetCluster: names.length > 0 ? { clusterNames: names } : undefined })
        }
      />
      <ContainerOverrides rule={rule} workload={workload} kind={kind} onChange={onChange} />
      {replicas && (
        <NumberInput
          label={t('field.replicas')}
          description={t('create.replicasHere')}
          placeholder={textAt(workload, replicas)}
          min={0}
          value={typeof given === 'number' ? given : ''}
          onChange={(value) => onChange(withGiven(rule, replicas, typeof value === 'number' ? value : undefined))}
        />
      )}
      {(['labels', 'annotations'] as const).map((marks) => (
        <PairsField
          key={marks}
          of={mapBound(marksGiven(rule, marks), (value) => onChange(withMarks(rule, marks, value)))}
          at={['map']}
          label={t(marks === 'labels' ? 'field.labels' : 'resource.annotations')}
        />
      ))}
      <Button
        variant="subtle"
        color="red.8"
        leftSection={<X size={13} aria-hidden />}
        style={{ alignSelf: 'flex-start' }}
        onClick={onRemove}
      >
        {t('create.removeOverride')}
      </Button>
    </Stack>
  );
}

/** A map by itself, as the fields of a form want it. */
function mapBound(map: Texts, onChange: (map: Texts) => void): Bound {
  return { object: { map }, set: (_, value) => onChange((value ?? {}) as Texts) };
}

function ContainerOverrides({ rule, workload, kind, onChange }: WorkloadProps & Pick<RuleProps, 'rule' | 'onChange'>) {
  const { t } = useTranslation();
  const [index, setIndex] = useState(0);
  const containers = valueAt(workload, containersPath(kind));
  const names = Array.isArray(containers) ? containers.map((one) => textAt(one, ['name'])) : [];
  const at = [...containersPath(kind), index];
  const usual = valueAt(workload, at);
  const changes = containerChanges(rule, workload, at);
  const change = (part: Partial<ContainerChanges>) =>
    onChange(withContainerChanges(rule, workload, at, { ...changes, ...part }));
  const amounts = amountsIn(valueAt(usual, ['resources']));
  return (
    <>
      {names.length > 1 && (
        <SegmentedControl
          style={{ alignSelf: 'flex-start' }}
          aria-label={t('override.container')}
          value={String(index)}
          onChange={(next) => setIndex(Number(next))}
          data={names.map((label, position) => ({ value: String(position), label }))}
        />
      )}
      <TextInput
        label={t('create.image')}
        placeholder={textAt(usual, ['image'])}
        value={changes.image}
        onChange={(event) => change({ image: event.currentTarget.value })}
      />
      <PairsField
        of={mapBound(changes.env, (env) => change({ env }))}
        at={['map']}
        label={t('create.part.env')}
        hint={t('create.envHere')}
        placeholder={pairsOf(plainEnv(valueAt(usual, ['env'])))[0] ?? 'MODE=fast'}
      />
      <Group grow>
        {AMOUNTS.map((key) => {
          const [bound, resource] = key.split('.') as ['requests' | 'limits', 'cpu' | 'memory'];
          const passed = limitPassed({ ...amounts, ...changes.amounts }, key);
          return (
            <TextInput
              key={key}
              label={t(`create.${bound}.${resource}`)}
              placeholder={amounts[key] ?? ''}
              value={changes.amounts[key] ?? ''}
              error={passed && t('create.overLimit', { limit: passed })}
              onChange={(event) => {
                const { [key]: _, ...rest } = changes.amounts;
                const value = event.currentTarget.value;
                change({ amounts: value === '' ? rest : { ...rest, [key]: value } });
              }}
            />
          );
        })}
      </Group>
    </>
  );
}
