/** Resources as forms: what people set most of each kind; the rest is in the text beside it. */
import { Button, Group, Select, Stack, Textarea, TextInput } from '@mantine/core';
import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import {
  AddButton,
  type Bound,
  ChoiceField,
  NumberField,
  PairsField,
  Rows,
  SwitchField,
  TextField,
  WordsField,
} from '../../parts/fields.tsx';
import { type Path, textAt, valueAt } from '../policy/policy-text.ts';
import { IngressClass } from './ingress-class.tsx';
import { PROTECTED } from './resource-text.ts';

interface FormProps {
  readonly of: Bound;
}

interface OwnProps extends FormProps {
  /** What was chosen once and cannot be changed is shown, but shut. */
  readonly isNew: boolean;
}

const FORMS: Readonly<Record<string, (props: OwnProps) => ReactNode>> = {
  Namespace: () => null,
  Service: ServiceFields,
  Ingress: IngressFields,
  ConfigMap: ({ of }) => <Entries of={of} at={['data']} />,
  Secret: SecretFields,
  PersistentVolumeClaim: ClaimFields,
};

export function hasForm(kind: string): boolean {
  return kind in FORMS;
}

const DESCRIPTION = 'kairship.io/describe';

/** `isNew` shows what cannot be changed later, too. */
export function ResourceForm({ of, kind, isNew }: OwnProps & { readonly kind: string }) {
  const { t } = useTranslation();
  const Own = FORMS[kind];
  const namespaced = valueAt(of.object, ['metadata', 'namespace']) !== undefined;
  return (
    <Stack gap="sm">
      {isNew && (
        <Group grow>
          <TextField of={of} at={['metadata', 'name']} label={t('field.name')} required />
          {namespaced && <TextField of={of} at={['metadata', 'namespace']} label={t('field.namespace')} required />}
        </Group>
      )}
      {Own && <Own of={of} isNew={isNew} />}
      <TextField of={of} at={['metadata', 'annotations', DESCRIPTION]} label={t('inventory.description')} />
      <PairsField of={of} at={['metadata', 'labels']} label={t('field.labels')} />
      <PairsField of={of} at={['metadata', 'annotations']} label={t('resource.annotations')} />
      <SwitchField
        of={of}
        at={['metadata', 'labels', PROTECTED]}
        label={t('create.protected')}
        hint={t('create.protectedHint')}
        on="Always"
      />
    </Stack>
  );
}

function ServiceFields({ of, isNew }: OwnProps) {
  const { t } = useTranslation();
  return (
    <>
      <Group grow>
        <ChoiceField
          of={of}
          at={['spec', 'type']}
          label={t('resource.column.type')}
          choices={['ClusterIP', 'NodePort', 'LoadBalancer']}
          disabled={!isNew}
        />
        <ChoiceField
          of={of}
          at={['spec', 'sessionAffinity']}
          label={t('resource.affinity')}
          choices={['None', 'ClientIP']}
        />
      </Group>
      <Rows of={of} at={['spec', 'ports']} add={t('create.addPort')} fresh={{ port: 80, targetPort: 8080 }}>
        {(row) => (
          <>
            <TextField of={of} at={[...row, 'name']} label={t('create.portName')} />
            <ChoiceField
              of={of}
              at={[...row, 'protocol']}
              label={t('create.protocol')}
              choices={['TCP', 'UDP', 'SCTP']}
            />
            <NumberField of={of} at={[...row, 'port']} label={t('create.port')} max={65_535} />
            <NumberField of={of} at={[...row, 'targetPort']} label={t('resource.targetPort')} max={65_535} />
            {textAt(of.object, ['spec', 'type']) !== '' && (
              <NumberField of={of} at={[...row, 'nodePort']} label={t('resource.nodePort')} max={65_535} />
            )}
          </>
        )}
      </Rows>
      <PairsField
        of={of}
        at={['spec', 'selector']}
        label={t('resource.column.selector')}
        hint={t('resource.selectorHint')}
        placeholder="app=web"
      />
    </>
  );
}

const BACKEND = { service: { name: 'web', port: { number: 80 } } };

function IngressFields({ of, isNew }: OwnProps) {
  const { t } = useTranslation();
  return (
    <>
      <IngressClass of={of} disabled={!isNew} />
      <Rows
        of={of}
        at={['spec', 'rules']}
        add={t('resource.addHost')}
        fresh={{
          host: 'web.example.com',
          http: { paths: [{ path: '/', pathType: 'Prefix', backend: BACKEND }] },
        }}
      >
        {(row) => (
          <Stack gap={6}>
            <TextField of={of} at={[...row, 'host']} label={t('resource.host')} placeholder="web.example.com" />
            <Rows
              of={of}
              at={[...row, 'http', 'paths']}
              add={t('resource.addPath')}
              fresh={{ path: '/', pathType: 'Prefix', backend: BACKEND }}
            >
              {(path) => <PathFields of={of} at={path} />}
            </Rows>
          </Stack>
        )}
      </Rows>
      <Rows of={of} at={['spec', 'tls']} add={t('resource.addTls')} fresh={{ hosts: [], secretName: '' }}>
        {(row) => (
          <>
            <WordsField of={of} at={[...row, 'hosts']} label={t('resource.column.hosts')} />
            <TextField of={of} at={[...row, 'secretName']} label={t('resource.certificate')} />
          </>
        )}
      </Rows>
    </>
  );
}

function PathFields({ of, at }: FormProps & { readonly at: Path }) {
  const { t } = useTranslation();
  return (
    <>
      <TextField of={of} at={[...at, 'path']} label={t('override.path')} />
      <Select
        label={t('resource.pathType')}
        data={['Prefix', 'Exact', 'ImplementationSpecific']}
        value={textAt(of.object, [...at, 'pathType'], 'Prefix')}
        allowDeselect={false}
        onChange={(next) => of.set([...at, 'pathType'], next)}
      />
      <TextField of={of} at={[...at, 'backend', 'service', 'name']} label="Service" />
      <NumberField of={of} at={[...at, 'backend', 'service', 'port', 'number']} label={t('create.port')} max={65_535} />
    </>
  );
}

const SECRET_TYPES = ['Opaque', 'kubernetes.io/dockerconfigjson', 'kubernetes.io/tls', 'kubernetes.io/basic-auth'];

/** Values are written as they are, and kept by the instance in its own form. */
function SecretFields({ of, isNew }: OwnProps) {
  const { t } = useTranslation();
  return (
    <>
      <ChoiceField of={of} at={['type']} label={t('resource.column.type')} choices={SECRET_TYPES} disabled={!isNew} />
      <Entries of={of} at={['stringData']} />
    </>
  );
}

/** Keys and their values, of any length. */
function Entries({ of, at }: FormProps & { readonly at: Path }) {
  const { t } = useTranslation();
  const data = (valueAt(of.object, at) ?? {}) as Readonly<Record<string, unknown>>;
  const entries = Object.entries(data);
  const write = (next: readonly (readonly [string, unknown])[]) =>
    of.set(at, next.length > 0 ? Object.fromEntries(next) : undefined);
  const change = (index: number, entry: readonly [string, unknown]) =>
    write(entries.map((one, position) => (position === index ? entry : one)));
  return (
    <Stack gap="sm">
      {entries.map(([key, value], index) => (
        <Stack key={index} gap={4}>
          <Group gap={6} align="flex-end">
            <TextInput
              label={t('create.key')}
              value={key}
              onChange={(event) => change(index, [event.currentTarget.value, value])}
              style={{ flex: 1 }}
            />
            <Button variant="subtle" onClick={() => write(entries.filter((_, position) => position !== index))}>
              {t('action.remove')}
            </Button>
          </Group>
          <Textarea
            aria-label={t('resource.valueOf', { key })}
            autosize
            minRows={1}
            maxRows={12}
            classNames={{ input: 'mono' }}
            value={typeof value === 'string' ? value : ''}
            onChange={(event) => change(index, [key, event.currentTarget.value])}
          />
        </Stack>
      ))}
      <AddButton
        label={t('resource.addEntry')}
        onClick={() => write([...entries, [`key-${entries.length + 1}`, '']])}
      />
    </Stack>
  );
}

function ClaimFields({ of }: FormProps) {
  const { t } = useTranslation();
  return (
    <Group grow align="flex-start">
      <TextField of={of} at={['spec', 'resources', 'requests', 'storage']} label={t('resource.column.size')} required />
      <TextField of={of} at={['spec', 'storageClassName']} label={t('resource.column.class')} />
      <WordsField
        of={of}
        at={['spec', 'accessModes']}
        label={t('resource.accessModes')}
        suggested={['ReadWriteOnce', 'ReadOnlyMany', 'ReadWriteMany', 'ReadWriteOncePod']}
      />
    </Group>
  );
}
