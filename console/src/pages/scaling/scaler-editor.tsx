/** An autoscaler, new or changed: form and text are one, the text being the truth. */
import {
  ActionIcon,
  Button,
  Group,
  NumberInput,
  SegmentedControl,
  Select,
  Stack,
  Text,
  TextInput,
} from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { Plus, X } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { ObjectRef } from '../../api/objects.ts';
import { useMay } from '../../api/permissions.ts';
import { problemOf } from '../../api/problem.ts';
import { CommandLine } from '../../parts/command.tsx';
import { GuardedButton } from '../../parts/guarded.tsx';
import { DeleteObject, readYaml } from '../../parts/object-dialogs.tsx';
import { Panel } from '../../parts/page.tsx';
import { Banner } from '../../parts/status.tsx';
import { Yaml } from '../../parts/yaml.tsx';
import { type Path, textAt, valueAt, withValue } from '../policy/policy-text.ts';
import { changesOf, rightTo } from '../resources/changes.ts';

interface EditorProps {
  readonly of: ObjectRef;
  readonly original: string;
  readonly isNew: boolean;
}

type View = 'form' | 'yaml';

export function ScalerEditor({ of, original, isNew }: EditorProps) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const cache = useQueryClient();
  const [text, setText] = useState(original);
  const [view, setView] = useState<View>('form');
  const { instance, kind } = of;
  const object = readYaml(text);
  const name = textAt(object, ['metadata', 'name']);
  const namespace = textAt(object, ['metadata', 'namespace'], 'default');
  const may = useMay(rightTo(isNew ? 'create' : 'update', kind), { instance, namespace });
  const save = useMutation({
    mutationFn: () => {
      const ref = { instance, kind, namespace, name };
      return isNew ? changesOf(kind).create(ref, text) : changesOf(kind).replace(ref, text);
    },
    onSuccess: async () => {
      void cache.invalidateQueries();
      await navigate({
        to: '/i/$instance/scaling/$kind/$namespace/$name',
        params: { instance, kind: kind.kind, namespace, name },
      });
    },
  });
  return (
    <Panel
      title={t('scaling.settings')}
      aside={
        <SegmentedControl
          value={view}
          onChange={(next) => setView(next)}
          data={[
            { value: 'form', label: t('policy.form') },
            { value: 'yaml', label: 'YAML' },
          ]}
        />
      }
    >
      <Stack gap="sm">
        {view === 'yaml' || !object ? (
          <Yaml label="YAML" value={text} onChange={setText} height="52vh" />
        ) : (
          <ScalerForm
            object={object}
            byClock={kind.kind === 'CronFederatedHPA'}
            isNew={isNew}
            set={(path, value) => setText((now) => withValue(now, path, value))}
          />
        )}
        <Text size="xs" c="dimmed">
          {t('policy.textIsTruth')}
        </Text>
        <CommandLine line={`kubectl -n ${namespace} apply -f ${name || 'scaler'}.yaml`} />
        {save.error && <Banner state="blocked">{problemOf(save.error).message}</Banner>}
        <GuardedButton
          may={may}
          disabled={!object || name === '' || (!isNew && text === original)}
          loading={save.isPending}
          onClick={() => save.mutate()}
          style={{ alignSelf: 'flex-end' }}
        >
          {t(isNew ? 'action.create' : 'action.save')}
        </GuardedButton>
      </Stack>
    </Panel>
  );
}

interface FormProps {
  readonly object: unknown;
  readonly byClock: boolean;
  readonly isNew: boolean;
  readonly set: (path: Path, value: unknown) => void;
}

function ScalerForm({ object, byClock, isNew, set }: FormProps) {
  const { t } = useTranslation();
  const field = (path: Path) => ({
    value: textAt(object, path),
    onChange: (event: { readonly currentTarget: { readonly value: string } }) => set(path, event.currentTarget.value),
  });
  return (
    <Stack gap="sm">
      <Group grow>
        <TextInput label={t('field.name')} disabled={!isNew} required {...field(['metadata', 'name'])} />
        <TextInput label={t('field.namespace')} disabled={!isNew} required {...field(['metadata', 'namespace'])} />
      </Group>
      <Group grow>
        <Select
          label={t('field.kind')}
          data={['Deployment', 'StatefulSet']}
          value={textAt(object, ['spec', 'scaleTargetRef', 'kind'], 'Deployment')}
          allowDeselect={false}
          onChange={(kind) => set(['spec', 'scaleTargetRef', 'kind'], kind ?? 'Deployment')}
        />
        <TextInput label={t('scaling.scales')} required {...field(['spec', 'scaleTargetRef', 'name'])} />
      </Group>
      {byClock ? <RuleFields object={object} set={set} /> : <MetricFields object={object} set={set} />}
    </Stack>
  );
}

type Part = Pick<FormProps, 'object' | 'set'>;

function NumberField({ label, object, set, path }: Part & { readonly label: string; readonly path: Path }) {
  const value = valueAt(object, path);
  return (
    <NumberInput
      label={label}
      min={0}
      value={typeof value === 'number' ? value : ''}
      onChange={(next) => set(path, typeof next === 'number' ? next : undefined)}
    />
  );
}

interface Metric {
  readonly type?: string;
  readonly resource?: { readonly name?: string };
}

function MetricFields({ object, set }: Part) {
  const { t } = useTranslation();
  const path = ['spec', 'metrics'];
  const found = valueAt(object, path);
  const metrics = (Array.isArray(found) ? found : []) as readonly Metric[];
  return (
    <>
      <Group grow>
        <NumberField label={t('scaling.atLeast')} object={object} set={set} path={['spec', 'minReplicas']} />
        <NumberField label={t('scaling.atMost')} object={object} set={set} path={['spec', 'maxReplicas']} />
        {(['scaleUp', 'scaleDown'] as const).map((way) => (
          <NumberField
            key={way}
            label={t(`scaling.calm.${way}`)}
            object={object}
            set={set}
            path={['spec', 'behavior', way, 'stabilizationWindowSeconds']}
          />
        ))}
      </Group>
      {metrics.map((metric, index) =>
        metric.type === 'Resource' ? (
          <Group key={index} grow align="flex-end">
            <Select
              label={t('scaling.metric')}
              data={['cpu', 'memory']}
              value={metric.resource?.name ?? 'cpu'}
              allowDeselect={false}
              onChange={(name) => set([...path, index, 'resource', 'name'], name ?? 'cpu')}
            />
            <NumberField
              label={t('scaling.utilization')}
              object={object}
              set={set}
              path={[...path, index, 'resource', 'target', 'averageUtilization']}
            />
            <Button
              variant="subtle"
              leftSection={<X size={13} aria-hidden />}
              disabled={metrics.length === 1}
              onClick={() =>
                set(
                  path,
                  metrics.filter((_, at) => at !== index),
                )
              }
            >
              {t('action.remove')}
            </Button>
          </Group>
        ) : (
          <Text key={index} size="sm" c="dimmed">
            {t('scaling.inText', { type: metric.type ?? '' })}
          </Text>
        ),
      )}
      <Button
        variant="subtle"
        leftSection={<Plus size={13} aria-hidden />}
        style={{ alignSelf: 'flex-start' }}
        onClick={() =>
          set(path, [
            ...metrics,
            { type: 'Resource', resource: { name: 'memory', target: { type: 'Utilization', averageUtilization: 70 } } },
          ])
        }
      >
        {t('scaling.addMetric')}
      </Button>
    </>
  );
}

function RuleFields({ object, set }: Part) {
  const { t } = useTranslation();
  const path = ['spec', 'rules'];
  const found = valueAt(object, path);
  const rules = Array.isArray(found) ? (found as readonly unknown[]) : [];
  return (
    <>
      {rules.map((_, index) => (
        <Group key={index} align="flex-end" wrap="nowrap">
          <TextInput
            label={t('field.name')}
            value={textAt(object, [...path, index, 'name'])}
            onChange={(event) => set([...path, index, 'name'], event.currentTarget.value)}
            style={{ flex: 1 }}
          />
          <TextInput
            label={t('scaling.schedule')}
            placeholder="0 8 * * *"
            value={textAt(object, [...path, index, 'schedule'])}
            onChange={(event) => set([...path, index, 'schedule'], event.currentTarget.value)}
            style={{ flex: 1 }}
          />
          <TextInput
            label={t('scaling.timeZone')}
            placeholder="UTC"
            value={textAt(object, [...path, index, 'timeZone'])}
            onChange={(event) => set([...path, index, 'timeZone'], event.currentTarget.value || undefined)}
            style={{ flex: 1 }}
          />
          <NumberField
            label={t('field.replicas')}
            object={object}
            set={set}
            path={[...path, index, 'targetReplicas']}
          />
          <ActionIcon
            aria-label={t('action.remove')}
            disabled={rules.length === 1}
            mb={4}
            onClick={() =>
              set(
                path,
                rules.filter((_rule, at) => at !== index),
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
        onClick={() =>
          set(path, [...rules, { name: `rule-${rules.length + 1}`, schedule: '0 20 * * *', targetReplicas: 1 }])
        }
      >
        {t('scaling.addRule')}
      </Button>
    </>
  );
}

export function DeleteScaler({ of }: { readonly of: ObjectRef }) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [open, setOpen] = useState(false);
  const { instance, kind, namespace } = of;
  const may = useMay(rightTo('delete', kind), { instance, namespace });
  return (
    <>
      <GuardedButton may={may} variant="default" onClick={() => setOpen(true)}>
        {t('action.delete')}
      </GuardedButton>
      {open && (
        <DeleteObject
          of={of}
          remove={() => changesOf(kind).remove(of)}
          onClose={() => setOpen(false)}
          onDone={() => navigate({ to: '/i/$instance/scaling', params: { instance }, search: { kind: kind.kind } })}
        />
      )}
    </>
  );
}
