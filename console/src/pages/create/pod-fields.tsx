/** What holds for all containers of a pod: its name server, its nodes, its registries, and how long it may take to stop. */
import { Group, Select, Stack } from '@mantine/core';
import { useTranslation } from 'react-i18next';
import {
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
import { apartIn, APARTS, keptApart } from './affinity.ts';

interface Props {
  readonly of: Bound;
  /** Where the pod's spec is. */
  readonly at: Path;
}

export function PodFields({ of, at }: Props) {
  const { t } = useTranslation();
  const secrets = (valueAt(of.object, [...at, 'imagePullSecrets']) ?? []) as readonly { readonly name?: string }[];
  return (
    <Stack gap="sm">
      <Group grow align="flex-start">
        <NumberField
          of={of}
          at={[...at, 'terminationGracePeriodSeconds']}
          label={t('create.grace')}
          hint={t('create.otherwise', { value: 30 })}
        />
        <TextField of={of} at={[...at, 'serviceAccountName']} label={t('create.account')} hint="default" />
      </Group>
      <WordsField
        of={{
          object: { secrets: secrets.map(({ name }) => name) },
          set: (_, names) =>
            of.set(
              [...at, 'imagePullSecrets'],
              Array.isArray(names) ? names.map((name) => ({ name: String(name) })) : undefined,
            ),
        }}
        at={['secrets']}
        label={t('create.registrySecrets')}
      />
    </Stack>
  );
}

export function NetworkFields({ of, at }: Props) {
  const { t } = useTranslation();
  return (
    <Stack gap="sm">
      <Group grow align="flex-start">
        <ChoiceField
          of={of}
          at={[...at, 'dnsPolicy']}
          label={t('create.dns')}
          choices={['ClusterFirst', 'ClusterFirstWithHostNet', 'Default', 'None']}
        />
        <WordsField of={of} at={[...at, 'dnsConfig', 'nameservers']} label={t('create.nameservers')} />
        <WordsField of={of} at={[...at, 'dnsConfig', 'searches']} label={t('create.searches')} />
      </Group>
      <SwitchField of={of} at={[...at, 'hostNetwork']} label={t('create.hostNetwork')} />
      <Rows
        of={of}
        at={[...at, 'hostAliases']}
        add={t('create.addHost')}
        fresh={{ ip: '10.0.0.1', hostnames: ['name.example'] }}
      >
        {(row) => (
          <>
            <TextField of={of} at={[...row, 'ip']} label={t('pod.ip')} />
            <WordsField of={of} at={[...row, 'hostnames']} label={t('create.hostNames')} />
          </>
        )}
      </Rows>
    </Stack>
  );
}

const OPERATORS = ['In', 'NotIn', 'Exists', 'DoesNotExist', 'Gt', 'Lt'] as const;

/** Which nodes, and how far its pods stay from each other. */
export function NodeFields({ of, at, app }: Props & { readonly app: string }) {
  const { t } = useTranslation();
  const apart = [...at, 'affinity', 'podAntiAffinity'];
  const word = apartIn(valueAt(of.object, apart));
  const node = [...at, 'affinity', 'nodeAffinity', 'requiredDuringSchedulingIgnoredDuringExecution'];
  const expressions = [...node, 'nodeSelectorTerms', 0, 'matchExpressions'];
  const rows = {
    object: of.object,
    // The last requirement takes the empty term around it along, which no cluster would accept.
    set: (path: Path, value: unknown) =>
      value === undefined && path.length === expressions.length ? of.set(node, undefined) : of.set(path, value),
  };
  return (
    <Stack gap="sm">
      <PairsField of={of} at={[...at, 'nodeSelector']} label={t('create.nodes')} placeholder="disk=ssd" />
      <Rows
        of={rows}
        at={expressions}
        add={t('create.addNodeRule')}
        fresh={{ key: 'kubernetes.io/arch', operator: 'In', values: ['amd64'] }}
      >
        {(row) => {
          const operator = textAt(of.object, [...row, 'operator'], 'In');
          return (
            <>
              <TextField of={of} at={[...row, 'key']} label={t('create.key')} />
              <Select
                label={t('override.operator')}
                data={[...OPERATORS]}
                value={operator}
                allowDeselect={false}
                onChange={(next) => {
                  of.set([...row, 'operator'], next);
                  if (next?.includes('Exist')) of.set([...row, 'values'], undefined);
                }}
              />
              {!operator.includes('Exist') && (
                <WordsField of={of} at={[...row, 'values']} label={t('override.value')} />
              )}
            </>
          );
        }}
      </Rows>
      <Select
        label={t('create.apart')}
        data={APARTS.filter((value) => value !== 'other' || word === 'other').map((value) => ({
          value,
          label: t(`create.apartBy.${value}`),
        }))}
        value={word}
        allowDeselect={false}
        onChange={(next) => next !== 'other' && of.set(apart, keptApart(next ?? 'no', app))}
      />
    </Stack>
  );
}
