/** An autoscaler, new or changed: form and text are one, the text being the truth. */
import { Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Link, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { useFoundObjects } from '../../api/found.ts';
import { FEDERATED_HPA } from '../../api/kinds.ts';
import type { ObjectRef, Thing } from '../../api/objects.ts';
import { useMay } from '../../api/permissions.ts';
import { problemOf } from '../../api/problem.ts';
import { CommandLine } from '../../parts/command.tsx';
import { type Bound, NumberField, Rows, TextField } from '../../parts/fields.tsx';
import { GuardedButton } from '../../parts/guarded.tsx';
import { readYaml } from '../../api/read-yaml.ts';
import { DeleteObject } from '../../parts/object-dialogs.tsx';
import { Panel } from '../../parts/page.tsx';
import { Banner } from '../../parts/status.tsx';
import { type View, ViewSwitch } from '../../parts/view-switch.tsx';
import { Yaml } from '../../parts/yaml.tsx';
import { type Path, textAt, withValue } from '../policy/policy-text.ts';
import { changesOf, rightTo } from '../resources/changes.ts';
import { LONGEST_CALM, scalerLacks, targetOf } from './scaler-text.ts';

interface EditorProps {
  readonly of: ObjectRef;
  readonly original: string;
  readonly isNew: boolean;
}

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
  const lacks = object ? scalerLacks(object) : [];
  const other = useOther(of, namespace, isNew ? object : undefined);
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
    <Panel title={t('scaling.settings')} aside={<ViewSwitch value={view} onChange={setView} />}>
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
        {lacks.map((what) => (
          <Banner key={what} state="blocked">
            {t(`scaler.lacks.${what}`, { most: LONGEST_CALM })}
          </Banner>
        ))}
        {other && (
          <Banner
            state="blocked"
            action={
              <Link
                to="/i/$instance/scaling/$kind/$namespace/$name"
                params={{ instance, kind: other.kind, namespace, name: other.metadata.name }}
              >
                {other.metadata.name}
              </Link>
            }
          >
            {t('scaler.already')}
          </Banner>
        )}
        {save.error && <Banner state="blocked">{problemOf(save.error).message}</Banner>}
        <GuardedButton
          may={may}
          disabled={!object || name === '' || lacks.length > 0 || other !== undefined || (!isNew && text === original)}
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

/** A workload that two autoscalers scale would have no rest. */
function useOther({ instance, kind }: ObjectRef, namespace: string, object: unknown): Thing | undefined {
  const { data } = useFoundObjects({ instance, kind: FEDERATED_HPA, namespace, page: 1, pageSize: 500 });
  if (kind.kind !== FEDERATED_HPA.kind || object === undefined) return undefined;
  const wanted = targetOf(object as Thing);
  return data?.rows.find((one) => {
    const target = targetOf(one);
    return target.kind === wanted.kind && target.name === wanted.name;
  });
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
      {byClock ? <RuleFields of={{ object, set }} /> : <MetricFields of={{ object, set }} />}
    </Stack>
  );
}

/** So long nothing is scaled again; what holds where nothing is said. */
const CALM = { scaleUp: '0', scaleDown: '300' } as const;

function MetricFields({ of }: { readonly of: Bound }) {
  const { t } = useTranslation();
  return (
    <>
      <Group grow align="flex-end">
        <NumberField of={of} at={['spec', 'minReplicas']} label={t('scaling.atLeast')} min={1} placeholder="1" />
        <NumberField of={of} at={['spec', 'maxReplicas']} label={t('scaling.atMost')} min={1} />
        {(['scaleUp', 'scaleDown'] as const).map((way) => (
          <NumberField
            key={way}
            of={of}
            at={['spec', 'behavior', way, 'stabilizationWindowSeconds']}
            label={t(`scaling.calm.${way}`)}
            hint={t('scaler.calmHint')}
            max={LONGEST_CALM}
            placeholder={CALM[way]}
          />
        ))}
      </Group>
      <Rows
        of={of}
        at={['spec', 'metrics']}
        add={t('scaling.addMetric')}
        fresh={{
          type: 'Resource',
          resource: { name: 'memory', target: { type: 'Utilization', averageUtilization: 70 } },
        }}
      >
        {(row) => {
          const type = textAt(of.object, [...row, 'type']);
          if (type !== 'Resource')
            return (
              <Text size="sm" c="dimmed">
                {t('scaling.inText', { type })}
              </Text>
            );
          return (
            <>
              <Select
                label={t('scaling.metric')}
                data={['cpu', 'memory']}
                value={textAt(of.object, [...row, 'resource', 'name'], 'cpu')}
                allowDeselect={false}
                onChange={(name) => of.set([...row, 'resource', 'name'], name ?? 'cpu')}
              />
              <NumberField
                of={of}
                at={[...row, 'resource', 'target', 'averageUtilization']}
                label={t('scaling.utilization')}
                min={1}
              />
            </>
          );
        }}
      </Rows>
    </>
  );
}

function RuleFields({ of }: { readonly of: Bound }) {
  const { t } = useTranslation();
  return (
    <Rows
      of={of}
      at={['spec', 'rules']}
      add={t('scaling.addRule')}
      fresh={{ name: 'evenings', schedule: '0 20 * * *', targetReplicas: 1 }}
    >
      {(row) => (
        <>
          <TextField of={of} at={[...row, 'name']} label={t('field.name')} required />
          <TextField of={of} at={[...row, 'schedule']} label={t('scaling.schedule')} placeholder="0 8 * * *" required />
          <TextField of={of} at={[...row, 'timeZone']} label={t('scaling.timeZone')} placeholder="UTC" />
          <NumberField of={of} at={[...row, 'targetReplicas']} label={t('field.replicas')} />
        </>
      )}
    </Rows>
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
