/** What a new workload is: its kind, its name, how many of it, and what is said about it. */
import { useQuery } from '@connectrpc/connect-query';
import { Autocomplete, NumberInput, SegmentedControl, Stack, TextInput } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useTranslation } from 'react-i18next';
import { CoreService } from '#gen/proto/kairship/api/core/v1alpha1/core_service_pb.ts';
import { DEPLOYMENT, kindOf } from '../../api/kinds.ts';
import { useObject } from '../../api/objects.ts';
import { readYaml } from '../../api/read-yaml.ts';
import { type Bound, SwitchField, TextField } from '../../parts/fields.tsx';
import { Panel } from '../../parts/page.tsx';
import { textAt, valueAt, withValue } from '../policy/policy-text.ts';
import {
  DESCRIPTION,
  type Draft,
  firstDraft,
  isDescribed,
  MOST_DESCRIPTION,
  nameOf,
  namespaceOf,
  renamed,
  type StepProps,
} from './draft.ts';
import { Schedule } from './settings-form.tsx';
import { isName, KINDS, replicasPath } from './workload-text.ts';

const PROTECTED = 'resourcetemplate.karmada.io/deletion-protected';

/** The form of one of the texts. */
export function boundTo(
  text: 'workload' | 'policy' | 'override',
  draft: Draft,
  onChange: StepProps['onChange'],
): Bound {
  return {
    object: readYaml(draft[text]),
    set: (path, value) => onChange((now) => ({ ...now, [text]: withValue(now[text], path, value) })),
  };
}

export function Basics({ instance, draft, onChange }: StepProps) {
  const { t } = useTranslation();
  const { data } = useQuery(CoreService.method.listNamespaceSummary, { instance });
  const object = readYaml(draft.workload);
  const [name, namespace] = [nameOf(draft.workload), namespaceOf(draft.workload)];
  const taken = useTaken(instance, draft);
  const replicas = replicasPath(draft.kind);
  const of = boundTo('workload', draft, onChange);
  const said = textAt(object, ['metadata', 'annotations', DESCRIPTION]).length;
  return (
    <Panel title={t('create.basics')}>
      <Stack gap="sm" maw={520}>
        <SegmentedControl
          aria-label={t('field.kind')}
          data={[...KINDS]}
          value={draft.kind}
          onChange={(kind) => onChange(firstDraft(kind, name, namespace))}
        />
        <TextInput
          label={t('field.name')}
          description={t('create.nameRule')}
          value={name}
          error={
            name !== '' && !isName(name)
              ? t('create.badName')
              : taken && t('create.taken', { kind: draft.kind, name, namespace })
          }
          required
          onChange={(event) => onChange(renamed(draft, event.currentTarget.value, namespace))}
        />
        <Autocomplete
          label={t('field.namespace')}
          size="xs"
          data={data?.data.map((one) => one.name) ?? []}
          value={namespace}
          error={namespace !== '' && !isName(namespace) && t('create.badName')}
          required
          onChange={(value) => onChange(renamed(draft, name, value))}
        />
        {replicas && (
          <NumberInput
            label={t('field.replicas')}
            min={0}
            value={Number(valueAt(object, replicas) ?? 1)}
            onChange={(value) => of.set(replicas, Number(value))}
          />
        )}
        {draft.kind === 'CronJob' && <Schedule of={of} />}
        <TextField
          of={of}
          at={['metadata', 'annotations', DESCRIPTION]}
          label={t('inventory.description')}
          hint={t('create.length', { said, most: MOST_DESCRIPTION })}
          error={!isDescribed(draft) && t('create.tooLong', { most: MOST_DESCRIPTION })}
        />
        <SwitchField
          of={of}
          at={['metadata', 'labels', PROTECTED]}
          label={t('create.protected')}
          hint={t('create.protectedHint')}
          on="Always"
        />
      </Stack>
    </Panel>
  );
}

/** Whether there is one of that kind and name already, asked when somebody has stopped typing. */
function useTaken(instance: string, { kind, workload }: Draft): boolean {
  const [[name, namespace]] = useDebouncedValue([nameOf(workload), namespaceOf(workload)] as const, 400);
  const asked = isName(name) && isName(namespace);
  const { data } = useObject({ instance, kind: kindOf(kind) ?? DEPLOYMENT, namespace, name }, asked);
  return data !== undefined && data.metadata.name === nameOf(workload);
}
