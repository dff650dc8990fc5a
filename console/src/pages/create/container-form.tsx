/** The containers of a workload: what each runs, with what, how one knows that it is well, and what it may. */
import { Accordion, Autocomplete, Button, Group, SegmentedControl, Select, Stack } from '@mantine/core';
import { Plus, X } from 'lucide-react';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { type Bound, ChoiceField, NumberField, Rows, SwitchField, TextField, WordsField } from '../../parts/fields.tsx';
import { type Path, textAt, valueAt } from '../policy/policy-text.ts';
import { ImageField, type Place } from './image-field.tsx';
import { AMOUNTS, amountsIn, limitPassed } from './override-changes.ts';
import { Volumes } from './volume-fields.tsx';
import { isName, newContainer } from './workload-text.ts';

interface PodProps {
  readonly of: Bound;
  /** Where the pod's spec is. */
  readonly at: Path;
}

interface InPlace {
  readonly place: Place;
}

const LISTS = ['containers', 'initContainers'] as const;

/** All containers, one at a time. */
export function Containers({ of, at, place }: PodProps & InPlace) {
  const { t } = useTranslation();
  const all = LISTS.flatMap((list) =>
    listAt(of, [...at, list]).map((_, index) => ({ list, index, path: [...at, list, index] as Path })),
  );
  const [shown, setShown] = useState('containers/0');
  const chosen = all.find(({ list, index }) => `${list}/${index}` === shown) ?? all[0];
  const add = (list: (typeof LISTS)[number]) => {
    const there = listAt(of, [...at, list]);
    const name = list === 'containers' ? `container-${there.length + 1}` : `init-${there.length + 1}`;
    of.set([...at, list], [...there, newContainer(name)]);
    setShown(`${list}/${there.length}`);
  };
  const remove = (list: (typeof LISTS)[number], index: number) => {
    const left = listAt(of, [...at, list]).filter((_, position) => position !== index);
    of.set([...at, list], left.length > 0 ? left : undefined);
    setShown('containers/0');
  };
  return (
    <Stack gap="sm">
      <Group gap={8}>
        {all.length > 1 && (
          <SegmentedControl
            value={chosen ? `${chosen.list}/${chosen.index}` : ''}
            onChange={setShown}
            data={all.map(({ list, index, path }) => ({
              value: `${list}/${index}`,
              label: `${textAt(of.object, [...path, 'name'])}${list === 'initContainers' ? ` (${t('create.init')})` : ''}`,
            }))}
          />
        )}
        <Button variant="subtle" leftSection={<Plus size={13} aria-hidden />} onClick={() => add('containers')}>
          {t('create.addContainer')}
        </Button>
        <Button variant="subtle" leftSection={<Plus size={13} aria-hidden />} onClick={() => add('initContainers')}>
          {t('create.addInit')}
        </Button>
        {chosen && all.length > 1 && (
          <Button
            variant="subtle"
            leftSection={<X size={13} aria-hidden />}
            onClick={() => remove(chosen.list, chosen.index)}
          >
            {t('action.remove')}
          </Button>
        )}
      </Group>
      {chosen && <ContainerFields key={shown} of={of} at={chosen.path} pod={at} place={place} />}
    </Stack>
  );
}

function listAt({ object }: Bound, at: Path): readonly unknown[] {
  const found = valueAt(object, at);
  return Array.isArray(found) ? (found as readonly unknown[]) : [];
}

function ContainerFields({ of, at, pod, place }: PodProps & InPlace & { readonly pod: Path }) {
  const { t } = useTranslation();
  const amounts = amountsIn(valueAt(of.object, [...at, 'resources']));
  const part = (name: 'env' | 'mounts' | 'health' | 'life' | 'command') => t(`create.part.${name}`);
  return (
    <>
      <Group grow align="flex-start">
        <ImageField of={of} at={[...at, 'image']} place={place} />
        <TextField
          of={of}
          at={[...at, 'name']}
          label={t('create.containerName')}
          hint={t('create.nameRule')}
          error={!isName(textAt(of.object, [...at, 'name'])) && t('create.badName')}
          required
        />
      </Group>
      <Group grow>
        {AMOUNTS.map((key) => {
          const [bound, resource] = key.split('.') as ['requests' | 'limits', 'cpu' | 'memory'];
          const passed = limitPassed(amounts, key);
          return (
            <TextField
              key={key}
              of={of}
              at={[...at, 'resources', bound, resource]}
              label={t(`create.${bound}.${resource}`)}
              error={passed && t('create.overLimit', { limit: passed })}
            />
          );
        })}
      </Group>
      <ChoiceField
        of={of}
        at={[...at, 'imagePullPolicy']}
        label={t('create.pull')}
        choices={['IfNotPresent', 'Always', 'Never']}
      />
      <Rows of={of} at={[...at, 'ports']} add={t('create.addPort')} fresh={{ containerPort: 80 }}>
        {(row) => (
          <>
            <NumberField of={of} at={[...row, 'containerPort']} label={t('create.port')} max={65_535} />
            <TextField of={of} at={[...row, 'name']} label={t('create.portName')} />
            <ChoiceField
              of={of}
              at={[...row, 'protocol']}
              label={t('create.protocol')}
              choices={['TCP', 'UDP', 'SCTP']}
            />
          </>
        )}
      </Rows>
      <Accordion variant="contained" multiple keepMounted={false}>
        <Accordion.Item value="env">
          <Accordion.Control>{part('env')}</Accordion.Control>
          <Accordion.Panel>
            <Environment of={of} at={at} />
          </Accordion.Panel>
        </Accordion.Item>
        <Accordion.Item value="mounts">
          <Accordion.Control>{part('mounts')}</Accordion.Control>
          <Accordion.Panel>
            <Mounts of={of} at={at} pod={pod} />
          </Accordion.Panel>
        </Accordion.Item>
        <Accordion.Item value="health">
          <Accordion.Control>{part('health')}</Accordion.Control>
          <Accordion.Panel>
            <Stack gap="sm">
              {(['readinessProbe', 'livenessProbe', 'startupProbe'] as const).map((probe) => (
                <Probe key={probe} of={of} at={[...at, probe]} label={t(`create.${probe}`)} />
              ))}
            </Stack>
          </Accordion.Panel>
        </Accordion.Item>
        <Accordion.Item value="command">
          <Accordion.Control>{part('command')}</Accordion.Control>
          <Accordion.Panel>
            <Stack gap="sm">
              <WordsField of={of} at={[...at, 'command']} label={t('create.command')} hint={t('create.wordsHint')} />
              <WordsField of={of} at={[...at, 'args']} label={t('create.args')} />
              <TextField of={of} at={[...at, 'workingDir']} label={t('create.workingDir')} placeholder="/app" />
            </Stack>
          </Accordion.Panel>
        </Accordion.Item>
        <Accordion.Item value="life">
          <Accordion.Control>{part('life')}</Accordion.Control>
          <Accordion.Panel>
            <Stack gap="sm">
              <WordsField
                of={of}
                at={[...at, 'lifecycle', 'postStart', 'exec', 'command']}
                label={t('create.postStart')}
              />
              <WordsField of={of} at={[...at, 'lifecycle', 'preStop', 'exec', 'command']} label={t('create.preStop')} />
              <SwitchField of={of} at={[...at, 'securityContext', 'privileged']} label={t('create.privileged')} />
              <NumberField of={of} at={[...at, 'securityContext', 'runAsUser']} label={t('create.runAsUser')} />
            </Stack>
          </Accordion.Panel>
        </Accordion.Item>
      </Accordion>
    </>
  );
}

const SOURCES = ['value', 'configMapKeyRef', 'secretKeyRef', 'fieldRef'] as const;
type Source = (typeof SOURCES)[number];

/** Variables: a value, a key of a config map or a secret, or a field of the pod. */
function Environment({ of, at }: PodProps) {
  const { t } = useTranslation();
  const sourceOf = (row: Path): Source =>
    SOURCES.find((one) => valueAt(of.object, [...row, 'valueFrom', one]) !== undefined) ?? 'value';
  const begin = (row: Path, source: Source) => {
    const name = textAt(of.object, [...row, 'name']);
    const from = source === 'fieldRef' ? { fieldPath: 'metadata.name' } : { name: '', key: '' };
    of.set(row, source === 'value' ? { name, value: '' } : { name, valueFrom: { [source]: from } });
  };
  return (
    <Rows of={of} at={[...at, 'env']} add={t('create.addEnv')} fresh={{ name: 'NAME', value: '' }}>
      {(row) => {
        const source = sourceOf(row);
        const from = [...row, 'valueFrom', source];
        return (
          <>
            <TextField of={of} at={[...row, 'name']} label={t('field.name')} />
            <Select
              label={t('create.envFrom')}
              data={SOURCES.map((value) => ({ value, label: t(`create.envSource.${value}`) }))}
              value={source}
              allowDeselect={false}
              onChange={(next) => begin(row, next ?? 'value')}
            />
            {source === 'value' && <TextField of={of} at={[...row, 'value']} label={t('override.value')} />}
            {source === 'fieldRef' && <TextField of={of} at={[...from, 'fieldPath']} label={t('override.path')} />}
            {(source === 'configMapKeyRef' || source === 'secretKeyRef') && (
              <>
                <TextField of={of} at={[...from, 'name']} label={t('create.object')} />
                <TextField of={of} at={[...from, 'key']} label={t('create.key')} />
              </>
            )}
          </>
        );
      }}
    </Rows>
  );
}

function Mounts({ of, at, pod }: PodProps & { readonly pod: Path }) {
  const { t } = useTranslation();
  const volumes = listAt(of, [...pod, 'volumes']).map((_, index) =>
    textAt(of.object, [...pod, 'volumes', index, 'name']),
  );
  return (
    <Stack gap="sm">
      <Volumes of={of} at={pod} />
      <Rows
        of={of}
        at={[...at, 'volumeMounts']}
        add={t('create.addMount')}
        fresh={{ name: volumes[0] ?? 'data', mountPath: '/data' }}
      >
        {(row) => (
          <>
            <Autocomplete
              label={t('create.volume')}
              size="xs"
              data={volumes}
              value={textAt(of.object, [...row, 'name'])}
              onChange={(value) => of.set([...row, 'name'], value)}
            />
            <TextField of={of} at={[...row, 'mountPath']} label={t('create.mountPath')} />
            <SwitchField of={of} at={[...row, 'readOnly']} label={t('create.readOnly')} />
          </>
        )}
      </Rows>
    </Stack>
  );
}

const PROBES = {
  none: undefined,
  httpGet: { httpGet: { path: '/', port: 80 } },
  tcpSocket: { tcpSocket: { port: 80 } },
  exec: { exec: { command: ['true'] } },
} as const;
type ProbeKind = keyof typeof PROBES;

function Probe({ of, at, label }: PodProps & { readonly label: string }) {
  const { t } = useTranslation();
  const kinds = Object.keys(PROBES) as readonly ProbeKind[];
  const kind = kinds.find((one) => valueAt(of.object, [...at, one]) !== undefined) ?? 'none';
  return (
    <Group gap={6} grow align="flex-end">
      <Select
        label={label}
        data={kinds.map((value) => ({ value, label: t(`create.probe.${value}`) }))}
        value={kind}
        allowDeselect={false}
        onChange={(next) => of.set(at, PROBES[next ?? 'none'])}
      />
      {kind === 'httpGet' && <TextField of={of} at={[...at, kind, 'path']} label={t('override.path')} />}
      {(kind === 'httpGet' || kind === 'tcpSocket') && (
        <NumberField of={of} at={[...at, kind, 'port']} label={t('create.port')} max={65_535} />
      )}
      {kind === 'exec' && <WordsField of={of} at={[...at, kind, 'command']} label={t('create.command')} />}
      {kind !== 'none' && (
        <>
          <NumberField of={of} at={[...at, 'initialDelaySeconds']} label={t('create.delay')} />
          <NumberField of={of} at={[...at, 'periodSeconds']} label={t('create.every')} />
        </>
      )}
    </Group>
  );
}
