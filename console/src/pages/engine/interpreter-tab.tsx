/** How the engine reads kinds it does not know: a customisation, an object, a question, and the answer. */
import { createClient } from '@connectrpc/connect';
import { Group, NumberInput, Select, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Play, Save } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { stringify } from 'yaml';
import {
  type InterpretResponse,
  InterpreterService,
} from '#gen/proto/kairship/api/interpreter/v1alpha1/interpreter_service_pb.ts';
import { useFoundObjects } from '../../api/found.ts';
import { CUSTOMIZATION } from '../../api/kinds.ts';
import { createObject, replaceObject, type Thing } from '../../api/objects.ts';
import { useMay } from '../../api/permissions.ts';
import { problemOf } from '../../api/problem.ts';
import { transport } from '../../api/transport.ts';
import { Command } from '../../parts/command.tsx';
import { GuardedButton } from '../../parts/guarded.tsx';
import { readYaml } from '../../api/read-yaml.ts';
import { Panel } from '../../parts/page.tsx';
import { Empty } from '../../parts/problems.tsx';
import { Banner } from '../../parts/status.tsx';
import { Yaml, yamlOf } from '../../parts/yaml.tsx';
import { textAt } from '../policy/policy-text.ts';
import {
  EXAMPLE_CUSTOMIZATION,
  EXAMPLE_ITEMS,
  EXAMPLE_OBJECT,
  needs,
  OPERATIONS,
  type Operation,
  readList,
} from './interpreter-text.ts';

const api = createClient(InterpreterService, transport);

export function InterpreterTab({ instance }: { readonly instance: string }) {
  const { t } = useTranslation();
  const [script, setScript] = useState(EXAMPLE_CUSTOMIZATION);
  const [object, setObject] = useState(EXAMPLE_OBJECT);
  const [observed, setObserved] = useState(EXAMPLE_OBJECT);
  const [statuses, setStatuses] = useState(EXAMPLE_ITEMS);
  const [operation, setOperation] = useState<Operation>('InterpretHealth');
  const [replicas, setReplicas] = useState(3);
  const may = useMay('kairship/interpreter/try', { instance });
  const customization = readYaml(script);
  const desired = readYaml(object);
  const { two, count, items: several } = needs(operation);
  const items = several ? readList(statuses) : [];
  const other = two ? readYaml(observed) : undefined;
  const run = useMutation({
    mutationFn: () =>
      api.interpret({
        instance,
        customizations: customization ? [customization] : [],
        operation,
        ...(desired ? { desired } : {}),
        ...(other ? { observed: other } : {}),
        ...(count ? { replicas } : {}),
        items: [...(items ?? [])],
      }),
  });
  return (
    <div className="two">
      <Stack gap={14}>
        <Panel
          title={t('interpreter.customization')}
          aside={<Stored instance={instance} onChoose={(thing) => setScript(yamlOf(thing))} />}
        >
          <Yaml label={t('interpreter.customization')} value={script} onChange={setScript} height="38vh" />
        </Panel>
        <Panel title={t(two ? 'interpreter.desired' : 'interpreter.object')}>
          <Yaml label={t('interpreter.object')} value={object} onChange={setObject} height="30vh" />
        </Panel>
        {several && (
          <Panel title={t('interpreter.items')}>
            <Yaml label={t('interpreter.items')} value={statuses} onChange={setStatuses} height="30vh" />
          </Panel>
        )}
        {two && (
          <Panel title={t('interpreter.observed')}>
            <Yaml label={t('interpreter.observed')} value={observed} onChange={setObserved} height="30vh" />
          </Panel>
        )}
      </Stack>
      <Panel title={t('interpreter.answer')}>
        <Stack gap="sm">
          <Text size="sm" c="dimmed">
            {t('interpreter.text')}
          </Text>
          <Select
            label={t('interpreter.operation')}
            data={OPERATIONS.map((value) => ({ value, label: t(`interpreter.operations.${value}`) }))}
            value={operation}
            allowDeselect={false}
            onChange={(next) => setOperation(next ?? 'InterpretHealth')}
          />
          {count && (
            <NumberInput
              label={t('field.replicas')}
              min={0}
              value={replicas}
              onChange={(value) => setReplicas(Number(value) || 0)}
            />
          )}
          <Group gap={8}>
            <GuardedButton
              may={may}
              leftSection={<Play size={14} aria-hidden />}
              disabled={!customization || !desired || !items || (two && !other)}
              loading={run.isPending}
              onClick={() => run.mutate()}
            >
              {t('interpreter.run')}
            </GuardedButton>
            <SaveCustomization instance={instance} text={script} object={customization} />
            <Command
              lines={[
                `kairship interpret -f customization.yaml --operation ${operation} --desired object.yaml${two ? ' --observed observed.yaml' : ''}${several ? ' --status items.yaml' : ''}${count ? ` --replicas ${replicas}` : ''}`,
              ]}
            />
          </Group>
          {run.error && <Banner state="blocked">{problemOf(run.error).message}</Banner>}
          {run.data ? <Outcome of={run.data} /> : <Empty title={t('interpreter.none')} />}
        </Stack>
      </Panel>
    </div>
  );
}

function Outcome({ of: { results, printed, problem } }: { readonly of: InterpretResponse }) {
  const { t } = useTranslation();
  return (
    <Stack gap="sm" data-outcome={problem ? 'problem' : 'result'}>
      {problem ? (
        <Banner state="blocked">
          <b>{problem.line > 0 ? t('interpreter.line', { line: problem.line }) : t('interpreter.failed')}</b>
          <div>{problem.message}</div>
        </Banner>
      ) : (
        <Banner state="healthy">
          <b>{t('interpreter.answered')}</b>
        </Banner>
      )}
      {results.map(({ name, value }) => (
        <div key={name}>
          <Text size="sm" fw={550}>
            {name}
          </Text>
          <pre className="code" tabIndex={0}>
            {stringify(value ?? null, { lineWidth: 0 })}
          </pre>
        </div>
      ))}
      {printed.length > 0 && (
        <div>
          <Text size="sm" fw={550}>
            {t('interpreter.printed')}
          </Text>
          <pre className="code" tabIndex={0}>
            {printed.join('\n')}
          </pre>
        </div>
      )}
    </Stack>
  );
}

/** Those that the instance has, to begin with. */
function Stored({ instance, onChoose }: { readonly instance: string; readonly onChoose: (thing: Thing) => void }) {
  const { t } = useTranslation();
  const { data } = useFoundObjects({ instance, kind: CUSTOMIZATION, page: 1 });
  const rows = data?.rows ?? [];
  if (rows.length === 0) return <span className="soft">{t('interpreter.noneStored')}</span>;
  return (
    <Select
      aria-label={t('interpreter.stored')}
      placeholder={t('interpreter.stored')}
      data={rows.map(({ metadata }) => metadata.name)}
      searchable
      w={240}
      onChange={(name) => {
        const chosen = rows.find(({ metadata }) => metadata.name === name);
        if (chosen) onChoose(chosen);
      }}
    />
  );
}

function SaveCustomization({
  instance,
  text,
  object,
}: {
  readonly instance: string;
  readonly text: string;
  readonly object: unknown;
}) {
  const { t } = useTranslation();
  const cache = useQueryClient();
  const name = textAt(object, ['metadata', 'name']);
  const exists = textAt(object, ['metadata', 'resourceVersion']) !== '';
  const may = useMay(`kairship/cluster-custom-resource/${exists ? 'update' : 'create'}`, { instance });
  const save = useMutation({
    mutationFn: () => {
      const ref = { instance, kind: CUSTOMIZATION, namespace: '', name };
      return exists ? replaceObject(ref, text) : createObject(ref, text);
    },
    onSuccess: () => cache.invalidateQueries(),
  });
  return (
    <>
      <GuardedButton
        may={may}
        variant="default"
        leftSection={<Save size={14} aria-hidden />}
        disabled={name === ''}
        loading={save.isPending}
        onClick={() => save.mutate()}
      >
        {t(save.isSuccess ? 'action.saved' : 'interpreter.save')}
      </GuardedButton>
      {save.error && <Banner state="blocked">{problemOf(save.error).message}</Banner>}
    </>
  );
}
